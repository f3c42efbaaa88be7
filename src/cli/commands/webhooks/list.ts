/** `action-risk webhooks list`: an organization's endpoints, newest first, each with its newest deliveries. */

import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { deliveryStatuses } from "../../../domain/WebhookEvent.ts"
import { deliveriesShownDefault, deliveriesShownMax, webhookEndpointsMax } from "../../../Limits.ts"
import type { Owner } from "../../../storage/AssessmentRecord.ts"
import { cutPage } from "../../../storage/cutPage.ts"
import { WebhookDeliveries } from "../../../storage/WebhookDeliveries.ts"
import { standingFailures } from "../../../storage/webhookDeliveries/standingFailures.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "../../../storage/WebhookEndpoints.ts"
import { integer } from "../../options/integer.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org } from "../../options/organization.ts"
import { terminal } from "../../render/Sheet.ts"
import { renderEndpoint } from "../../render/webhooks/endpoint.ts"
import type { webhooksListShape } from "../../shapes/webhooks/list.ts"
import { type ListedEndpoint, listedEndpointJson } from "../../webhooks/listedEndpoint.ts"
import { endpointOf, ownerOf, WebhookStores } from "../../webhooks/WebhookStores.ts"

export const listWebhooks = Command.make(
  "list",
  {
    org,
    mode,
    endpoint: Flag.String("endpoint").pipe(
      Flag.withDescription("Only this endpoint"),
      Flag.withMetavar("id"),
      Flag.optional
    ),
    failed: Flag.Boolean("failed").pipe(
      Flag.withDescription("Only deliveries that failed or are dead, and were not redelivered since"),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    limit: integer("limit", 1, deliveriesShownMax).pipe(
      Flag.withDescription(
        `Deliveries shown of each endpoint, newest first (default: ${deliveriesShownDefault})`
      ),
      Flag.withDefault(deliveriesShownDefault)
    ),
    json
  },
  Effect.fnUntraced(function* (options) {
    const { failed, limit, mode, org } = options
    const owner = yield* ownerOf(org, mode)
    const endpoints = Option.isSome(options.endpoint)
      ? [yield* endpointOf(owner, options.endpoint.value)]
      : yield* WebhookEndpoints.use(({ page }) =>
          page(owner, { before: undefined, limit: webhookEndpointsMax })
        )
    const listed = yield* Effect.forEach(endpoints, (endpoint) =>
      withDeliveries(owner, endpoint, limit, failed)
    )
    if (options.json) {
      const told: typeof webhooksListShape.Encoded = {
        organization: org,
        mode,
        endpoints: listed.map(listedEndpointJson)
      }
      return yield* Console.log(JSON.stringify(told))
    }
    if (listed.length === 0)
      return yield* Console.log(`no webhook endpoints of ${org} in ${mode} mode yet: docs/webhooks.md`)
    const sheet = terminal()
    yield* Console.log(listed.map((one) => renderEndpoint(sheet, one, failed)).join("\n\n"))
  }, Effect.provide(WebhookStores))
).pipe(
  Command.withDescription("List an organization's webhook endpoints and their newest deliveries"),
  Command.withExamples([
    { command: "action-risk webhooks list --org acme --mode live", description: "Every endpoint" },
    {
      command: "action-risk webhooks list --org acme --mode live --failed --json",
      description: "What receivers have not heard, for scripts"
    },
    {
      command:
        "action-risk webhooks list --org acme --mode live --endpoint 01a1faa8-096b-732a-8637-7ff3434a9d23 --limit 100",
      description: "More of one endpoint"
    }
  ])
)

const withDeliveries = Effect.fnUntraced(function* (
  owner: Owner,
  endpoint: WebhookEndpoint,
  limit: number,
  failed: boolean
) {
  const query = { before: undefined, limit: limit + 1 }
  const { page } = yield* WebhookDeliveries
  const found = yield* failed
    ? standingFailures(owner, endpoint.id, query)
    : page(owner, endpoint.id, { ...query, statuses: deliveryStatuses })
  // Undefined where the endpoint was deleted a moment ago.
  const { nextCursor, rows } = cutPage(found ?? [], limit, ({ id }) => id)
  const listed: ListedEndpoint = { endpoint, deliveries: rows, more: nextCursor !== null }
  return listed
})
