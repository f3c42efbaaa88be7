/** The lexicon prepared for reading: what words mean, and what providers call their actions. */

import type { LexiconData } from "./LexiconData.ts"
import type { Natives } from "./lexicon/Natives.ts"
import { prepareNatives } from "./lexicon/prepareNatives.ts"
import { prepareVocabulary } from "./lexicon/prepareVocabulary.ts"
import type { Vocabulary } from "./lexicon/Vocabulary.ts"

export interface Lexicon {
  readonly vocabulary: Vocabulary
  readonly natives: Natives
}

export const prepareLexicon = (data: LexiconData): Lexicon => {
  const vocabulary = prepareVocabulary(data)
  return { vocabulary, natives: prepareNatives(data, vocabulary) }
}
