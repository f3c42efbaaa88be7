/** The words of the working files, as tests of the reading of names use them. */

import { Result } from "effect"
import { packageRoot, readRuleTree } from "../../src/rules/files/readTree.ts"
import { readLexiconData } from "../../src/rules/lexicon/readLexicon.ts"
import { prepareVocabulary, toVocabulary } from "../../src/rules/lexicon/prepareVocabulary.ts"
import type { VocabularyData } from "../../src/rules/files/wordFiles.ts"
import { type ImpactTable, readName } from "../../src/scoring/reading/readName.ts"
import { splitName } from "../../src/scoring/names/splitName.ts"

const words = Result.getOrThrow(
  Result.flatMap(readRuleTree(packageRoot), ({ lexicon }) => readLexiconData(lexicon))
)

export const wordsData: VocabularyData = words.vocabulary

export const vocabulary = toVocabulary(prepareVocabulary(wordsData))

export const impactTable: ImpactTable = words.impacts

export const { signals } = words

export const readByWords = (name: string) =>
  readName(splitName(name, vocabulary.isKnown), vocabulary, impactTable)
