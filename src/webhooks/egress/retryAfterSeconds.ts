/** What a `retry-after` header asks for (RFC 9110 10.2.3). */

import { webhookRetryAfterSecondsMax } from "../../Limits.ts"

/** The preferred form of an HTTP date; nobody sends the two obsolete ones. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Whole seconds from `nowMs`, never more than a limit; null for what asks for nothing that can be understood. */
export const retryAfterSeconds = (header: string | undefined, nowMs: number): number | null => {
  const text = header?.trim() ?? ""
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : httpDate.test(text)
      ? Math.ceil((Date.parse(text) - nowMs) / 1_000)
      : Number.NaN
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), webhookRetryAfterSecondsMax)
}
