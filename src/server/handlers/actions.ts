/** Assessing an action and listing those assessed. */

import { Effect, Result } from "effect"
import { readActionRequest } from "../../api/ActionRequest.ts"
import { InvalidEnvironment } from "../../api/Failures.ts"
import { Assess } from "../../assessment/Assess.ts"
import type { AssessAnswer } from "../../assessment/AssessCall.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import { searchMax } from "../../Limits.ts"
import { type Answer, jsonBytes } from "../Answer.ts"
import type { Call } from "../Handler.ts"
import { type Check, readListQuery } from "../listQuery.ts"
import { readBody } from "../readBody.ts"
import { readIdempotencyKey } from "../readIdempotencyKey.ts"
import { readJson } from "../readJson.ts"
import { validationFailed } from "../validationFailed.ts"
import { asksForDrill, asksForStrict } from "./actions/assessHeaders.ts"

const searchCheck: Check = (value) => {
  if ([...value].length > searchMax) return `must have at most ${searchMax} characters`
  return value.includes("\0") ? "must not contain the character U+0000" : undefined
}

const answerWith = (assessed: AssessAnswer, exchangeId: string): Answer =>
  jsonBytes(assessed.body, {
    "svc-request-id": assessed.requestId,
    "svc-risk-opinion": assessed.complete ? "full" : "partial",
    ...(assessed.replayed && { "svc-idempotent-replay": "true", "svc-replay-request-id": exchangeId })
  })

export const actionsHandlers = Effect.gen(function* () {
  const assess = yield* Assess
  const assessments = yield* Assessments

  const assessAction = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const bytes = yield* readBody(exchange)
    const receivedAtMs = performance.now()
    const { headers } = exchange.request
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))

    const request = readActionRequest(value, holdsNul)
    const idempotencyKey = readIdempotencyKey(headers["idempotency-key"])
    if (Result.isFailure(request) || Result.isFailure(idempotencyKey)) {
      const of = (read: Result.Result<unknown, ReadonlyArray<{ field: string; message: string }>>) =>
        Result.isFailure(read) ? read.failure : []
      return yield* validationFailed([...of(request), ...of(idempotencyKey)])
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
      strict: asksForStrict(headers),
      drill: asksForDrill(headers, caller.mode),
      receivedAtMs,
      validationMs: performance.now() - receivedAtMs
    })
    return answerWith(assessed, exchange.id)
  })

  const listActions = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readListQuery(exchange.query, { q: searchCheck })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const { body } = yield* assessments.list(caller, query.success, exchange.id)
    return jsonBytes(body)
  })

  return { assessAction, listActions }
})
