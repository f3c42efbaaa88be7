/** The general words of names: verbs, nouns, pairs of words, and words about extent and direction. */

import type { DataClassification } from "../../domain/Action.ts"
import type { ActClass, ActExtent, Impact } from "./Act.ts"

/** What kind of thing an object is, as far as risk depends on it. */
export const objectKinds = [
  "nothing",
  "ephemeral",
  "test",
  "record",
  "message",
  "code",
  "person",
  "money",
  "operational",
  "audience",
  "physical",
  "right",
  "credential",
  "guard",
  "container",
  "danger"
] as const
export type ObjectKind = (typeof objectKinds)[number]

export interface VerbData {
  readonly class: ActClass
  /** Also a common noun: after another verb it is one, `list_orders`. */
  readonly noun?: boolean
  /** Replaces the impact that class and object give. */
  readonly impact?: Impact
  readonly extent?: ActExtent
  /** Undone easily by nature: archive, close. */
  readonly soft?: boolean
  /** Removes or weakens its object: disable, remove. */
  readonly weakens?: boolean
  /** Makes or reveals a credential when its object is one. */
  readonly credential?: boolean
  readonly forms?: ReadonlyArray<string>
  /** Other meanings: with an object of this name, of this `@group`, of this kind, or with any other (`*`). */
  readonly by?: Meanings
  /** Other meanings by what stands behind `to`: `transfer_to_billing_agent`. */
  readonly to?: Meanings
  /** The verb that this phrase is a spelling of. */
  readonly as?: string
}

/** What a verb means with some object. */
export interface Meaning {
  readonly class?: ActClass
  readonly impact?: Impact
  readonly weakens?: boolean
}
export type Meanings = Readonly<Record<string, Meaning>>

export interface ObjectData {
  readonly is: ObjectKind
  /** What it usually holds. Absent: internal. */
  readonly holds?: DataClassification
  /** How much of it one name means. Absent: one. */
  readonly amount?: "many" | "everything"
  readonly forms?: ReadonlyArray<string>
}

export interface WordsData {
  /** Mean many, or all there is, anywhere in a name. */
  readonly bulk: ReadonlyArray<string>
  readonly everything: ReadonlyArray<string>
  /** In a name without a known verb: it may write, touch many, or reach outside. */
  readonly hints: ReadonlyArray<string>
  /** A name without a verb that ends in one of these reads it: `pods_log`, `conversations_history`. */
  readonly readings: ReadonlyArray<string>
  /** End the object of a verb: `add_note_to_incident`. */
  readonly prepositions: ReadonlyArray<string>
  /** In front of a name, they say how it is called: `mcp`, `tools`. */
  readonly wrappers: ReadonlyArray<string>
  readonly production: ReadonlyArray<string>
  readonly negations: ReadonlyArray<string>
  readonly stopWords: ReadonlyArray<string>
  /** Words that look like a plural and are none, and plurals that do not look like one. */
  readonly singulars: ReadonlyArray<string>
  readonly plurals: ReadonlyArray<string>
  /** Verbs that take a thing to where the destination says. */
  readonly outward: ReadonlyArray<string>
  /** Verbs that show that there is a secret, and not the secret. */
  readonly metadata: ReadonlyArray<string>
  /** Name an owner or an administrator. */
  readonly admins: ReadonlyArray<string>
}

export interface VocabularyData {
  readonly verbs: Readonly<Record<string, VerbData>>
  /** `turn off`, `transfer to * agent`; `*` stands for up to three words. */
  readonly phrases: Readonly<Record<string, VerbData>>
  /** Nouns that several verbs treat alike. */
  readonly groups: Readonly<Record<string, ReadonlyArray<string>>>
  /** Meanings that several verbs share; a later one wins over an earlier one, and a verb's own over all. */
  readonly shared: ReadonlyArray<{ readonly verbs: ReadonlyArray<string>; readonly by: Meanings }>
  readonly objects: Readonly<Record<string, ObjectData>>
  readonly words: WordsData
}

export interface Verb extends VerbData {
  readonly name: string
  /** Its own meanings first. */
  readonly meanings: ReadonlyArray<Meanings>
}

export interface Noun extends ObjectData {
  readonly name: string
  /** `@group` of each group that it is in. */
  readonly groups: ReadonlyArray<string>
}

export interface Word {
  readonly verb?: Verb
  readonly noun?: Noun
  readonly plural: boolean
}

interface Sequence<A> {
  readonly words: ReadonlyArray<string>
  readonly means: A
}

export interface Vocabulary {
  readonly words: ReadonlyMap<string, Word>
  /** By their first word, longest first. */
  readonly compounds: ReadonlyMap<string, ReadonlyArray<Sequence<Noun>>>
  readonly phrases: ReadonlyMap<string, ReadonlyArray<Sequence<Verb>>>
  readonly sets: { readonly [K in keyof WordsData]: ReadonlySet<string> }
  readonly isKnown: (word: string) => boolean
}

