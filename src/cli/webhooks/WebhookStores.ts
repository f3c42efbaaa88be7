/** What the operator's commands on webhooks work on: the stores, and whose endpoints are meant. */

import { Effect, Layer } from "effect"
import type { Mode } from "../../domain/Mode.ts"
import { asUuid } from "../../storage/assessmentId.ts"
import type { Owner } from "../../storage/AssessmentRecord.ts"
import { WebhookDeliveries } from "../../storage/WebhookDeliveries.ts"
import { WebhookEndpoints } from "../../storage/WebhookEndpoints.ts"
import { organizationOf } from "../options/organization.ts"
import { Refused } from "../Refused.ts"
import { Stores } from "../Stores.ts"

export const WebhookStores = Layer.mergeAll(WebhookEndpoints.layer, WebhookDeliveries.layer).pipe(
  Layer.provideMerge(Stores)
)

export const ownerOf = (org: string, mode: Mode) =>
  Effect.map(organizationOf(org), ({ id }): Owner => ({ organizationId: id, mode }))

export const endpointOf = Effect.fnUntraced(function* (owner: Owner, text: string) {
  const id = asUuid(text)
  const endpoint = id === undefined ? undefined : yield* WebhookEndpoints.use(({ find }) => find(owner, id))
  return endpoint ?? (yield* new Refused({ message: noEndpoint(text, owner.mode) }))
})

const noEndpoint = (text: string, mode: Mode): string =>
  `there is no webhook endpoint \`${text}\` in ${mode} mode: see action-risk webhooks list`
