/** The vocabulary: everything known of single words, prepared so that reading a name costs one look-up per word. */

import {
  type Edition1Class,
  edition1Classes,
  type SafeguardRank,
  safeguardRanks
} from "../NormalizedAction.ts"
import type { LexiconData, VerbEntry, VerbExtent, WordsData } from "./LexiconData.ts"

export interface Phrase {
  /** The name must contain one spelling of each of these, anywhere. */
  readonly others: ReadonlyArray<ReadonlyArray<string>>
  readonly rank: number
}

export interface Verb {
  /** The canonical spelling. */
  readonly name: string
  /** Index into `edition1Classes`: smaller is riskier. */
  readonly rank: number
  readonly extent: VerbExtent
  /** Also a common noun. */
  readonly noun: boolean
  readonly credential: VerbEntry["credential"]
  readonly weakens: boolean
  readonly phrases: ReadonlyArray<Phrase>
}

export interface Word {
  readonly verb: Verb | undefined
  readonly bulk: boolean
  /** Undefined: read from its spelling. */
  readonly plural: boolean | undefined
  /** The rank that this noun gives to write and configure verbs; `noRank` if it gives none. */
  readonly raisesTo: number
  /** Left out, as `conjunction` words are. */
  readonly stop: boolean
  readonly conjunction: boolean
  /** Says how a provider is called, and precedes it. */
  readonly wrapper: boolean
  /** A provider or wrapper without another meaning: left out at the start of an object. */
  readonly prefix: boolean
  readonly dataStore: boolean
  readonly admin: boolean
  readonly credential: boolean
  readonly weakCredential: boolean
  readonly credentialAside: boolean
  readonly production: boolean
  readonly negates: boolean
  readonly everything: boolean
  /** By the word that follows. */
  readonly joins: ReadonlyMap<string, string> | undefined
  readonly compounds: ReadonlySet<string> | undefined
  readonly credentialPairs: ReadonlySet<string> | undefined
  /** By itself. */
  readonly safeguard: SafeguardRank
  /** With the word that follows. */
  readonly safeguardPairs: ReadonlyMap<string, SafeguardRank> | undefined
}

export interface Vocabulary {
  readonly words: ReadonlyMap<string, Word>
  /** Ranks of classes whose verbs are never single. */
  readonly neverSingle: ReadonlySet<number>
}

/** The rank of a class decides between several verbs. Smaller is riskier. */
export const classRank = (name: Edition1Class): number => edition1Classes.indexOf(name)

export const readRank = classRank("read")
export const unknownRank = classRank("unknown")

/** No class at all: larger than every rank. */
export const noRank: number = edition1Classes.length

const raisable: ReadonlySet<number> = new Set([classRank("write"), classRank("configure")])

/** Whether the object can give a verb a riskier class: `create` alone writes, `create payment` transacts. */
export const isRaisable = (rank: number): boolean => raisable.has(rank)

/** Invariant: `rank` indexes `edition1Classes`; every rank in use comes from `classRank`. */
export const classOf = (rank: number): Edition1Class => edition1Classes[rank] ?? "unknown"

const endsInConsonantY = (noun: string): boolean =>
  noun.length > 1 && noun.endsWith("y") && !"aeiou".includes(noun.charAt(noun.length - 2))

/** The regular English plural of a singular noun. */
const pluralOf = (noun: string): string => {
  if (endsInConsonantY(noun)) return `${noun.slice(0, -1)}ies`
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return `${noun}s`
}

/** Whether an unknown word looks like a plural: `users`, `entries`, `schemas`; not `status`, `analysis`, `access`. */
export const looksPlural = (word: string): boolean => {
  const length = word.length
  if (length < 4 || !word.endsWith("s")) return false
  const before = word.charAt(length - 2)
  return before !== "s" && before !== "u" && before !== "i"
}

type Draft = { -readonly [K in keyof Word]: Word[K] }
type Flag = { [K in keyof Word]: Word[K] extends boolean ? K : never }[keyof Word]

const emptyWord: Word = {
  verb: undefined,
  bulk: false,
  plural: undefined,
  raisesTo: noRank,
  stop: false,
  conjunction: false,
  wrapper: false,
  prefix: false,
  dataStore: false,
  admin: false,
  credential: false,
  weakCredential: false,
  credentialAside: false,
  production: false,
  negates: false,
  everything: false,
  joins: undefined,
  compounds: undefined,
  credentialPairs: undefined,
  safeguard: 0,
  safeguardPairs: undefined
}

/** The first word of a key such as `log in`, and the rest. */
const splitFirst = (words: string): readonly [first: string, rest: string] => {
  const space = words.indexOf(" ")
  return space < 0 ? [words, ""] : [words.slice(0, space), words.slice(space + 1)]
}

/** A noun and its plural. A single letter is an option such as `-f` and has no plural. */
const spellings = (noun: string): ReadonlyArray<string> =>
  noun.length === 1 ? [noun] : [noun, pluralOf(noun)]

const withPlurals = (nouns: ReadonlyArray<string>): ReadonlyArray<string> => nouns.flatMap(spellings)