const vowelBefore = /[aeiou].$/

/** The regular plural of a noun. */
export const pluralOf = (noun: string): string => {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  if (noun.endsWith("y") && !vowelBefore.test(noun)) return `${noun.slice(0, -1)}ies`
  return `${noun}s`
}

/** The regular forms of a verb: `-s`, `-ed`, `-ing`. */
const formsOf = (verb: string): ReadonlyArray<string> => {
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb
  const past = verb.endsWith("y") && !vowelBefore.test(verb) ? `${verb.slice(0, -1)}ied` : `${stem}ed`
  return [pluralOf(verb), past, `${stem}ing`]
}

const sequences = <A>(
  entries: Iterable<readonly [name: string, means: A]>,
  several: (words: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<string>>
): ReadonlyMap<string, ReadonlyArray<Sequence<A>>> => {
  const found: Array<Sequence<A>> = []
  for (const [name, means] of entries) {
    const words = name.split(" ")
    if (words.length > 1) for (const one of several(words)) found.push({ words: one, means })
  }
  return Map.groupBy(
    found.toSorted((a, b) => b.words.length - a.words.length),
    ({ words }) => words[0] ?? ""
  )
}

const withPlural = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => [
  words,
  [...words.slice(0, -1), pluralOf(words.at(-1) ?? "")]
]

/** The meanings of each verb: its own, then the shared ones, the latest first. */
const meaningsOf = ({
  shared
}: VocabularyData): ((name: string, own: VerbData) => ReadonlyArray<Meanings>) => {
  const byVerb = new Map<string, Array<Meanings>>()
  for (const { by, verbs } of shared) {
    for (const verb of verbs) byVerb.set(verb, [by, ...(byVerb.get(verb) ?? [])])
  }
  return (name, { by }) => [...(by === undefined ? [] : [by]), ...(byVerb.get(name) ?? [])]
}

type Known = Map<string, { verb?: Verb; noun?: Noun; plural: boolean }>

const wordIn = (known: Known, word: string) => {
  const found = known.get(word) ?? { plural: false }
  known.set(word, found)
  return found
}

const addVerbs = (known: Known, verbs: ReadonlyArray<readonly [string, Verb]>): void => {
  for (const [name, verb] of verbs) {
    for (const form of [name, ...(verb.forms ?? [])]) wordIn(known, form).verb = verb
  }
  // Regular forms never replace a word that an entry names itself.
  for (const [name, verb] of verbs) for (const form of formsOf(name)) wordIn(known, form).verb ??= verb
}

const addNouns = (
  known: Known,
  nouns: ReadonlyArray<readonly [string, Noun]>,
  singulars: ReadonlySet<string>
): void => {
  const alone = nouns.filter(([name]) => !name.includes(" "))
  for (const [name, noun] of alone)
    for (const form of [name, ...(noun.forms ?? [])]) wordIn(known, form).noun = noun
  for (const [name, noun] of alone) {
    const plural = wordIn(known, pluralOf(name))
    if (plural.noun !== undefined && plural.noun !== noun) continue
    plural.noun = noun
    plural.plural = !singulars.has(pluralOf(name))
  }
}

export const prepareVocabulary = (data: VocabularyData): Vocabulary => {
  const meanings = meaningsOf(data)
  const toVerb = (name: string, own: VerbData): Verb => ({
    ...own,
    name: own.as ?? name.replaceAll(" ", "_"),
    meanings: meanings(name, own)
  })
  const groups = new Map<string, Array<string>>()
  for (const [group, nouns] of Object.entries(data.groups)) {
    for (const noun of nouns) groups.set(noun, [...(groups.get(noun) ?? []), `@${group}`])
  }
  const verbs = Object.entries(data.verbs).map(([name, own]) => [name, toVerb(name, own)] as const)
  const nouns = Object.entries(data.objects).map(
    ([name, own]) => [name, { ...own, name, groups: groups.get(name) ?? [] }] as const
  )
  const known: Known = new Map()
  addVerbs(known, verbs)
  addNouns(known, nouns, new Set(data.words.singulars))
  for (const plural of data.words.plurals) wordIn(known, plural).plural = true
  const sets = Object.fromEntries(
    Object.entries(data.words).map(([name, list]) => [name, new Set<string>(list)])
  ) as unknown as Vocabulary["sets"]
  return {
    words: known,
    compounds: sequences(nouns, withPlural),
    phrases: sequences(
      Object.entries(data.phrases).map(([name, own]) => [name, toVerb(name, own)] as const),
      (one) => [one]
    ),
    sets,
    isKnown: (word) => known.has(word) || sets.wrappers.has(word)
  }
}

/** Whether a word that no entry names looks like a plural. */
export const looksPlural = (word: string, { sets, words }: Vocabulary): boolean => {
  const known = words.get(word)
  if (known?.noun !== undefined) return known.plural
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !sets.singulars.has(word)
}
