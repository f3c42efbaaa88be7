/** Finds the verbs of a name and how risky each is among its neighbours. */

import { isRaisable, noRank } from "../lexicon/classRank.ts"
import type { Phrase, Verb } from "../lexicon/Vocabulary.ts"
import type { WordList } from "./WordList.ts"

export interface FoundVerb {
  readonly at: number
  readonly verb: Verb
  /** Of the verb here: its own, or the riskier one that a phrase or its object gives it. */
  readonly rank: number
  /** Only a noun that could itself be a verb gave the rank: `create` in `create_refund`. */
  readonly raisedByVerb: boolean
}

const riskiestRaising = (list: WordList): number => {
  let rank = noRank
  for (const word of list.known) if (word !== undefined && word.raisesTo < rank) rank = word.raisesTo
  return rank
}

export const holds = (phrase: Phrase, list: WordList): boolean =>
  phrase.others.every((spellings) => spellings.some((spelling) => list.words.includes(spelling)))

const ownRank = (verb: Verb, list: WordList, raising: number): number => {
  let rank = isRaisable(verb.rank) ? Math.min(verb.rank, raising) : verb.rank
  for (const phrase of verb.phrases) {
    if (phrase.rank < rank && holds(phrase, list)) rank = phrase.rank
  }
  return rank
}

/** The riskiest of the verbs that are nouns as well; it gives its class to a verb that has it for its object. */
const riskiestNoun = (found: ReadonlyArray<FoundVerb>): number => {
  let rank = noRank
  for (const one of found) if (one.verb.noun && one.rank < rank) rank = one.rank
  return rank
}

/** In reading order. Where every verb could be a noun by its neighbours, all of them are verbs. */
export const findVerbs = (list: WordList, raiseByVerbs: boolean): ReadonlyArray<FoundVerb> => {
  const raising = riskiestRaising(list)
  const uncovered: Array<FoundVerb> = []
  const all: Array<FoundVerb> = []
  /** Each verb's phrases are tried once, however often the verb is repeated. */
  const ranks = new Map<Verb, number>()
  for (let at = 0; at < list.words.length; at++) {
    const verb = list.known[at]?.verb
    if (verb === undefined) continue
    const rank = ranks.get(verb) ?? ownRank(verb, list, raising)
    ranks.set(verb, rank)
    const found = { at, verb, rank, raisedByVerb: false }
    all.push(found)
    if (list.covered[at] !== true) uncovered.push(found)
  }
  const found = uncovered.length > 0 ? uncovered : all
  if (!raiseByVerbs || found.length < 2) return found

  const nounRank = riskiestNoun(found)
  return found.map((one) =>
    isStrong(one.verb) && isRaisable(one.verb.rank) && nounRank < one.rank
      ? { at: one.at, verb: one.verb, rank: nounRank, raisedByVerb: true }
      : one
  )
}

/** A verb that is no noun and says nothing of number: beside a riskier one it adds nothing to the name. */
export const isStrong = (verb: Verb): boolean => !verb.noun && verb.extent !== "bulk"

/** The riskiest; among equals one that is no noun, then one that ends the name by itself, then the first. */
export const chooseVerb = (found: ReadonlyArray<FoundVerb>, list: WordList): FoundVerb | undefined => {
  const last = list.lastAlone ? list.words.length - 1 : -1
  let best: FoundVerb | undefined
  for (const one of found) {
    if (best === undefined || one.rank < best.rank) {
      best = one
      continue
    }
    if (one.rank > best.rank) continue
    if (best.verb.noun !== one.verb.noun ? best.verb.noun : one.at === last) best = one
  }
  return best
}
