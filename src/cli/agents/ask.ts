/** `action-risk ask`: asks a running service about a request file, like an agent would. */

import { Console, Effect, Redacted, Schema } from "effect"
import { Problem } from "../../api/Failures.ts"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { actionRisk } from "../../client/actionRisk.ts"
import { noOpinion, type NoOpinion } from "../../client/Answer.ts"
import type { ProposedAction } from "../../client/Assessment.ts"
import { AppConfig } from "../../config.ts"
import { currentTerminal } from "../Terminal.ts"
import { renderAssessment } from "../assessmentView.ts"
import { refuse } from "../commandFailures.ts"
import { elseNull, pathArgument } from "../flags.ts"
import { callFlags, readStatedRequest } from "../statedRequest.ts"
import { printAsIs, verb } from "../verb.ts"

const file = elseNull(
  pathArgument("file.json"),
  "An assessment request as the API accepts it; - reads standard input"
)

/** The client's result. `code`: an error code of the API, or UNREACHABLE, TIMED_OUT, ABORTED or NOT_UNDERSTOOD. */
const askShape = Schema.Union([
  Schema.Struct({ opinion: Schema.Literals(["full", "partial"]), assessment: AssessmentResponse }),
  Schema.Struct({
    opinion: Schema.Literal("none"),
    code: Schema.String,
    message: Schema.String,
    retryable: Schema.Boolean,
    details: Schema.Array(Problem),
    requestId: Schema.optionalKey(Schema.String)
  })
])

/** The client accepts unknown values, such as a new category. This command rejects them, because it has no text for them. */
const known = (assessment: unknown) =>
  Schema.decodeUnknownEffect(AssessmentResponse)(assessment).pipe(
    Effect.mapError(() => refuse("the service is newer than this program; --json prints its answer"))
  )

const whyNone = ({ code, message }: NoOpinion, serviceUrl: string): string =>
  `no opinion: ${code}: ${message}` +
  (code === "UNREACHABLE"
    ? `; the request went to ${serviceUrl}: start a service there with \`action-risk serve\`, or set ACTION_RISK_URL to another one`
    : "")

export const ask = verb({
  about: "Ask a running service about a request file, with the key in ACTION_RISK_KEY",
  takes: { file, ...callFlags },
  prints: askShape,
  fails: "the request cannot be read or is not valid, no key is set, or there is no opinion",
  reads: "`ACTION_RISK_URL`, `ACTION_RISK_KEY`",
  examples: {
    "examples/requests/stripe-refund.json": "For people",
    "request.json --json": "For programs: the opinion, or why there is none"
  },
  run: Effect.fnUntraced(function* ({ file, json, ...call }) {
    const { serviceKey, serviceUrl } = yield* AppConfig
    const { body } = yield* readStatedRequest(file, call)
    // Invariant: `readStatedRequest` accepted it as a request.
    const request = body as unknown as ProposedAction
    const answer = yield* Effect.promise((signal) =>
      serviceKey === null
        ? Promise.resolve(noOpinion("MISSING_API_KEY", "ACTION_RISK_KEY is not set; set it to an API key"))
        : actionRisk({ baseUrl: serviceUrl, key: Redacted.value(serviceKey) }).ask(request, { signal })
    )
    // The service may be newer than this program, whose shape would omit what it does not know.
    if (json) return yield* printAsIs(answer, answer.opinion !== "none")
    if (answer.opinion === "none") return yield* refuse(whyNone(answer, serviceUrl))
    const asked = { actionType: request.action_type, environment: request.environment }
    const assessment = yield* known(answer.assessment)
    yield* Console.log(renderAssessment(currentTerminal(), asked, assessment))
  })
})
