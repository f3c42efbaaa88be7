/** The header that makes sending a request again harmless. */

import { Schema } from "effect"

/** `promise`: what the same key and body give, a sentence. */
export const idempotencyKeyHeader = (promise: string) => ({
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,200}$/u)).annotate({
      description: `Unique per logical request, 1 to 200 visible ASCII characters. ${promise}`
    })
  )
})
