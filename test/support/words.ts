/** The words of the working tree, as tests of the reading of names use them. */

import { readFileSync } from "node:fs"
import { type ImpactTable, readName } from "../../src/scoring/reading/readName.ts"
import { splitName } from "../../src/scoring/reading/splitName.ts"
import { prepareVocabulary, type VocabularyData } from "../../src/scoring/reading/Vocabulary.ts"

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../rules/next/lexicon/words/${file}.json`, import.meta.url), "utf8"))

export const wordsData: VocabularyData = { ...read("verbs"), ...read("objects"), words: read("words") }

export const vocabulary = prepareVocabulary(wordsData)

export const impactTable: ImpactTable = read("impacts")

export const readByWords = (name: string) =>
  readName(splitName(name, vocabulary.isKnown), vocabulary, impactTable)
