/** Outcome events: what happened to an assessed action, as reported by a key with that scope. They authorize nothing. */

import { Clock, Context, Effect, Layer, Result } from "effect"
import {
  AssessmentUnavailable,
  IdempotencyKeyReused,
  InvalidEnvironment,
  NotFound,
  ValidationFailed
} from "../api/Failures.ts"
import type {
  OutcomeEventItem,
  OutcomeEventList,
  OutcomeEventRequest,
  OutcomeEventResponse
} from "../api/Outcomes.ts"
import type { Action } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"
import { disclaimer } from "../domain/Opinion.ts"
import { canonicalText } from "../json/canonical.ts"
import type { JsonObject } from "../json/json.ts"
import { outcomeAskersEventsMax, outcomeIndependentEventsMax, storageReadMsMax } from "../limits.ts"
import { readRecordedRequest } from "../rules/history/recordedInput.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { OutcomeRecords, type StoredOutcome } from "../storage/OutcomeRecords.ts"
import { sha256 } from "../storage/sha256.ts"
import { withStorageErrors } from "../storage/storageErrors.ts"
import { asUuid } from "../storage/timeOrderedId.ts"
import { Scorer } from "./Scorer.ts"

export interface OutcomeCall {
  readonly caller: Caller
  readonly requestId: string
  readonly idempotencyKey: string | null
  readonly event: OutcomeEventRequest
}

export interface OutcomeAnswer {
  readonly body: OutcomeEventResponse
  /** The request id inside `body`. In a replay, the id of the first request. */
  readonly requestId: string
  readonly replayed: boolean
}

const { read, write } = withStorageErrors(
  () =>
    new AssessmentUnavailable({ message: "the events cannot be reached right now; send the request again" })
)

const wrongEnvironment = () =>
  new InvalidEnvironment({
    message:
      "this key may not report on actions in the environment of this assessment; use a key that covers it"
  })

const tooMany = (independent: boolean) => {
  const [max, kind] = independent ? [outcomeIndependentEventsMax, "cannot"] : [outcomeAskersEventsMax, "can"]
  const message = `already has the maximum of ${max} events by keys that ${kind} request assessments`
  return new ValidationFailed({ details: [{ field: "assessment_id", message }] })
}

export class Outcomes extends Context.Service<
  Outcomes,
  {
    /** `id` is the text that the caller sent. A malformed, an unknown and a foreign id all give the same `NotFound`. */
    readonly report: (
      call: OutcomeCall,
      id: string
    ) => Effect.Effect<
      OutcomeAnswer,
      NotFound | ValidationFailed | InvalidEnvironment | IdempotencyKeyReused | AssessmentUnavailable
    >
    readonly list: (
      caller: Caller,
      id: string,
      requestId: string
    ) => Effect.Effect<OutcomeEventList, NotFound | AssessmentUnavailable>
  }
>()("action-risk/assessment/Outcomes") {
  /** Needs `ModeSql`, `ResourceSql` and `Scorer`. */
  static readonly layer = Layer.effect(
    Outcomes,
    Effect.gen(function* () {
      const assessments = yield* AssessmentRecords
      const records = yield* OutcomeRecords
      const scorer = yield* Scorer

      const find = finder(assessments)
      const report = reporter(find, records, scorer)

      const list = Effect.fn("Outcomes.list")(function* (caller: Caller, id: string, requestId: string) {
        const { assessmentId } = yield* find(caller, id)
        const documents = yield* read("list outcome events", records.list(caller, assessmentId))
        return {
          api_version: "v1" as const,
          environment_mode: caller.mode,
          assessment_id: assessmentId,
          data: documents.map(itemOf),
          request_id: requestId
        }
      })

      return Outcomes.of({ report, list })
    })
  ).pipe(Layer.provide([AssessmentRecords.layer, OutcomeRecords.layer]))
}

/** Malformed, unknown and foreign ids all count as not found. */
const finder = (assessments: AssessmentRecords["Service"]) =>
  Effect.fnUntraced(function* (caller: Caller, id: string) {
    const assessmentId = asUuid(id)
    if (assessmentId === undefined) return yield* new NotFound()
    const finding = assessments.find(caller, assessmentId, storageReadMsMax)
    return (yield* read("read an assessment", finding)) ?? (yield* new NotFound())
  })

/** How the action would count in the sums if it had stated the observed figures. */
const scoredAs = (
  scorer: Scorer["Service"],
  action: Action,
  { caller, event }: OutcomeCall,
  nowMs: number
) => {
  const record = scorer.historyRecord(withObserved(action, event.observed ?? {}), caller.policySet, nowMs)
  return {
    summedUnder: record.summedUnder,
    observed:
      event.observed === undefined
        ? null
        : { entities: record.scoredEntities, usdCents: record.scoredUsdCents }
  }
}

const reporter = (
  find: ReturnType<typeof finder>,
  records: OutcomeRecords["Service"],
  scorer: Scorer["Service"]
) =>
  Effect.fn("Outcomes.report")(function* (call: OutcomeCall, id: string) {
    const { caller, event, idempotencyKey, requestId } = call
    const { assessmentId, input } = yield* find(caller, id)
    const action = yield* actionOf(input)
    if (caller.environments?.includes(action.environment) === false) return yield* wrongEnvironment()
    const independent = !caller.scopes.includes("assess")
    const appended = yield* write(
      "store an outcome event",
      records.append(caller, assessmentId, {
        ...scoredAs(scorer, action, call, yield* Clock.currentTimeMillis),
        type: event.type,
        independent,
        requestId,
        idempotencyKey,
        reportedBy: caller.keyId,
        requestDigest: sha256(canonicalText({ ...event })),
        documentOf: ({ createdAt, id, sums }) =>
          toBytes({
            id,
            assessment_id: assessmentId,
            type: event.type,
            observed: event.observed ?? null,
            call_digest: event.call_digest ?? null,
            independent,
            sums,
            created_at: createdAt
          })
      })
    )
    if (appended._tag === "unknown") return yield* new NotFound()
    if (appended._tag === "reused") return yield* new IdempotencyKeyReused()
    if (appended._tag === "full") return yield* tooMany(independent)
    return answerOf(caller, appended)
  })

const toBytes = (item: OutcomeEventItem): Uint8Array => Buffer.from(JSON.stringify(item))

/** Invariant: `toBytes` wrote the document, and stored rows never change. */
const itemOf = (document: Uint8Array): OutcomeEventItem => JSON.parse(Buffer.from(document).toString())

const answerOf = (
  { mode }: Caller,
  stored: StoredOutcome & { readonly replayed: boolean }
): OutcomeAnswer => ({
  body: {
    api_version: "v1",
    environment_mode: mode,
    ...itemOf(stored.document),
    request_id: stored.requestId,
    disclaimer
  },
  requestId: stored.requestId,
  replayed: stored.replayed
})

/** Invariant: the service stored the input, so it is a valid request. If not, someone inserted the row by hand. */
const actionOf = (input: Uint8Array): Effect.Effect<Action, AssessmentUnavailable> => {
  const request: JsonObject = JSON.parse(Buffer.from(input).toString())
  return Effect.fromResult(Result.mapError(readRecordedRequest(request), () => new AssessmentUnavailable()))
}

const withObserved = (action: Action, observed: NonNullable<OutcomeEventRequest["observed"]>): Action => ({
  ...action,
  ...(observed.entities_affected !== undefined && { entitiesAffected: observed.entities_affected }),
  ...(observed.records_affected !== undefined && { recordsAffected: observed.records_affected }),
  ...(observed.financial_value !== undefined && { financialValue: observed.financial_value })
})
