/** `action-risk webhooks list`: lists an organization's endpoints, newest first, each with its newest deliveries. */

import { Effect, Schema } from "effect"
import { IsoMillisDate, Uuid } from "../../api/Scalars.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import {
  type DeliveryStatus,
  deliveryStatuses,
  webhookEventTypes,
  webhookFormats
} from "../../domain/WebhookEvent.ts"
import { deliveriesShownDefault, deliveriesShownMax, webhookEndpointsMax } from "../../limits.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { cursorPage } from "../../storage/timeOrderedId.ts"
import {
  DeliveryRecords,
  type StoredDelivery,
  unresolvedFailures
} from "../../storage/webhooks/DeliveryRecords.ts"
import { EndpointRecords, type StoredEndpoint } from "../../storage/webhooks/EndpointRecords.ts"
import {
  lines,
  paragraph,
  headings,
  printable,
  type Row,
  type Style,
  table,
  type Terminal
} from "../Terminal.ts"
import { bool, list, members, nullOr, ownerFields, string } from "../jsonShapes.ts"
import { databaseSettings, elseNull, flagOr, idFlag, integerFlag, ownerFlags, switchFlag } from "../flags.ts"
import { ownerOf } from "../Stores.ts"
import { endpointOf, WebhookStores } from "./WebhookStores.ts"
import { verb } from "../verb.ts"

const Delivery = members(
  {
    id: Uuid,
    eventId: string("The header webhook-id of every delivery of the event."),
    type: Schema.Literals(webhookEventTypes),
    status: Schema.Literals(deliveryStatuses),
    attempts: Schema.Int,
    lastStatus: nullOr(Schema.Int, "Null if the last attempt got no answer."),
    nextAttemptAt: nullOr(IsoMillisDate, "Null if no attempt is planned."),
    createdAt: IsoMillisDate
  },
  { id: "delivery_id" }
)

const Endpoint = members(
  {
    id: Uuid,
    url: Schema.String,
    format: Schema.Literals(webhookFormats),
    events: Schema.Array(Schema.Literals(webhookEventTypes)),
    minLevel: Schema.Literals(actionRiskLevels),
    enabled: Schema.Boolean,
    description: Schema.NullOr(Schema.String),
    createdAt: IsoMillisDate,
    deliveries: list(Delivery, "Newest first."),
    moreDeliveries: bool("Whether `--limit` left out older ones.")
  },
  { id: "endpoint_id" }
)

export const webhooksListShape = members({
  ...ownerFields,
  endpoints: list(Endpoint, "Newest first.")
})

type ListedEndpoint = typeof Endpoint.Type

export const listWebhooks = verb({
  about: "List an organization's webhook endpoints and their newest deliveries",
  takes: {
    ...ownerFlags,
    endpoint: elseNull(idFlag("endpoint", "webhooks list"), "Only this endpoint"),
    failed: switchFlag("failed", "Only deliveries that failed or are dead, and were not redelivered since"),
    limit: flagOr(
      integerFlag("limit", 1, deliveriesShownMax),
      deliveriesShownDefault,
      `Deliveries shown for each endpoint, newest first (default: ${deliveriesShownDefault})`
    )
  },
  prints: webhooksListShape,
  fails: "there is no such organization or endpoint",
  reads: databaseSettings,
  examples: {
    "--org acme --mode live": "Every endpoint",
    "--org acme --mode live --failed --json": "The deliveries that receivers missed, for scripts",
    "--org acme --mode live --endpoint 01a1faa8-096b-732a-8637-7ff3434a9d23 --limit 100":
      "More deliveries of one endpoint"
  },
  run: Effect.fnUntraced(function* ({ endpoint, failed, limit, mode, org }) {
    const owner = yield* ownerOf(org, mode)
    const endpoints =
      endpoint !== null
        ? [yield* endpointOf(owner, endpoint)]
        : yield* EndpointRecords.use(({ page }) =>
            page(owner, { before: undefined, limit: webhookEndpointsMax })
          )
    const listed = yield* Effect.forEach(endpoints, (one) => withDeliveries(owner, one, limit, failed))
    return {
      json: () => ({ organization: org, mode, endpoints: listed }),
      text: (screen: Terminal) =>
        listed.length === 0
          ? `no webhook endpoints of ${org} in ${mode} mode yet: docs/webhooks.md`
          : listed.map((one) => renderEndpoint(screen, one, failed)).join("\n\n")
    }
  }, Effect.provide(WebhookStores))
})

const withDeliveries = Effect.fnUntraced(function* (
  owner: Owner,
  endpoint: StoredEndpoint,
  limit: number,
  failed: boolean
) {
  const query = { before: undefined, limit: limit + 1 }
  const { page } = yield* DeliveryRecords
  const found = yield* failed
    ? unresolvedFailures(owner, endpoint.id, query)
    : page(owner, endpoint.id, { ...query, statuses: deliveryStatuses })
  // Undefined if the endpoint was deleted in the meantime.
  const { nextCursor, rows } = cursorPage(found ?? [], limit, ({ id }) => id)
  return { ...endpoint, deliveries: rows, moreDeliveries: nextCursor !== null }
})

const styleOfStatus: Readonly<Record<DeliveryStatus, Style>> = {
  pending: "plain",
  delivered: "green",
  failed: "yellow",
  dead: "red"
}

const secondOf = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

const rowOf = (delivery: StoredDelivery): Row => [
  delivery.id,
  { text: delivery.status, style: styleOfStatus[delivery.status] },
  { text: String(delivery.attempts), align: "right" },
  { text: delivery.lastStatus === null ? "none" : String(delivery.lastStatus), align: "right" },
  delivery.nextAttemptAt === null ? "" : secondOf(delivery.nextAttemptAt),
  delivery.type
]

const head = headings("delivery id", "status", "attempts", "answer", "next attempt", "event")

/** `failedOnly`: whether only failed deliveries were read. */
const renderEndpoint = (
  screen: Terminal,
  { deliveries, moreDeliveries, ...endpoint }: ListedEndpoint,
  failedOnly: boolean
): string => {
  const state = endpoint.enabled ? screen.color("green", "enabled") : screen.color("red", "disabled")
  const as = endpoint.format === "standard" ? "" : `as messages for ${endpoint.format}, `
  const subscription = `${as}receives ${endpoint.events.join(", ")}, from level ${endpoint.minLevel} on`
  const about = endpoint.description === null ? [] : [printable(endpoint.description)]
  const none = failedOnly ? "  no failed deliveries" : "  no deliveries yet"
  return lines(
    `${screen.color("bold", endpoint.id)}  ${state}  ${printable(endpoint.url)}`,
    [...about, subscription].flatMap((text) => paragraph(screen, text)),
    deliveries.length === 0 ? none : table(screen, [head, ...deliveries.map(rowOf)]),
    moreDeliveries && "  and older ones: --limit shows more"
  ).join("\n")
}
