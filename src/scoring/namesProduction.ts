/** Tells whether a text names production: a whole word such as `prod`, with or without a number, not after `pre`, `non`, `not`, `no`. */

import type { Lexicon } from "./Lexicon.ts"
import { isDigit } from "./normalize/characters.ts"
import { tokenize } from "./normalize/tokenize.ts"

/** `prod2` → `prod` */
const withoutNumber = (word: string): string => {
  let end = word.length
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end--
  return word.slice(0, end)
}

/** Where `PRODdb` may part: the hump that camelCase has before the `D` would hide the word. */
const acronymEnd = /(?<=[A-Z]{3})(?=[a-z])/g

const hasProductionWord = (text: string, { vocabulary }: Lexicon): boolean => {
  const { words } = tokenize(text, vocabulary)
  return words.some(
    (word, at) =>
      vocabulary.words.get(withoutNumber(word))?.production === true &&
      vocabulary.words.get(words[at - 1] ?? "")?.negates !== true
  )
}

export const namesProduction = (text: string, lexicon: Lexicon): boolean => {
  if (hasProductionWord(text, lexicon)) return true
  const parted = text.replace(acronymEnd, " ")
  return parted !== text && hasProductionWord(parted, lexicon)
}
