/** Deliveries as the service signs them, and as a forger would. */

import { createHmac } from "node:crypto"

export interface Delivery {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64. */
  readonly body: string
}

const secretOf = (seed: string): string =>
  `whsec_${createHmac("sha256", "seed").update(seed).digest("base64")}`

export const secret = secretOf("ours")
const olderSecret = secretOf("older")

export const eventId = "evt_01a1faa8096b732a86377ff3434a9d23_critical"

/** With letters outside ASCII, because the signature covers bytes. */
const event = Buffer.from(
  JSON.stringify({ id: eventId, type: "assessment.critical", disclaimer: "für – 風" })
)

/** Standard Webhooks 1.0, written from its text and not with the package that the service signs with. */
const sign = (by: string, id: string, timestamp: string, body: Uint8Array): string => {
  const key = Buffer.from(by.slice("whsec_".length), "base64")
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`
}

interface Change {
  /** Seconds that the sender's clock is ahead. */
  readonly ahead?: number
  readonly timestamp?: string
  readonly body?: Buffer
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signedBy?: ReadonlyArray<string>
}

/** At `now`, in seconds: a valid delivery except for the changes, which are made after signing. */
const deliveryAt = (now: number, change: Change): Delivery => {
  const timestamp = change.timestamp ?? String(now + (change.ahead ?? 0))
  const signatures = (change.signedBy ?? [secret]).map((by) => sign(by, eventId, timestamp, event))
  const headers = {
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
    ...change.headers
  }
  return {
    secret,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    ),
    body: (change.body ?? event).toString("base64")
  }
}

/** Made on demand, because a receiver compares their time with its clock. */
export const makeDeliveries = () => {
  const now = Math.floor(Date.now() / 1_000)
  const delivery = (change: Change = {}) => deliveryAt(now, change)
  const good = delivery()
  const signature = good.headers["webhook-signature"] ?? ""

  const genuine: Readonly<Record<string, Delivery>> = {
    "one signature": good,
    "the newer of two signatures, as while a secret is rotated": delivery({
      signedBy: [secret, olderSecret]
    }),
    "the older of two signatures": delivery({ signedBy: [olderSecret, secret] }),
    "a signature of a version that comes later beside ours": delivery({
      headers: { "webhook-signature": `v2,${signature.slice(3)}x ${signature}` }
    }),
    "a clock that is nearly five minutes ahead": delivery({ ahead: 280 }),
    "a clock that is nearly five minutes behind": delivery({ ahead: -280 })
  }

  const forged: Readonly<Record<string, Delivery>> = {
    "another body": delivery({ body: Buffer.from(event.toString().replace("critical", "ping")) }),
    "a body with one space more": delivery({ body: Buffer.from(`${event.toString()} `) }),
    "no body": delivery({ body: Buffer.from("") }),
    "another id": delivery({ headers: { "webhook-id": `${eventId}0` } }),
    "another time": delivery({ headers: { "webhook-timestamp": String(now - 1) } }),
    "a time of more than five minutes ago": delivery({ ahead: -320 }),
    "a time in more than five minutes": delivery({ ahead: 320 }),
    "a time that is no number": delivery({ timestamp: "yesterday" }),
    "a time with something behind it": delivery({ timestamp: `${now}s` }),
    "a time with a fraction": delivery({ timestamp: `${now}.0` }),
    "a time below zero": delivery({ timestamp: `-${now}` }),
    "a time without end": delivery({ timestamp: `${now}`.repeat(20) }),
    "a signature with another secret": delivery({ signedBy: [olderSecret] }),
    "a signature without its version": delivery({ headers: { "webhook-signature": signature.slice(3) } }),
    "a signature of another version": delivery({
      headers: { "webhook-signature": signature.replace("v1,", "v2,") }
    }),
    "a signature cut short": delivery({ headers: { "webhook-signature": signature.slice(0, -4) } }),
    "a signature that begins well": delivery({
      headers: { "webhook-signature": `${signature.slice(0, -3)}AA=` }
    }),
    "a signature of nothing": delivery({ headers: { "webhook-signature": "v1," } }),
    "a signature outside ASCII": delivery({ headers: { "webhook-signature": "v1,é" } }),
    ...Object.fromEntries(
      ["webhook-id", "webhook-timestamp", "webhook-signature"].flatMap((name) => [
        [`no ${name}`, delivery({ headers: { [name]: undefined } })],
        [`an empty ${name}`, delivery({ headers: { [name]: "" } })]
      ])
    )
  }

  return { genuine, forged }
}
