/** Tells whether a text names production: a whole word such as `prod`, with or without a number, not after `pre`, `non`, `not`. */

import type { Lexicon } from "./Lexicon.ts"
import { isDigit } from "./normalize/characters.ts"
import { tokenize } from "./normalize/tokenize.ts"

/** `prod2` → `prod` */
const withoutNumber = (word: string): string => {
  let end = word.length
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end--
  return word.slice(0, end)
}

export const namesProduction = (text: string, { vocabulary }: Lexicon): boolean => {
  const { words } = tokenize(text, vocabulary)
  return words.some(
    (word, at) =>
      vocabulary.words.get(withoutNumber(word))?.production === true &&
      vocabulary.words.get(words[at - 1] ?? "")?.negates !== true
  )
}
