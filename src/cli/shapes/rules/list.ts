/** What `action-risk rules list --json` prints. */

import { Schema } from "effect"
import { factorCategories, severities } from "../../../domain/RiskFactor.ts"
import { Lifecycle } from "../../../rules/files/vocabulary.ts"

const File = Schema.String.annotate({ description: "Where it stands; of a release, the release's file." })

export const rulesListShape = Schema.Struct({
  version: Schema.String.annotate({ description: "The release, or draft." }),
  factors: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      category: Schema.Literals(factorCategories),
      lifecycle: Lifecycle,
      severities: Schema.Array(Schema.Literals(severities)).annotate({
        description: "What its rules can raise it to, weakest first."
      }),
      hazards_bp: Schema.Array(Schema.Int).annotate({
        description: "What its rules add to the hazard, in basis points, each once, ascending."
      }),
      why: Schema.String,
      file: File
    })
  ),
  typologies: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      title: Schema.String,
      lifecycle: Lifecycle,
      floor: Schema.Int.annotate({ description: "No score stays below it where the typology matches." }),
      why: Schema.String,
      file: File
    })
  )
})
