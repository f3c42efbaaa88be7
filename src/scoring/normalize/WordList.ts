/** The words of a name with what is known of each: neighbours that are one word joined, words that say nothing left out. */

import type { Vocabulary, Word } from "../lexicon/Vocabulary.ts"
import type { Words } from "./tokenize.ts"

export interface WordList {
  readonly words: ReadonlyArray<string>
  readonly known: ReadonlyArray<Word | undefined>
  /** Words that are nouns here although they could be verbs: `post` in `blog post`. */
  readonly covered: ReadonlyArray<boolean>
  /** The last word stands alone in the last part of the name, as in `charge.refund`. */
  readonly lastAlone: boolean
  /** A conjunction stood between the words, so that each of their verbs is something done. */
  readonly conjoined: boolean
}

/**
 * Structural words of a canonical type; dropped wherever they stand, so that a canonical type reads as itself.
 * `other` is the object where none is named.
 */
export const noObject = "other"
export const noVerb = "unclassified"

/** Stands before an object to keep a type apart from a known one; it names nothing. */
export const apart = "some"

/** The word at `at`, or the one that it forms with its neighbour. */
const joinedWord = ({ segments, words }: Words, at: number, word: Word | undefined): string | undefined =>
  word?.joins === undefined || segments[at] !== segments[at + 1]
    ? undefined
    : word.joins.get(words[at + 1] ?? "")

export const makeWordList = (name: Words, vocabulary: Vocabulary): WordList => {
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
    // In `read_and_share_link` sharing is done; only without `and` it could be a share link that is read.
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
