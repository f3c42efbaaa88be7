/** Tells by the words whether an action touches one thing or many; unsaid is never one. */

import { readRank } from "../lexicon/classRank.ts"
import { looksPlural } from "../lexicon/plural.ts"
import type { Verb, Vocabulary } from "../lexicon/Vocabulary.ts"
import type { Extent } from "../../domain/ActionType.ts"
import { apart, type WordList } from "./WordList.ts"

/** Whether the word at `at` says "many" by itself, wherever it stands. */
export const saysBulk = (object: WordList, at: number): boolean => {
  const word = object.known[at]
  if (word === undefined) return false
  return word.bulk || (word.verb?.extent === "bulk" && object.covered[at] !== true)
}

export const isPlural = (object: WordList, at: number): boolean =>
  object.known[at]?.plural ?? looksPlural(object.words[at] ?? "")

export const extentOf = (
  object: WordList,
  verb: Verb | undefined,
  rank: number,
  vocabulary: Vocabulary
): Extent => {
  if (verb?.extent === "bulk" || object.words.some((_, at) => saysBulk(object, at))) return "bulk"
  // A provider alone names no object: `github.delete`.
  const named = object.words.some((word, at) => word !== apart && object.known[at]?.prefix !== true)
  if (object.words.some((_, at) => isPlural(object, at))) {
    return rank === readRank && verb?.extent !== "scan" ? "open" : "bulk"
  }
  if (verb === undefined) return "open"
  if (verb.extent === "scan") return named ? "open" : "bulk"
  const single = verb.extent === "single" || (verb.extent === "named" && named)
  return single && !vocabulary.neverSingle.has(rank) ? "single" : "open"
}
