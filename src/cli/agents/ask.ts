/** `action-risk ask`: asks a running service about a request file, as an agent would. */

import { Console, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { Problem } from "../../api/Failures.ts"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { actionRisk } from "../../client/actionRisk.ts"
import { noOpinion, type NoOpinion } from "../../client/Answer.ts"
import type { ProposedAction } from "../../client/Assessment.ts"
import { AppConfig } from "../../config.ts"
import { currentTerminal } from "../Terminal.ts"
import { renderAssessment } from "../assessmentView.ts"
import { CommandRefused, FindingsExit } from "../commandFailures.ts"
import { jsonFlag, pathArgument } from "../flags.ts"
import { callFlags, readStatedRequest } from "../statedRequest.ts"

const file = pathArgument("file.json").pipe(
  Argument.withDescription("An assessment request as the API takes it; - reads standard input"),
  Argument.optional
)

/** What the client answers with. `code`: of the API, or UNREACHABLE, TIMED_OUT, ABORTED or NOT_UNDERSTOOD. */
export const askSchema = Schema.Union([
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

/** The client takes words that it does not know, such as a new category. This program has no text for them. */
const known = (assessment: unknown) =>
  Schema.decodeUnknownEffect(AssessmentResponse)(assessment).pipe(
    Effect.mapError(
      () =>
        new CommandRefused({ message: "the service is newer than this program; --json prints what it says" })
    )
  )

const whyNone = ({ code, message }: NoOpinion, serviceUrl: string): string =>
  `no opinion: ${code}: ${message}` +
  (code === "UNREACHABLE"
    ? `; ${serviceUrl} was asked: start a service there with \`action-risk serve\`, or name another one in ACTION_RISK_URL`
    : "")

export const ask = Command.make(
  "ask",
  { file, ...callFlags, json: jsonFlag },
  Effect.fnUntraced(function* ({ file, json, ...call }) {
    const { serviceKey, serviceUrl } = yield* AppConfig
    const { body } = yield* readStatedRequest("ask", Option.getOrNull(file), call)
    // Invariant: `readStatedRequest` took it as a request.
    const request = body as unknown as ProposedAction
    const answer = yield* Effect.promise((signal) =>
      serviceKey === null
        ? Promise.resolve(noOpinion("MISSING_API_KEY", "no key to ask with; set ACTION_RISK_KEY to one"))
        : actionRisk({ baseUrl: serviceUrl, key: Redacted.value(serviceKey) }).ask(request, { signal })
    )
    if (json) yield* Console.log(JSON.stringify(answer, null, 2))
    else if (answer.opinion === "none")
      return yield* new CommandRefused({ message: whyNone(answer, serviceUrl) })
    else {
      const asked = { actionType: request.action_type, environment: request.environment }
      const assessment = yield* known(answer.assessment)
      yield* Console.log(renderAssessment(currentTerminal(), asked, assessment))
    }
    if (answer.opinion === "none") return yield* new FindingsExit()
  })
).pipe(
  Command.withDescription("Ask a running service about a request file, with the key in ACTION_RISK_KEY"),
  Command.withExamples([
    { command: "action-risk ask examples/requests/stripe-refund.json", description: "For people" },
    {
      command: "action-risk ask request.json --json",
      description: "For programs: the opinion, or why there is none"
    }
  ])
)
