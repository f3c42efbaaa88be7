/** What the JSON of `show` says of every rule, whoever's it is. */

import { Schema } from "effect"

export const whenFields = {
  name: Schema.String,
  when: Schema.String.annotate({ description: "The condition in plain English." }),
  conditions: Schema.Json.annotate({ description: "The condition as the file spells it." })
}

export const ruleCasesShape = Schema.NullOr(
  Schema.Struct({
    file: Schema.String,
    total: Schema.Int,
    expecting: Schema.Record(Schema.String, Schema.Int).annotate({
      description: "How many expect each outcome."
    })
  })
).annotate({ description: "The working cases beside it; null where there are none." })
