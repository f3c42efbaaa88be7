/** Schemas and operations for outcome events of assessments. They report what happened, and authorize nothing. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { begunEventTypes, outcomeEventTypes, sumsEffects } from "../domain/OutcomeEvent.ts"
import {
  outcomeAskersEventsMax,
  outcomeEventsListedMax,
  outcomeExactEventsMax,
  outcomeIndependentEventsMax
} from "../limits.ts"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import {
  bodyErrors,
  errorIdempotencyKeyReused,
  errorInvalidEnvironment,
  errorNotFound,
  operationErrors
} from "./Failures.ts"
import { answerHead, IsoMillis, RequestId, Uuid } from "./Scalars.ts"
import { idempotencyKeyHeader, oneOfField } from "./validation.ts"

const stated = AssessmentRequest.fields

/** Requires at least one figure: a caller that observed nothing omits the whole field. */
const Observed = Schema.Struct({
  entities_affected: stated.entities_affected,
  records_affected: stated.records_affected,
  financial_value: stated.financial_value
})
  .annotate({
    message: "must be an object",
    description: `The figures that the action really affected; money in the currency of the assessment. Only with ${[...begunEventTypes].join(", ")}.`
  })
  .check(
    Schema.makeFilter((observed) => Object.keys(observed).length > 0, {
      message: "must have a figure",
      toJsonSchema: () => ({ minProperties: 1 })
    })
  )

const callDigest = Schema.String.annotate({ message: "must be a string" })
  .check(Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "must be 64 hexadecimal digits in lower case" }))
  .annotate({ description: "SHA-256 of the call that was made, in hex: it shows later which call it was." })

export const OutcomeEventRequest = Schema.Struct({
  type: oneOfField(outcomeEventTypes).annotate({
    description:
      "The event: a person agreed, declined or was absent; the action was executed, failed, was not executed, or was reverted; it caused an incident, or nearly."
  }),
  observed: Schema.optionalKey(Observed),
  call_digest: Schema.optionalKey(callDigest)
}).annotate({ identifier: "OutcomeEventRequest" })
export type OutcomeEventRequest = typeof OutcomeEventRequest.Type

const eventFields = {
  id: Uuid,
  assessment_id: Uuid,
  type: Schema.Literals(outcomeEventTypes),
  observed: Schema.NullOr(Observed),
  call_digest: Schema.NullOr(callDigest),
  independent: Schema.Boolean.annotate({
    description: "Whether the key that reported it lacks the scope `assess`, and so cannot ask."
  }),
  sums: Schema.Literals(sumsEffects).annotate({
    description:
      "The event's effect on the sums of 24 hours: none; its action was taken out, or put back; or they rose by the observed figures above the assessed ones."
  }),
  created_at: IsoMillis
}

export const OutcomeEventItem = Schema.Struct(eventFields).annotate({ identifier: "OutcomeEventItem" })
export type OutcomeEventItem = typeof OutcomeEventItem.Encoded

export const OutcomeEventResponse = Schema.Struct({
  ...answerHead,
  ...eventFields,
  request_id: RequestId,
  disclaimer: Schema.String
}).annotate({ identifier: "OutcomeEvent" })
export type OutcomeEventResponse = typeof OutcomeEventResponse.Encoded

export const OutcomeEventList = Schema.Struct({
  ...answerHead,
  assessment_id: Uuid,
  data: Schema.Array(OutcomeEventItem),
  request_id: RequestId
}).annotate({ identifier: "OutcomeEventList" })
export type OutcomeEventList = typeof OutcomeEventList.Encoded

const path = "/api/v1/assessments/:assessment_id/events"
const params = { assessment_id: Uuid }

const reportOutcome = HttpApiEndpoint.post("reportOutcome", path, {
  params,
  headers: idempotencyKeyHeader(
    "A repeat with the same body gives the first event again, for as long as the event is stored."
  ),
  payload: OutcomeEventRequest,
  success: OutcomeEventResponse,
  error: [
    ...operationErrors,
    ...bodyErrors,
    errorNotFound,
    errorInvalidEnvironment,
    errorIdempotencyKeyReused
  ]
})
  .annotate(RequiredScope, "outcomes")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "reportOutcome",
      summary: "Report what happened",
      description: `Appends an event to an assessment: at most ${outcomeAskersEventsMax} by keys that can ask and ${outcomeIndependentEventsMax} by keys that cannot, without those that raise or restore the sums of 24 hours. After ${outcomeExactEventsMax} of either kind a raise counts as at least twice the largest figure so far. An idempotency key counts for one assessment and one API key. Events never change, and are only erased with their assessment. They change no stored opinion. Observed figures above the assessed ones raise the sums of 24 hours; \`not_executed\` takes the action out of these sums only if the key cannot ask, and only while no event says that it was begun.`
    })
  )

const listOutcomes = HttpApiEndpoint.get("listOutcomes", path, {
  params,
  success: OutcomeEventList,
  error: [...operationErrors, errorNotFound]
})
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "listOutcomes",
      summary: "List what happened",
      description: `The outcome events of an assessment, oldest first; of more than ${outcomeEventsListedMax} the newest.`
    })
  )

export const OutcomesGroup = HttpApiGroup.make("outcomes")
  .add(reportOutcome, listOutcomes)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Outcomes",
      description: "The outcomes of assessed actions; records that authorize nothing."
    })
  )
