/** Finds the verbs of a name: the head verb of each of its clauses, and the pure verbs, which count anywhere in the name. */

import type { Verb, Vocabulary } from "./Vocabulary.ts"
import { sequenceAt } from "./Vocabulary.ts"
import type { SplitName } from "../names/splitName.ts"

/** A verb and the range of words that spell it, `[at, end)`. */
export interface FoundVerb {
  readonly verb: Verb
  readonly at: number
  readonly end: number
}

/** The words between two conjunctions. */
export interface Clause {
  readonly words: Array<string>
  readonly parts: Array<number>
  head: FoundVerb | undefined
}

/** A pure verb, and the clause of the other words around it. */
export interface PureVerb {
  readonly verb: Verb
  readonly clause: number
  /** The only verb on its side of a conjunction. True for `delete` in `export_and_delete`, false for `delete` in `delete_export`. */
  readonly alone: boolean
}

export interface Verbs {
  readonly clauses: ReadonlyArray<Clause>
  readonly pure: ReadonlyArray<PureVerb>
}

const pureVerb = (word: string, { words }: Vocabulary): Verb | undefined => {
  const known = words.get(word)
  return known?.verb?.pure === true && known.form !== "past" ? known.verb : undefined
}

/** In words. Limits the look-ahead, so that long names stay cheap. */
const longestPhrase = 4
const longestNoun = 4

/**
 * The phrase that begins at a place. If the object of a verb phrase begins a longer noun, the phrase does not count: suppress | alert rule.
 * A phrase never spans two parts of a name.
 */
export const phraseAt = (
  { parts, words }: SplitName,
  at: number,
  to: number,
  vocabulary: Vocabulary
): FoundVerb | undefined => {
  const most = Math.min(to, at + longestPhrase + longestNoun)
  let end = at + 1
  while (end < most && parts[end] === parts[at]) end++
  const found = sequenceAt(vocabulary.phrases, words, at, end)
  if (found === undefined) return undefined
  const last = at + found.length - 1
  const longer =
    vocabulary.words.get(words[at] ?? "")?.verb === undefined
      ? undefined
      : sequenceAt(vocabulary.compounds, words, last, end)
  return longer !== undefined && last === at + 1 ? undefined : { verb: found.means, at, end: last + 1 }
}

/** The words of a clause without its head verb. */
export const restOf = ({ head, words }: Clause): ReadonlyArray<string> =>
  head === undefined ? words : words.toSpliced(head.at, head.end - head.at)

/** Next to a pure verb, a word that can be a noun counts as a noun: `delete_transfer` deletes. */
export const headIsNoun = ({ head }: Clause): boolean => head?.verb.noun !== undefined

/** The verb at a place, if it can head a name. A word that is also a noun qualifies only in its base form. */
const verbAt = ({ words }: SplitName, at: number, vocabulary: Vocabulary): FoundVerb | undefined => {
  const known = vocabulary.words.get(words[at] ?? "")
  if (known?.verb === undefined) return undefined
  const isVerb = known.form === "base" || (known.form === "third" && known.verb.noun === undefined)
  return isVerb ? { verb: known.verb, at, end: at + 1 } : undefined
}

const compoundLength = ({ words }: SplitName, at: number, to: number, { compounds }: Vocabulary): number =>
  sequenceAt(compounds, words, at, to)?.length ?? 1

/** The first phrase, or the first verb that cannot also be a noun. */
const firstPlainVerb = (
  name: SplitName,
  from: number,
  to: number,
  vocabulary: Vocabulary
): FoundVerb | undefined => {
  for (let at = from; at < to; at++) {
    const phrase = phraseAt(name, at, to, vocabulary)
    if (phrase !== undefined) return phrase
    const found = verbAt(name, at, vocabulary)
    if (found !== undefined && found.verb.noun === undefined) return found
  }
  return undefined
}

/** Whether the last words form a known thing after some other word: the bank details in `import_vendor_bank_details`. */
const endsInThing = (
  { words }: SplitName,
  from: number,
  to: number,
  { compounds, sets }: Vocabulary
): boolean => {
  for (let at = Math.max(from + 1, to - longestNoun); at < to - 1; at++) {
    const found = sequenceAt(compounds, words, at, to)
    if (found?.length === to - at && sets.things.has(found.means.name)) return true
  }
  return false
}

/** Whether the name only asks for the state of an act, which is a read: `transfer_status`. `at`: the index of the act. */
const isStateOf = (verb: Verb, name: SplitName, at: number, to: number, vocabulary: Vocabulary): boolean =>
  vocabulary.sets.states.has(name.words[to - 1] ?? "") &&
  vocabulary.sets.stateful.has(verb.name) &&
  !endsInThing(name, at, to, vocabulary)

