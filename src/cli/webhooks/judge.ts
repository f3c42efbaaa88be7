/** Whether a delivery was signed with a secret, by the same public package that a receiver would use. */

import { Redacted } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { Webhook } from "standardwebhooks"

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"]

/** Null where it was, within the last five minutes; else why not. */
export const judge = (
  secret: Redacted.Redacted | null,
  headers: IncomingHttpHeaders,
  body: Buffer
): string | null => {
  if (secret === null) return "no secret to verify with"
  const given = headerNames.map((name) => [name, String(headers[name] ?? "")])
  const missing = given.find(([, value]) => value === "")
  if (missing !== undefined) return `the header ${missing[0]} is missing`
  try {
    new Webhook(Redacted.value(secret)).verify(body, Object.fromEntries(given), { jsonParse: false })
    return null
  } catch (cause) {
    return cause instanceof Error ? cause.message.toLowerCase() : "it cannot be verified"
  }
}
