/** Verifies a delivery with the package `standardwebhooks`. To copy into your receiver. */

import { Webhook } from "standardwebhooks"

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/**
 * The event, where the delivery was signed with `secret` within the last five minutes; else it throws.
 *
 * `headers` are those of node:http. `body` is what arrived, byte for byte.
 */
export const verifyWithLibrary = (secret: string, headers: Headers, body: Uint8Array): unknown =>
  new Webhook(secret).verify(Buffer.from(body), {
    "webhook-id": String(headers["webhook-id"] ?? ""),
    "webhook-timestamp": String(headers["webhook-timestamp"] ?? ""),
    "webhook-signature": String(headers["webhook-signature"] ?? "")
  })
