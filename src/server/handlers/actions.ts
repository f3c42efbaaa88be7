/** The handler for assessing an action. */

import { Effect, Result } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { type Drill, drills, readActionRequest } from "../../api/AssessmentRequest.ts"
import { InvalidEnvironment, type Problem } from "../../api/Failures.ts"
import { problemsOf, readIdempotencyKey, validationFailed } from "../../api/validation.ts"
import { Assess } from "../../assessment/Assess.ts"
import type { Mode } from "../../domain/Caller.ts"
import { type Call, idempotencyHeaders, jsonBytesResponse } from "../Exchange.ts"
import { readBody, readJson } from "../requestInput.ts"

export const actionsHandlers = Effect.gen(function* () {
  const assess = yield* Assess

  const assessAction = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const bytes = yield* readBody(exchange)
    const receivedAtMs = performance.now()
    const { headers } = exchange.request
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))

    const request = readActionRequest(value, holdsNul)
    const idempotencyKey = readIdempotencyKey(headers["idempotency-key"])
    const drill = readDrill(headers, caller.mode)
    if (Result.isFailure(request) || Result.isFailure(idempotencyKey) || Result.isFailure(drill)) {
      return yield* validationFailed(problemsOf(request, idempotencyKey, drill))
    }
    const { action, body } = request.success
    if (caller.environments !== null && !caller.environments.includes(action.environment)) {
      return yield* new InvalidEnvironment()
    }
    const assessed = yield* assess.assess({
      caller,
      requestId: exchange.id,
      action,
      body,
      idempotencyKey: idempotencyKey.success,
      strict: prefersStrict(headers),
      drill: drill.success,
      receivedAtMs,
      validationMs: performance.now() - receivedAtMs
    })
    return jsonBytesResponse(assessed.body, {
      ...idempotencyHeaders(assessed, exchange.id),
      "svc-risk-opinion": assessed.complete ? "full" : "partial"
    })
  })

  return { assessAction }
})

/** RFC 7240: preferences are separated by commas, their parameters follow a semicolon, and the first preference of a name counts. */
const prefersStrict = ({ prefer }: IncomingHttpHeaders): boolean => {
  for (const preference of String(prefer ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=")
    if (name.trim().toLowerCase() !== "handling") continue
    return value.trim().replaceAll('"', "").toLowerCase() === "strict"
  }
  return false
}

/**
 * Drills are for test keys; with a live key the header has no effect. An unknown drill is a problem: answered like an ordinary call, a
 * mistyped rehearsal would seem to have passed.
 */
const readDrill = (
  headers: IncomingHttpHeaders,
  mode: Mode
): Result.Result<Drill | null, ReadonlyArray<Problem>> => {
  const named = headers["svc-drill"]
  if (mode !== "test" || named === undefined) return Result.succeed(null)
  const known = drills.find((drill) => drill === named)
  return known === undefined
    ? Result.fail([{ field: "svc-drill", message: `must be one of ${drills.join(", ")}` }])
    : Result.succeed(known)
}
