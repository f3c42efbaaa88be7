/** The stores of the webhook commands, and the endpoint named by their arguments. */

import { Effect, Layer } from "effect"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { DeliveryRecords } from "../../storage/webhooks/DeliveryRecords.ts"
import { EndpointRecords } from "../../storage/webhooks/EndpointRecords.ts"
import { Stores } from "../Stores.ts"
import { refuse } from "../commandFailures.ts"

export const WebhookStores = Layer.mergeAll(EndpointRecords.layer, DeliveryRecords.layer).pipe(
  Layer.provideMerge(Stores)
)

/** `id`: as shown by `webhooks list`. */
export const endpointOf = Effect.fnUntraced(function* (owner: Owner, id: string) {
  const endpoint = yield* EndpointRecords.use(({ find }) => find(owner, id))
  if (endpoint !== undefined) return endpoint
  return yield* refuse(
    `there is no webhook endpoint \`${id}\` in ${owner.mode} mode: see action-risk webhooks list`
  )
})
