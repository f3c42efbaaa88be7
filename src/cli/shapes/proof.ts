/** What `action-risk rules prove-not-lower --json` and `action-risk policies prove-not-lower --json` print. */

import { Schema } from "effect"
import type { Proof } from "../../rules/proof/Proof.ts"
import { witnessJson, witnessShape } from "./witness.ts"

export const proofShape = Schema.Struct({
  holds: Schema.Boolean.annotate({
    description:
      "Whether no request scores lower under the second. Also false where that could not be decided; then there is no witness, and `covers` says so."
  }),
  covers: Schema.String.annotate({ description: "What was proven, and what was not, in plain words." }),
  witness: Schema.optionalKey(witnessShape).annotate({
    description: "A request that scores lower under the second; confirmed by scoring it under both."
  }),
  sampled: Schema.optionalKey(Schema.Struct({ requests: Schema.Int, seed: Schema.Int })).annotate({
    description: "How many requests were scored besides, where the two read words differently."
  })
})

export const proofJson = ({ witness, ...proof }: Proof): typeof proofShape.Encoded => ({
  ...proof,
  ...(witness === undefined ? {} : { witness: witnessJson(witness) })
})
