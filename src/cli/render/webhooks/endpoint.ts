/** An endpoint and its newest deliveries in the terminal. */

import type { DeliveryStatus } from "../../../domain/WebhookEvent.ts"
import type { WebhookDelivery } from "../../../storage/WebhookDeliveries.ts"
import type { ListedEndpoint } from "../../webhooks/listedEndpoint.ts"
import { headings } from "../headings.ts"
import { plain } from "../plain.ts"
import type { Sheet, Style } from "../Sheet.ts"
import { type Row, table } from "../table.ts"
import { wrap } from "../wrap.ts"

const styleOfStatus: Readonly<Record<DeliveryStatus, Style>> = {
  pending: "plain",
  delivered: "green",
  failed: "yellow",
  dead: "red"
}

const secondOf = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

const rowOf = (delivery: WebhookDelivery): Row => [
  delivery.id,
  { text: delivery.status, style: styleOfStatus[delivery.status] },
  { text: String(delivery.attempts), align: "right" },
  { text: delivery.lastStatus === null ? "none" : String(delivery.lastStatus), align: "right" },
  delivery.nextAttemptAt === null ? "" : secondOf(delivery.nextAttemptAt),
  delivery.type
]

const head = headings("delivery id", "status", "attempts", "answer", "next attempt", "event")

/** `failedOnly`: whether the deliveries are those that failed. */
export const renderEndpoint = (
  sheet: Sheet,
  { deliveries, endpoint, more }: ListedEndpoint,
  failedOnly: boolean
): string => {
  const state = endpoint.enabled ? sheet.ink("green", "enabled") : sheet.ink("red", "disabled")
  const hears = `hears of ${endpoint.events.join(", ")}, from level ${endpoint.minLevel} on`
  const about = endpoint.description === null ? [] : [plain(endpoint.description)]
  const none = failedOnly ? "no failed deliveries" : "no deliveries yet"
  return [
    `${sheet.ink("bold", endpoint.id)}  ${state}  ${plain(endpoint.url)}`,
    ...[...about, hears].flatMap((text) => wrap(text, sheet.width - 2)).map((line) => `  ${line}`),
    ...(deliveries.length === 0 ? [`  ${none}`] : table(sheet, [head, ...deliveries.map(rowOf)])),
    ...(more ? ["  and older ones: --limit shows more"] : [])
  ].join("\n")
}
