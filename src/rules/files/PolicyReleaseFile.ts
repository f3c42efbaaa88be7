/** `policies/releases/<set>@<version>.json`: a whole policy set as one canonical document. */

import { Schema } from "effect"
import { fileStruct } from "./fileStruct.ts"
import { Digest, Instant, SemVer, Slug } from "./vocabulary.ts"

export const PolicyReleaseFile = fileStruct({
  name: Slug,
  version: SemVer,
  releasedAt: Instant,
  /** SHA-256, hex, over the canonical form of everything else. */
  digest: Digest,
  policy: Schema.Unknown,
  rules: Schema.Array(Schema.Unknown)
})
