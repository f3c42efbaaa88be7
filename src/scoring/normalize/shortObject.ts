/** The object of a name that is too long to print: the words that decided stay, a hash stands for all of them. */

import type { FoundVerb } from "./findVerbs.ts"
import { isPlural, saysBulk } from "./extentOf.ts"
import { opaqueWord } from "./opaqueWord.ts"
import type { WordList } from "./WordList.ts"

const standInForMany = "things"

/** Words that the class hangs on: one noun that raised it, or the other words of a phrase. */
const deciding = (object: WordList, { raisedByVerb, rank, verb }: FoundVerb): ReadonlyArray<string> => {
  if (rank === verb.rank) return []
  const noun = object.words.find((_, at) => {
    const word = object.known[at]
    if (word?.raisesTo === rank) return true
    return raisedByVerb && object.covered[at] !== true && word?.verb?.noun === true && word.verb.rank === rank
  })
  const others = verb.phrases
    .filter((phrase) => phrase.rank === rank)
    .map((phrase) => phrase.others.map((spellings) => spellings.find((one) => object.words.includes(one))))
    .find((found) => found.every((one) => one !== undefined))
  return [noun, ...(others ?? [])].filter((one) => one !== undefined)
}

export const shortObject = (object: WordList, chosen: FoundVerb | undefined): string => {
  const bulk = object.words.find((_, at) => saysBulk(object, at))
  const many = object.words.some((_, at) => isPlural(object, at))
  // A set: a word may decide more than one thing. The hash parts the first word from the others, so that they form no compound.
  return [
    ...new Set([
      ...(bulk === undefined ? [] : [bulk]),
      opaqueWord(object.words.join("_")),
      ...(chosen === undefined ? [] : deciding(object, chosen)),
      ...(many ? [standInForMany] : [])
    ])
  ].join("_")
}
