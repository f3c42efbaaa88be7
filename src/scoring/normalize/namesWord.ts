/** Tells whether any word of a text is of a kind, also where two neighbours are one word. */

import type { Vocabulary, Word } from "../lexicon/Vocabulary.ts"
import type { Words } from "./tokenize.ts"

export const namesWord = (
  { words }: Pick<Words, "words">,
  kind: "admin" | "dataStore",
  vocabulary: Vocabulary
): boolean =>
  words.some((name, at) => {
    const word: Word | undefined = vocabulary.words.get(name)
    if (word === undefined) return false
    const joined = word.joins?.get(words[at + 1] ?? "")
    return word[kind] || (joined !== undefined && vocabulary.words.get(joined)?.[kind] === true)
  })
