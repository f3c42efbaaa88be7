/** The query parameters that every list takes (contract 3.3). */

import { Schema } from "effect"
import { listLimitDefault, listLimitMax } from "../Limits.ts"

/** `things`: what is listed, in the plural. */
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
