/** Parts shared by several wire schemas: small strings and numbers, the first fields of answers, and pages of lists (contract 3.3). */

import { Schema, SchemaTransformation } from "effect"
import { type Mode, modes } from "../domain/Caller.ts"
import { listLimitDefault, listLimitMax } from "../limits.ts"

export const Uuid = Schema.String.check(Schema.isUUID()).annotate({ format: "uuid" })

/** An integer from 0 to 100; higher is worse. */
export const Score = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
  description: "Whole number from 0 to 100; higher is worse."
})

/** A whole number of things, at least 0. A plain integer in JSON Schema may be negative. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A duration or a multiple: finite and not negative. */
export const NonNegative = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

export const RequestId = Schema.String.check(Schema.isPattern(/^req_[0-9A-HJKMNP-TV-Z]{26}$/u)).annotate({
  description: "`req_` and a ULID; also in the svc-request-id header."
})

/** ISO 8601 in UTC with milliseconds. */
export const IsoMillis = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u)
).annotate({ format: "date-time", description: "ISO 8601 in UTC with milliseconds." })

/** The same, decoded to a `Date`. */
export const IsoMillisDate = IsoMillis.pipe(Schema.decodeTo(Schema.Date, SchemaTransformation.dateFromString))

/** Hex SHA-256. */
export const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u)).annotate({
  description: "SHA-256 in hex."
})

/** The first fields of every authenticated answer and of the data in a webhook. */
export const answerHead = { api_version: Schema.Literal("v1"), environment_mode: Schema.Literals(modes) }

/** One page of a list, newest first (contract 3.3). */
export const listOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({
    ...answerHead,
    data: Schema.Array(item),
    has_more: Schema.Boolean,
    next_cursor: Schema.NullOr(Schema.String.annotate({ format: "date-time" })).annotate({
      description:
        "Pass it as `cursor` for the next page, with all its digits: one that is cut to milliseconds repeats rows. Null on the last page."
    }),
    request_id: RequestId
  })

/** The body of one page. `nextCursor` is null on the last page. */
export const listBody = <Item>(
  mode: Mode,
  data: ReadonlyArray<Item>,
  nextCursor: string | null,
  requestId: string
) => ({
  api_version: "v1" as const,
  environment_mode: mode,
  data,
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
  request_id: requestId
})

/** The query parameters of every list. `things`: the plural noun for the listed items. */
export const pageParameters = (things: string) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: listLimitMax })).annotate({
      description: `How many ${things} a page holds; ${listLimitDefault} unless given.`
    })
  ),
  cursor: Schema.optionalKey(
    Schema.String.annotate({
      format: "date-time",
      description: `\`next_cursor\` of the page before, or any date-time: only older ${things} are listed. One with fewer digits stands for the end of the second or millisecond that it names.`
    })
  )
})
