/** Verifies a delivery with node:crypto alone. To copy into your receiver; needs Node 20 or newer. */

import { createHmac, timingSafeEqual } from "node:crypto"

/** How far a delivery's clock and yours may be apart; an older delivery may be a replay by an attacker. */
const toleranceSeconds = 5 * 60

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/**
 * The event, where the delivery was signed with `secret` within the last five minutes; else it throws.
 *
 * `headers` are those of node:http, in lower case. `body` is what arrived, byte for byte: JSON that was parsed and printed
 * again is another text.
 */
export const verify = (secret: string, headers: Headers, body: Uint8Array): unknown => {
  const id = one(headers, "webhook-id")
  const timestamp = one(headers, "webhook-timestamp")
  const signatures = one(headers, "webhook-signature")
  if (!/^[0-9]{1,15}$/.test(timestamp)) throw new Error("webhook-timestamp is no number of seconds")
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new Error("webhook-timestamp is more than five minutes away")

  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  if (key.length === 0) throw new Error("the secret is empty")
  const signed = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")
  const expected = Buffer.from(`v1,${signed}`)
  // Two while a secret is rotated, with a space between them: one that fits is enough.
  const fits = signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!fits) throw new Error("no signature fits")
  return JSON.parse(Buffer.from(body).toString("utf8"))
}

const one = (headers: Headers, name: string): string => {
  const value = headers[name]
  if (typeof value !== "string" || value === "") throw new Error(`${name} is missing`)
  return value
}
