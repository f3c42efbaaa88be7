/** `action-risk webhooks test`: a ping to one endpoint, whatever it subscribes to. */

import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { WebhookDeliveries } from "../../../storage/WebhookDeliveries.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org } from "../../options/organization.ts"
import { Refused } from "../../Refused.ts"
import type { webhooksTestShape } from "../../shapes/webhooks/test.ts"
import { sayWhoSends } from "../../webhooks/sayWhoSends.ts"
import { endpointOf, ownerOf, WebhookStores } from "../../webhooks/WebhookStores.ts"

export const testWebhook = Command.make(
  "test",
  {
    id: Argument.String("endpoint id").pipe(Argument.withDescription("As `webhooks list` shows it")),
    org,
    mode,
    json
  },
  Effect.fnUntraced(function* ({ id, json, mode, org }) {
    const owner = yield* ownerOf(org, mode)
    const endpoint = yield* endpointOf(owner, id)
    const queued = yield* WebhookDeliveries.use(({ ping }) => ping(owner, endpoint.id))
    // It was there a moment ago: what is not queued now is disabled, or was deleted since.
    if (queued._tag !== "queued")
      return yield* new Refused({
        message: `the webhook endpoint \`${id}\` is ${queued._tag === "disabled" ? "disabled" : "gone"}`
      })
    const told: typeof webhooksTestShape.Encoded = {
      endpoint_id: endpoint.id,
      delivery_id: queued.deliveryId
    }
    if (json) return yield* Console.log(JSON.stringify(told))
    yield* Console.log(`a ping is queued as delivery ${queued.deliveryId}`)
    yield* sayWhoSends
  }, Effect.provide(WebhookStores))
).pipe(
  Command.withDescription("Send a ping to a webhook endpoint"),
  Command.withExamples([
    {
      command: "action-risk webhooks test 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "What became of it: `webhooks list`"
    }
  ])
)
