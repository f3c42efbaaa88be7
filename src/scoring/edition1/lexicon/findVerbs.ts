/** Finds the verbs of a name, and the class that each has among the other words. */

import {
  classRank,
  isRaisable,
  noRank,
  type Phrase,
  type Verb,
  type Vocabulary,
  type Word
} from "./Vocabulary.ts"
import type { NameWords } from "./tokenize.ts"

export interface FoundVerb {
  readonly at: number
  readonly verb: Verb
  /** The rank of the verb in this name: its own, or a riskier one from a phrase or its object. */
  readonly rank: number
  /** Only a noun that can be a verb itself gave the rank: `create` in `create_refund`. */
  readonly raisedByVerb: boolean
}

const riskiestRaising = (list: WordList): number => {
  let rank = noRank
  for (const word of list.known) if (word !== undefined && word.raisesTo < rank) rank = word.raisesTo
  return rank
}

const phraseHolds = (phrase: Phrase, list: WordList): boolean =>
  phrase.others.every((spellings) => spellings.some((spelling) => list.words.includes(spelling)))

const ownRank = (verb: Verb, list: WordList, raising: number): number => {
  let rank = isRaisable(verb.rank) ? Math.min(verb.rank, raising) : verb.rank
  for (const phrase of verb.phrases) {
    if (phrase.rank < rank && phraseHolds(phrase, list)) rank = phrase.rank
  }
  return rank
}

/** The rank of the riskiest verb that is also a noun. It raises a verb that has it as object. */
const riskiestNoun = (found: ReadonlyArray<FoundVerb>): number => {
  let rank = noRank
  for (const one of found) if (one.verb.noun && one.rank < rank) rank = one.rank
  return rank
}

/** In reading order. A verb in a compound counts as a noun, unless all verbs are in compounds. */
export const findVerbs = (list: WordList, raiseByVerbs: boolean): ReadonlyArray<FoundVerb> => {
  const raising = riskiestRaising(list)
  const uncovered: Array<FoundVerb> = []
  const all: Array<FoundVerb> = []
  /** The rank of each verb found so far. A verb that the name repeats is not ranked again. */
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

/** A verb that is not a noun and does not mean many. Beside a riskier verb it adds nothing to the name. */
export const isStrong = (verb: Verb): boolean => !verb.noun && verb.extent !== "bulk"

/** The riskiest verb. Of equal ones, one that is not a noun; then one that is alone in the last part of the name; then the first. */
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

/** The words of a name with their meanings. Neighbours that are one word are joined, and words without meaning are left out. */
export interface WordList {
  readonly words: ReadonlyArray<string>
  readonly known: ReadonlyArray<Word | undefined>
  /** Whether a word that can be a verb is a noun here: `post` in `blog post`. */
  readonly covered: ReadonlyArray<boolean>
  /** The last word is alone in the last part of the name, as in `charge.refund`. */
  readonly lastAlone: boolean
  /** The name has a conjunction, so that each of its verbs is an action. */
  readonly conjoined: boolean
}

/**
 * A canonical type has these words in place of an object or a verb that the name lacks. The reader skips them in every name,
 * so that a canonical type reads as itself.
 */
export const noObject = "other"
export const noVerb = "unclassified"

/** Precedes an object to distinguish a type from a known one. It names nothing. */
export const disambiguator = "some"

/** The word at `at`, or the one that it forms with its neighbour. */
const joinedWord = ({ segments, words }: NameWords, at: number, word: Word | undefined): string | undefined =>
  word?.joins === undefined || segments[at] !== segments[at + 1]
    ? undefined
    : word.joins.get(words[at + 1] ?? "")

export const makeWordList = (name: NameWords, vocabulary: Vocabulary): WordList => {
  const words: Array<string> = []
  const known: Array<Word | undefined> = []
  const covered: Array<boolean> = []
  let segment = -1
  let lastAlone = false
  let afterConjunction = false
  let previousOpens = false
  let conjoined = false
  for (let at = 0; at < name.words.length; at++) {
    let word = name.words[at] ?? ""
    let meaning = vocabulary.words.get(word)
    const joined = joinedWord(name, at, meaning)
    if (joined !== undefined) {
      word = joined
      meaning = vocabulary.words.get(joined)
      at++
    }
    if (meaning?.conjunction === true) {
      afterConjunction = true
      conjoined = true
      continue
    }
    if (word === noObject || word === noVerb || meaning?.stop === true) continue
    const previous = words.length - 1
    const samePart = name.segments[at] === segment
    // `read_and_share_link` shares a link. Without `and` it would read a share link.
    const close = samePart && !afterConjunction && !previousOpens
    const compound = close && known[previous]?.compounds?.has(word) === true
    if (compound) covered[previous] = true
    words.push(word)
    known.push(meaning)
    covered.push(compound)
    segment = name.segments[at] ?? 0
    lastAlone = !samePart
    previousOpens = afterConjunction
    afterConjunction = false
  }
  return { words, known, covered, lastAlone, conjoined }
}

const exportRank = classRank("export")
const executeRank = classRank("execute")

/** A noun such as `export` is an action only if the name has a conjunction or runs it: `run_export` exports, `delete_export` does not. */
const isDone = ({ verb }: FoundVerb, chosen: FoundVerb, list: WordList): boolean =>
  !verb.noun || list.conjoined || chosen.rank === executeRank

/** The set tries the phrases of a repeated verb once. */
const saidByPhrase = (found: ReadonlyArray<FoundVerb>, list: WordList): boolean =>
  [...new Set(found.map(({ verb }) => verb))].some(({ phrases }) =>
    phrases.some((phrase) => phrase.rank === exportRank && phraseHolds(phrase, list))
  )

/** Whether data leaves by a verb that a riskier one hides: `export_and_delete` has the class delete, and it also exports. */
export const alsoExports = (
  found: ReadonlyArray<FoundVerb>,
  chosen: FoundVerb | undefined,
  list: WordList
): boolean =>
  chosen !== undefined &&
  chosen.rank < exportRank &&
  (found.some((one) => one !== chosen && one.verb.rank === exportRank && isDone(one, chosen, list)) ||
    saidByPhrase(found, list))
