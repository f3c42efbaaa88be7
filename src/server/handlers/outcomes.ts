/** Handlers for outcome events: report one, list them. */

import { Effect, Result } from "effect"
import { OutcomeEventRequest } from "../../api/Outcomes.ts"
import { objectReader, problemsOf, readIdempotencyKey, validationFailed } from "../../api/validation.ts"
import { Outcomes } from "../../assessment/Outcomes.ts"
import { begunEventTypes, outcomeEventTypes } from "../../domain/OutcomeEvent.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { type Call, idempotencyHeaders, jsonResponse } from "../Exchange.ts"
import { readBody, readJson } from "../requestInput.ts"

const readEvent = objectReader(OutcomeEventRequest)

/** Checked whatever else is wrong with the body: an action that was not started has affected nothing. */
const observedProblems = (body: Json) => {
  if (!isRecord(body) || body["observed"] === undefined) return Result.void
  const type = outcomeEventTypes.find((known) => known === body["type"])
  return type === undefined || begunEventTypes.has(type)
    ? Result.void
    : Result.fail([
        { field: "observed", message: `must be left out unless type is ${[...begunEventTypes].join(", ")}` }
      ])
}

export const outcomesHandlers = Effect.gen(function* () {
  const outcomes = yield* Outcomes

  const reportOutcome = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const bytes = yield* readBody(exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
    const event = readEvent(value, holdsNul)
    const key = readIdempotencyKey(exchange.request.headers["idempotency-key"])
    const observed = observedProblems(value)
    if (Result.isFailure(event) || Result.isFailure(key) || Result.isFailure(observed))
      return yield* validationFailed(problemsOf(event, key, observed))
    const call = { caller, requestId: exchange.id, idempotencyKey: key.success, event: event.success }
    const answer = yield* outcomes.report(call, params.assessment_id ?? "")
    return jsonResponse(answer.body, 200, idempotencyHeaders(answer, exchange.id))
  })

  const listOutcomes = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    return jsonResponse(yield* outcomes.list(caller, params.assessment_id ?? "", exchange.id))
  })

  return { reportOutcome, listOutcomes }
})
