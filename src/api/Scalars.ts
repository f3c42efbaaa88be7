/** The small strings and numbers that several wire schemas share. */

import { Schema } from "effect"

export const Uuid = Schema.String.check(Schema.isUUID()).annotate({ format: "uuid" })

/** Whole number from 0 to 100; higher is worse. */
export const Score = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
  description: "Whole number from 0 to 100; higher is worse."
})

export const RequestId = Schema.String.check(Schema.isPattern(/^req_[0-9A-HJKMNP-TV-Z]{26}$/u)).annotate({
  description: "`req_` and a ULID; also in the svc-request-id header."
})

/** ISO 8601 in UTC with milliseconds. */
export const IsoMillis = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u)
).annotate({ format: "date-time", description: "ISO 8601 in UTC with milliseconds." })

/** SHA-256 in hex. */
export const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u)).annotate({
  description: "SHA-256 in hex."
})
