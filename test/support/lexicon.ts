/** The lexicon of the working tree, as tests of the pure score use it. */

import { Result } from "effect"
import { packageRoot } from "../../src/rules/packageRoot.ts"
import { readLexicon } from "../../src/rules/readLexicon.ts"
import { readRuleTree } from "../../src/rules/readTree.ts"
import { prepareLexicon } from "../../src/scoring/Lexicon.ts"

export const lexiconData = Result.getOrThrow(
  Result.flatMap(readRuleTree(packageRoot), (files) => readLexicon(files.lexicon))
)

export const lexicon = prepareLexicon(lexiconData)
