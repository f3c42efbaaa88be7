/** A checkpoint as `evidence checkpoint` writes it and `evidence verify --checkpoint` reads it. */

import { Schema } from "effect"
import { modes } from "../../../domain/Mode.ts"

const matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

export const evidenceCheckpointShape = Schema.Struct({
  organization_id: matching(/^[0-9a-f-]{36}$/),
  mode: Schema.Literals(modes),
  sequence: Schema.Int.check(Schema.isGreaterThan(0)).annotate({
    description: "How many entries the chain had."
  }),
  entry_digest: matching(/^[0-9a-f]{64}$/).annotate({ description: "Of the last of them." }),
  at: matching(/^[0-9TZ:.-]{20,30}$/).annotate({ description: "When it was signed." }),
  public_key: Schema.String.annotate({
    description: "Ed25519, SubjectPublicKeyInfo in base64: what stands between the lines of a PEM file."
  }),
  signature: Schema.String.annotate({
    description:
      "Ed25519, base64: of the members `at`, `entry_digest`, `mode`, `organization_id` and `sequence` as RFC 8785 JSON."
  })
})