/**
 * Chooses among words that can be verbs or nouns. The first one that is not mostly a noun and not inside a longer noun wins
 * (`repo_update_status`); otherwise the last word (`order_refund`), unless it names something to read (`sales_report`).
 */
const nounVerb = (
  name: SplitName,
  from: number,
  to: number,
  vocabulary: Vocabulary
): FoundVerb | undefined => {
  const last = name.words[to - 1] ?? ""
  let final: FoundVerb | undefined
  let at = from
  while (at < to) {
    const length = compoundLength(name, at, to, vocabulary)
    const found = length > 1 ? undefined : verbAt(name, at, vocabulary)
    at += length
    if (found === undefined || (at === to && vocabulary.sets.readings.has(last))) continue
    if (found.verb.noun !== "mostly" && !isStateOf(found.verb, name, found.at, to, vocabulary)) return found
    if (at === to) final = found
  }
  return final
}

/** The head verb of one part of a name, `[from, to)`. */
const headOfPart = (
  name: SplitName,
  from: number,
  to: number,
  vocabulary: Vocabulary
): FoundVerb | undefined => {
  const { sets } = vocabulary
  let first = from
  const isSkipped = (word: string): boolean => sets.stopWords.has(word) || sets.bulk.has(word)
  while (
    first < to - 1 &&
    isSkipped(name.words[first] ?? "") &&
    phraseAt(name, first, to, vocabulary) === undefined
  )
    first++
  const plain = firstPlainVerb(name, first, to, vocabulary)
  if (plain?.at === first) return plain
  const front = verbAt(name, first, vocabulary)
  const last = name.words[to - 1] ?? ""
  if (front === undefined) return plain ?? nounVerb(name, first, to, vocabulary)
  if (to - first === 1) return front.verb.noun === "mostly" && from === 0 ? undefined : front
  if (front.verb.noun !== "mostly")
    return isStateOf(front.verb, name, first, to, vocabulary) ? undefined : front
  // `order_cancel` has the verb last, but `email_customer` and `message_to_share` do not.
  let before = first + 1
  while (before < to && !sets.prepositions.has(name.words[before] ?? "")) before++
  if (plain !== undefined && plain.at < before) return plain
  const later = nounVerb(name, first + 1, before, vocabulary)
  if (later !== undefined && later.verb.noun !== "mostly") return later
  if (sets.readings.has(last) || compoundLength(name, first, to, vocabulary) > 1) return undefined
  return front
}

/** The verb part of a type whose name has no known verb. */
export const noVerb = "unknown"

export const endsUnknown = ({ parts, words }: SplitName): boolean =>
  words.at(-1) === noVerb && parts.at(-1) !== parts.at(-2)

/** The head verb of a name: the head of its last part that has one. */
export const findHead = (name: SplitName, vocabulary: Vocabulary): FoundVerb | undefined => {
  const { parts, words } = name
  let to = words.length
  if (endsUnknown(name)) return undefined
  while (to > 0) {
    let from = to - 1
    while (from > 0 && parts[from - 1] === parts[to - 1]) from--
    const head = headOfPart(name, from, to, vocabulary)
    if (head !== undefined) return head
    to = from
  }
  return undefined
}

const shifted = (head: FoundVerb | undefined, by: number): FoundVerb | undefined =>
  head === undefined ? undefined : { ...head, at: head.at + by, end: head.end + by }

/**
 * The clauses and the pure verbs. Pure verbs are removed from the clauses, and each is read separately with its clause. So an additional
 * pure verb adds a reading and changes no other, and a harmless verb cannot hide a riskier one.
 */
export const findVerbs = ({ parts, words }: SplitName, vocabulary: Vocabulary): Verbs => {
  const clauses: Array<Clause> = []
  const pure: Array<PureVerb> = []
  let side = { words: new Array<string>(), parts: new Array<number>(), pure: new Set<Verb>() }
  const close = (): void => {
    const head = findHead(side, vocabulary)
    const before = clauses.at(-1)
    // A side without a verb belongs to the side before it: `create_user_and_role`.
    if (before !== undefined && (head === undefined || before.head === undefined)) {
      before.head ??= shifted(head, before.words.length)
      before.words.push(...side.words)
      before.parts.push(...side.parts)
    } else clauses.push({ words: side.words, parts: side.parts, head })
    for (const verb of side.pure) pure.push({ verb, clause: clauses.length - 1, alone: head === undefined })
    side = { words: [], parts: [], pure: new Set() }
  }
  let sides = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    const verb = pureVerb(word, vocabulary)
    if (verb !== undefined) side.pure.add(verb)
    else if (vocabulary.sets.conjunctions.has(word)) {
      close()
      sides++
    } else {
      side.words.push(word)
      // Each side of a conjunction remains a separate part, even if two sides become one clause.
      side.parts.push((parts[at] ?? 0) + sides)
    }
  }
  close()
  return { clauses, pure }
}
