/** The headers that every response of the process carries (contract 3), with those of its answer. */

import { assessPath } from "../api/Actions.ts"
import type { Answer } from "./Answer.ts"
import type { Exchange } from "./Exchange.ts"

export const responseHeaders = (exchange: Exchange, answer: Answer): Record<string, string> => {
  const headers: Record<string, string> = {
    "svc-request-id": exchange.id,
    "svc-api-version": "v1",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "svc-ratelimit-limit": String(exchange.window?.limit ?? 0),
    "svc-ratelimit-remaining": String(exchange.window?.remaining ?? 0),
    "svc-ratelimit-reset": String(exchange.window?.resetSeconds ?? 0)
  }
  // Bytes that were no request may have been meant for the assess path: they got no opinion either.
  if (exchange.path === assessPath || exchange.path === null) headers["svc-risk-opinion"] = "none"
  Object.assign(headers, answer.headers)
  if (answer.body !== null) headers["content-length"] = String(Buffer.byteLength(answer.body))
  return headers
}
