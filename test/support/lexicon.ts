/** The lexicon of the working tree, as tests of the pure score use it. */

import { Result } from "effect"
import { readLexicon } from "../../src/rules/files/lexiconFiles.ts"
import { packageRoot, readRuleTree } from "../../src/rules/files/readTree.ts"
import { prepareLexicon } from "../../src/scoring/edition1/lexicon/Lexicon.ts"

export const lexiconData = Result.getOrThrow(
  Result.flatMap(readRuleTree(packageRoot), (files) => readLexicon(files.lexicon))
)

export const lexicon = prepareLexicon(lexiconData)
