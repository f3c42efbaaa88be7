/** What `evidence replay --json` prints. */

import { Schema } from "effect"
import { modes } from "../../../domain/Mode.ts"

const Difference = Schema.Struct({
  path: Schema.String.annotate({ description: "Of the answer, like `action_risk.score`." }),
  stored: Schema.NullOr(Schema.String).annotate({ description: "As JSON; null where it is not there." }),
  again: Schema.NullOr(Schema.String).annotate({ description: "The same, computed now." })
})

const Replayed = Schema.Struct({
  assessment_id: Schema.String,
  problem: Schema.NullOr(Schema.String).annotate({ description: "Why it could not be computed again." }),
  differences: Schema.Array(Difference)
})

export const evidenceReplayShape = Schema.Struct({
  ok: Schema.Boolean,
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  replayed: Schema.Int.annotate({ description: "Assessments that were looked at." }),
  equal: Schema.Int.annotate({
    description: "Those whose answer came out byte for byte, ids and times aside."
  }),
  different: Schema.Int,
  impossible: Schema.Int.annotate({ description: "Those that could not be computed again." }),
  erased: Schema.Int.annotate({ description: "Erased ones, with `--all`: nothing is left to compute from." }),
  first: Schema.Array(Replayed).annotate({ description: "The first 20 that did not come out equal." })
})
