/** Schema and operation for the stream of assessments as server-sent events. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { eventTenantStreamsMax } from "../limits.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import { errorValidationFailed, operationErrors } from "./Failures.ts"

const stream =
  "Server-sent events, one for each assessment of the organization in the mode of the key, about a second after its answer and in the order of the chain of evidence. The id of an event is the assessment's `sequence` in that chain, without gaps but for erased ones."
const events =
  "`event: assessment` has `{sequence, opens_review, assessment}`, the assessment as lists show it. `event: end` says why the service ends the stream: `slow` (the client did not read for ten seconds), `key` (the key is no longer valid) or `stopping`; ask again with `last-event-id`. A comment comes after fifteen seconds of silence."

const streamEvents = HttpApiEndpoint.get("streamEvents", "/api/v1/events", {
  headers: {
    "last-event-id": Schema.optionalKey(
      Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,14})$/u)).annotate({
        description:
          "The id of the last event that arrived: the stream goes on after it, and nothing is lost. 0 starts at the first assessment. Without it the stream starts now."
      })
    )
  },
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" })),
  error: [...operationErrors, errorValidationFailed]
})
  .annotate(RequiredScope, "read")
  .annotateMerge(
    OpenApi.annotations({
      identifier: "streamEvents",
      summary: "Listen to what is assessed",
      description: `${stream} ${events} At most ${eventTenantStreamsMax} streams of an organization are open at once in a process; one more is RATE_LIMITED.`
    })
  )

export const EventsGroup = HttpApiGroup.make("events")
  .add(streamEvents)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Events", description: "A stream of assessments as they happen." })
  )
