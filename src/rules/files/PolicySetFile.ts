/** `policies/<set>/policy.json`: whose rules these are, and which version of them. */

import { fileStruct } from "./fileStruct.ts"
import { SemVer, Sentence, Slug } from "./vocabulary.ts"

export const PolicySetFile = fileStruct({
  name: Slug,
  version: SemVer,
  owner: Sentence,
  description: Sentence
})
