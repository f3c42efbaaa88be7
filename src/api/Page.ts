/** One page of a list, newest first: its query parameters, its schema and its body (contract 3.3). */

import { Schema } from "effect"
import { type Mode, modes } from "../domain/Caller.ts"
import { listLimitDefault, listLimitMax } from "../limits.ts"
import { RequestId } from "./Scalars.ts"

export const listOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({
    api_version: Schema.Literal("v1"),
    environment_mode: Schema.Literals(modes),
    data: Schema.Array(item),
    has_more: Schema.Boolean,
    next_cursor: Schema.NullOr(Schema.String.annotate({ format: "date-time" })).annotate({
      description: "Pass it as `cursor` for the next page; null on the last one."
    }),
    request_id: RequestId
  })

/** The body of one page. `nextCursor`: null on the last page. */
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

/** The query parameters of every list. `things`: the noun for the listed items, in the plural. */
export const pageParameters = (things: string) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: listLimitMax })).annotate({
      description: `How many ${things} a page holds; ${listLimitDefault} unless given.`
    })
  ),
  cursor: Schema.optionalKey(
    Schema.String.annotate({
      format: "date-time",
      description: `\`next_cursor\` of the page before, or any date-time: only older ${things} are listed.`
    })
  )
})
