/** What `action-risk rules diff --json` and `action-risk policies diff --json` print. */

import { Schema } from "effect"
import { changeKinds, type Diff } from "../../rules/diff/Diff.ts"
import { witnessJson, witnessShape } from "./witness.ts"

export const diffShape = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  changes: Schema.Array(
    Schema.Struct({
      code: Schema.String.annotate({
        description:
          "A factor's code, a typology's name, a policy rule's id; ruleset.<path>, currencies.<code> or lexicon.<file> for the rest."
      }),
      kind: Schema.Literals(changeKinds).annotate({
        description:
          "stricter or looser where it only raises or only lowers what rules find, over everything that can be asked (of a lexicon, in the names that changed); moved where it does both; text where it does neither."
      }),
      file: Schema.String,
      summary: Schema.String.annotate({ description: "In plain words: high from 1,000 entities, was 500." }),
      details: Schema.Array(Schema.String),
      witness: Schema.optionalKey(witnessShape).annotate({
        description: "A request that shows it; absent for text, and where none was found."
      })
    })
  ).annotate({ description: "Ascending by code." })
})

export const diffJson = ({ changes, from, to }: Diff): typeof diffShape.Encoded => ({
  from,
  to,
  changes: changes.map(({ witness, ...change }) => ({
    ...change,
    ...(witness === undefined ? {} : { witness: witnessJson(witness) })
  }))
})