const prepareVerbs = ({ phrases, verbs }: LexiconData["verbs"]): Map<string, Verb> => {
  const byHead = new Map<string, Array<Phrase>>()
  for (const [phrase, entry] of Object.entries(phrases)) {
    const [head, others] = splitFirst(phrase)
    const known = byHead.get(head) ?? []
    byHead.set(head, [...known, { others: others.split(" ").map(spellings), rank: classRank(entry.class) }])
  }
  const prepared = new Map<string, Verb>()
  for (const [name, entry] of Object.entries(verbs)) {
    const verb: Verb = {
      name,
      rank: classRank(entry.class),
      extent: entry.extent,
      noun: entry.noun ?? false,
      credential: entry.credential,
      weakens: entry.weakens ?? false,
      phrases: byHead.get(name) ?? []
    }
    for (const spelling of [name, ...(entry.forms ?? [])]) prepared.set(spelling, verb)
  }
  return prepared
}

/** For pairs `a b`, the set of every `b` by its `a`. */
const followers = (pairs: ReadonlyArray<string>): Map<string, Set<string>> => {
  const byFirst = new Map<string, Set<string>>()
  for (const pair of pairs) {
    const [first, second] = splitFirst(pair)
    byFirst.set(first, new Set([...(byFirst.get(first) ?? []), ...spellings(second)]))
  }
  return byFirst
}

const flagLists = (words: WordsData): ReadonlyArray<readonly [Flag, ReadonlyArray<string>]> => [
  ["bulk", words.bulk],
  ["stop", words.stopWords],
  ["conjunction", words.conjunctions],
  ["wrapper", words.wrappers],
  ["dataStore", withPlurals(words.dataStores)],
  ["admin", withPlurals(words.admins)],
  ["credential", withPlurals(words.credentials.filter((name) => !name.includes(" ")))],
  ["weakCredential", withPlurals(words.weakCredentials)],
  ["credentialAside", withPlurals(words.credentialAsides)],
  ["production", words.production],
  ["negates", words.negatingPrefixes],
  ["everything", words.everything]
]

/** A provider or a way of calling says nothing else if it is no verb, raises nothing and belongs to no phrase. */
const markPrefixes = ({ providers, verbs, words }: LexiconData, draft: (name: string) => Draft): void => {
  const phraseWords = new Set(
    Object.keys(verbs.phrases).flatMap((phrase) => splitFirst(phrase)[1].split(" "))
  )
  const prefixes = [...words.wrappers, ...Object.values(providers).flatMap(({ prefixes }) => prefixes)]
  for (const prefix of prefixes) {
    const word = draft(prefix)
    word.prefix =
      word.verb === undefined && word.raisesTo === noRank && !word.bulk && !phraseWords.has(prefix)
  }
}

/** Makes one map of the word lists of the lexicon. */
export const prepareVocabulary = (data: LexiconData): Vocabulary => {
  const words = new Map<string, Draft>()
  const draft = (name: string): Draft => {
    const known = words.get(name)
    if (known !== undefined) return known
    const fresh = { ...emptyWord }
    words.set(name, fresh)
    return fresh
  }

  for (const [spelling, verb] of prepareVerbs(data.verbs)) draft(spelling).verb = verb
  for (const [flag, names] of flagLists(data.words)) for (const name of names) draft(name)[flag] = true
  for (const name of data.words.plurals) draft(name).plural = true
  for (const name of data.words.singulars) draft(name).plural = false
  for (const provider of Object.values(data.providers)) {
    for (const prefix of provider.prefixes) draft(prefix).plural = false
  }
  for (const [noun, raised] of Object.entries(data.words.raising)) {
    for (const name of spellings(noun)) draft(name).raisesTo = classRank(raised)
  }
  // The plural of a noun that can be a verb raises as the noun does: `create posts` is as risky as `create post`.
  for (const [name, { noun }] of Object.entries(data.verbs.verbs)) {
    const rank = words.get(name)?.verb?.rank ?? noRank
    const word = draft(pluralOf(name))
    if (noun === true && word.verb === undefined) word.raisesTo = Math.min(word.raisesTo, rank)
  }
  // The canonical type shows the verb in place of its other spellings, so these must raise as much as the verb does.
  for (const [name, { forms }] of Object.entries(data.verbs.verbs)) {
    for (const form of forms ?? []) draft(form).raisesTo = draft(name).raisesTo
  }
  for (const [pair, joined] of Object.entries(data.words.joins)) {
    const [first, second] = splitFirst(pair)
    const word = draft(first)
    word.joins = new Map([...(word.joins ?? []), [second, joined]])
  }
  for (const [first, seconds] of followers(data.words.compounds)) draft(first).compounds = seconds
  const pairs = data.words.credentials.filter((name) => name.includes(" "))
  for (const [first, seconds] of followers(pairs)) draft(first).credentialPairs = seconds
  for (const [names, kind] of Object.entries(data.words.safeguards ?? {})) {
    const [first, second] = splitFirst(names)
    const rank = safeguardRanks[kind]
    if (second === "") for (const name of spellings(first)) draft(name).safeguard = rank
    else {
      const word = draft(first)
      const ranks = spellings(second).map((name) => [name, rank] as const)
      word.safeguardPairs = new Map([...(word.safeguardPairs ?? []), ...ranks])
    }
  }
  markPrefixes(data, draft)

  return { words, neverSingle: new Set(data.words.neverSingle.map(classRank)) }
}
