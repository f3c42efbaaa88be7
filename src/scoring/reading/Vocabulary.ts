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
  /** Another meaning with an object of this kind or name. */
  readonly by?: Readonly<Record<string, { readonly class?: ActClass; readonly impact?: Impact }>>
}

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
  /** Name an owner or an administrator. */
  readonly admins: ReadonlyArray<string>
}

export interface VocabularyData {
  readonly verbs: Readonly<Record<string, VerbData>>
  /** `turn off`, `transfer to * agent`; `*` stands for up to three words. */
  readonly phrases: Readonly<Record<string, VerbData>>
  readonly objects: Readonly<Record<string, ObjectData>>
  readonly words: WordsData
}

export interface Verb extends VerbData {
  readonly name: string
}

export interface Noun extends ObjectData {
  readonly name: string
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
  entries: Readonly<Record<string, A>>,
  several: (words: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<string>>
): ReadonlyMap<string, ReadonlyArray<Sequence<A & { readonly name: string }>>> => {
  const found: Array<Sequence<A & { readonly name: string }>> = []
  for (const [name, means] of Object.entries(entries)) {
    const words = name.split(" ")
    if (words.length > 1)
      for (const one of several(words)) found.push({ words: one, means: { ...means, name: words.join("_") } })
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

export const prepareVocabulary = ({ objects, phrases, verbs, words }: VocabularyData): Vocabulary => {
  const known = new Map<string, { verb?: Verb; noun?: Noun; plural: boolean }>()
  const at = (word: string) => {
    const found = known.get(word) ?? { plural: false }
    known.set(word, found)
    return found
  }
  for (const [name, data] of Object.entries(verbs)) {
    for (const form of [name, ...(data.forms ?? [])]) at(form).verb = { ...data, name }
  }
  // Regular forms never replace a word that an entry names itself.
  for (const [name, data] of Object.entries(verbs)) {
    for (const form of formsOf(name)) at(form).verb ??= { ...data, name }
  }
  for (const [name, data] of Object.entries(objects)) {
    if (name.includes(" ")) continue
    for (const form of [name, ...(data.forms ?? [])]) at(form).noun = { ...data, name }
  }
  const singulars = new Set(words.singulars)
  for (const [name, data] of Object.entries(objects)) {
    if (name.includes(" ")) continue
    const plural = at(pluralOf(name))
    plural.noun ??= { ...data, name }
    plural.plural = !singulars.has(pluralOf(name))
  }
  for (const plural of words.plurals) at(plural).plural = true
  const sets = Object.fromEntries(
    Object.entries(words).map(([name, list]) => [name, new Set<string>(list)])
  ) as unknown as Vocabulary["sets"]
  return {
    words: known,
    compounds: sequences(objects, withPlural),
    phrases: sequences(phrases, (one) => [one]),
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
