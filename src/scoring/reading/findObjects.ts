/** Finds the objects of a name: its nouns, which of them the verb acts on, and how many. */

import { type ActExtent, extents, higher } from "./Act.ts"
import { looksPlural, type ObjectNoun, type ObjectKind, sequenceAt, type Vocabulary } from "./Vocabulary.ts"
import type { SplitName } from "../names/splitName.ts"

export interface Objects {
  /** The noun that the verb acts on: the last one before a preposition. */
  readonly head: ObjectNoun | undefined
  /** The nouns up to the first preposition that follows a noun. */
  readonly stretch: ReadonlyArray<ObjectNoun>
  /** All nouns. Two words that form one noun are found first. */
  readonly all: ReadonlyArray<ObjectNoun>
  /** The words after the first `to`, `into` or `as`. */
  readonly towards: ReadonlyArray<string>
  readonly plural: boolean
  readonly extent: ActExtent
  /** Every word is a noun, a quantity or a place. */
  readonly understood: boolean
}

/** Kinds that stay what they are when a name ends in a word for a test: `delete_payment_test`. */
const hidden: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "person",
  "money",
  "claim",
  "operational",
  "physical"
])

const extentOfWord = (word: string, { sets }: Vocabulary): ActExtent | undefined => {
  if (sets.everything.has(word)) return "everything"
  return sets.bulk.has(word) ? "bulk" : undefined
}

export const findObjects = (words: ReadonlyArray<string>, vocabulary: Vocabulary): Objects => {
  const { sets } = vocabulary
  const all: Array<ObjectNoun> = []
  const stretch: Array<ObjectNoun> = []
  let head: ObjectNoun | undefined
  let [plural, ended, understood] = [false, false, true]
  let extent: ActExtent = "single"
  let towards: ReadonlyArray<string> = []
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ""
    const compound = sequenceAt(vocabulary.compounds, words, at, words.length)
    const wide = compound === undefined ? extentOfWord(word, vocabulary) : undefined
    const end = at + (compound?.length ?? 1)
    const noun = compound?.means ?? vocabulary.words.get(word)?.noun
    if (wide !== undefined) extent = higher(extents, extent, wide)
    else if (compound === undefined && sets.prepositions.has(word)) {
      ended ||= head !== undefined
      if (towards.length === 0 && sets.directions.has(word)) towards = words.slice(end)
    } else if (noun !== undefined) {
      all.push(noun)
      if (!ended) {
        stretch.push(noun)
        const yields =
          head !== undefined && (noun.is === "test" ? hidden.has(head.is) : sets.generic.has(noun.name))
        if (!yields) head = noun
        plural = looksPlural(words[end - 1] ?? "", vocabulary)
      }
    } else if (!sets.stopWords.has(word)) {
      understood = false
      if (!ended) plural = looksPlural(word, vocabulary)
    }
    at = end
  }
  return { head, stretch, all, towards, plural, extent, understood }
}

/** Kinds that stay what they are in a test, even next to words that merely claim it is a test. */
const grave: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "container",
  "guard",
  "credential",
  "right",
  "danger"
])

/** Whether a word can head a name and is not a noun. If it heads one, the words on both sides of it form one noun. */
const isParting = (word: string, { words }: Vocabulary): boolean => {
  const known = words.get(word)
  return (
    known?.verb !== undefined &&
    known.verb.noun === undefined &&
    known.noun === undefined &&
    (known.form === "base" || known.form === "third")
  )
}

/**
 * A name without its test words, if it also names something grave or production: calling that a test is only a claim and lowers nothing.
 * Grave things are looked for without the pure verbs, so adding a pure verb changes nothing.
 */
export const withoutTestWords = (split: SplitName, vocabulary: Vocabulary): SplitName => {
  const { parts, words } = split
  const kindOf = (word: string): ObjectKind => vocabulary.words.get(word)?.noun?.is ?? "record"
  const isTest = (word: string): boolean => kindOf(word) === "test"
  if (!words.some(isTest)) return split
  const kept = words.flatMap((word, at) => (isTest(word) ? [] : [at]))
  const others = kept.map((at) => words[at] ?? "")
  const impure = others.filter((word) => vocabulary.words.get(word)?.verb?.pure !== true)
  const namesGrave = (named: ReadonlyArray<string>): boolean =>
    findObjects(named, vocabulary).all.some(({ is }) => grave.has(is))
  const isGrave =
    impure.some((word) => vocabulary.sets.production.has(word) || grave.has(kindOf(word))) ||
    namesGrave(impure) ||
    namesGrave(impure.filter((word) => !isParting(word, vocabulary)))
  return isGrave ? { words: others, parts: kept.map((at) => parts[at] ?? 0) } : split
}
