/** `rules/releases/<version>.json`: a whole rule release as one canonical document. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { Digest, Instant, SemVer } from "./vocabulary.ts"

/** The parts are the working files as they stood, without their `$schema` line. */
export const ReleaseFile = fileStruct({
  version: SemVer,
  releasedAt: Instant,
  /** SHA-256, hex, over the canonical form of everything else. */
  digest: Digest,
  ruleset: Schema.Unknown,
  currencies: Schema.Unknown,
  /** By file name. */
  lexicon: Schema.Record(Schema.String, Schema.Unknown),
  factors: Schema.Array(Schema.Unknown),
  typologies: Schema.Array(Schema.Unknown)
})
