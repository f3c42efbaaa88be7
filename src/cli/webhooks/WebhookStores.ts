/** The stores of the webhook commands, and the owner and the endpoint that their arguments name. */

import { Effect, Layer } from "effect"
import type { Mode } from "../../domain/Caller.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { DeliveryRecords } from "../../storage/webhooks/DeliveryRecords.ts"
import { EndpointRecords } from "../../storage/webhooks/EndpointRecords.ts"
import { organizationOf, Stores } from "../Stores.ts"
import { CommandRefused } from "../commandFailures.ts"

export const WebhookStores = Layer.mergeAll(EndpointRecords.layer, DeliveryRecords.layer).pipe(
  Layer.provideMerge(Stores)
)

export const ownerOf = (org: string, mode: Mode) =>
  Effect.map(organizationOf(org), ({ id }): Owner => ({ organizationId: id, mode }))

export const endpointOf = Effect.fnUntraced(function* (owner: Owner, text: string) {
  const id = asUuid(text)
  const endpoint = id === undefined ? undefined : yield* EndpointRecords.use(({ find }) => find(owner, id))
  return endpoint ?? (yield* new CommandRefused({ message: noEndpoint(text, owner.mode) }))
})

const noEndpoint = (text: string, mode: Mode): string =>
  `there is no webhook endpoint \`${text}\` in ${mode} mode: see action-risk webhooks list`
