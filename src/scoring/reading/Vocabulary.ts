/** The general words of names: verbs, nouns, phrases, and words about extent and direction. */

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

/** What a verb means with some object. */
export interface Meaning {
  readonly class?: ActClass
  readonly impact?: Impact
  readonly weakens?: boolean
  readonly credential?: boolean
}
export type Meanings = Readonly<Record<string, Meaning>>

export interface VerbData {
  readonly class: ActClass
  /** Also a common noun: after another verb it is one, `list_orders`. `mostly`: and in front of another verb too, `order_cancel`. */
  readonly noun?: true | "mostly"
  /** Never a noun and always risky: it counts anywhere in a name. */
  readonly pure?: true
  readonly impact?: Impact
  readonly extent?: ActExtent
  /** Undone easily by nature: archive, close. */
  readonly soft?: true
  /** Weakens its object where that is a guard: disable, remove. A phrase names its object itself. */
  readonly weakens?: true
  /** Makes or reveals a credential when its object is one. */
  readonly credential?: true
  readonly forms?: ReadonlyArray<string>
  /** Other meanings: with an object of this name, of this `@group`, of this kind, with an unknown one (`?`), with any other (`*`). */
  readonly by?: Meanings
  /** Other meanings by what stands behind `to`: `transfer_to_billing_agent`. */
  readonly to?: Meanings
  /** Another verb, whose meanings it has: `turn off` is `disable`. */
  readonly as?: string
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
  /** What many a noun can be in, and the nouns of acts that are: `transfer_status`, `export_history`. */
  readonly states: ReadonlyArray<string>
  readonly stateful: ReadonlyArray<string>
  /** End the object of a verb: `add_note_to_incident`. */
  readonly prepositions: ReadonlyArray<string>
  /** Nouns that say nothing behind another one: `user record`, `secret value`. */
  readonly generic: ReadonlyArray<string>
  /** Say where a thing is taken: `to`. */
  readonly directions: ReadonlyArray<string>
  readonly conjunctions: ReadonlyArray<string>
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
  /** Verbs that show that there is a thing, and not what it holds. */
  readonly metadata: ReadonlyArray<string>
  /** Name an owner or an administrator. */
  readonly admins: ReadonlyArray<string>
}

export interface VocabularyData {
  readonly verbs: Readonly<Record<string, VerbData>>
  /** `turn off`, `dry run` */
  readonly phrases: Readonly<Record<string, VerbData>>
  /** Nouns that several verbs treat alike. */
  readonly groups: Readonly<Record<string, ReadonlyArray<string>>>
  /** Meanings that several verbs share; a later one wins over an earlier one, and a verb's own over all. */
  readonly shared: ReadonlyArray<{ readonly verbs: ReadonlyArray<string>; readonly by: Meanings }>
  readonly objects: Readonly<Record<string, ObjectData>>
  readonly words: WordsData
}

export interface Verb {
  readonly name: string
  readonly class: ActClass
  readonly impact?: Impact | undefined
  readonly extent?: ActExtent | undefined
  readonly noun?: true | "mostly" | undefined
  readonly pure?: boolean
  readonly soft?: boolean
  readonly weakens?: boolean
  readonly credential?: boolean
  /** The extent is part of what the verb means, as in purge, and so its impact counts it already. */
  readonly wide?: boolean
  readonly phrase?: boolean
  /** The verb whose meanings it has: itself, or that of `as`. */
  readonly base?: string
  /** The latest first: its own, then the shared ones. */
  readonly meanings: ReadonlyArray<Meanings>
  readonly to?: ReadonlyMap<string, Meaning>
}

export interface Noun extends ObjectData {
  readonly name: string
  /** Under which a verb may have a meaning for it, the most special first: name, groups, last word, kind. */
  readonly keys: ReadonlyArray<string>
}

/** In which form a word is a verb. `past` forms are adjectives (`deleted_files`), the others can be verbs. */
export type VerbForm = "base" | "third" | "ing" | "past"

export interface Word {
  readonly verb?: Verb
  readonly form: VerbForm
  readonly noun?: Noun
  readonly plural: boolean
}

interface Sequence<A> {
  readonly words: ReadonlyArray<string>
  readonly means: A
}

type Sequences<A> = ReadonlyMap<string, ReadonlyArray<Sequence<A>>>

export interface Vocabulary {
  readonly words: ReadonlyMap<string, Word>
  /** By their first word, longest first. */
  readonly compounds: Sequences<Noun>
  readonly phrases: Sequences<Verb>
  readonly sets: { readonly [K in keyof WordsData]: ReadonlySet<string> }
  readonly isKnown: (word: string) => boolean
}

const endsInVowelAndY = (word: string): boolean => word.endsWith("y") && "aeiou".includes(word.at(-2) ?? "")

const hissing = ["s", "x", "z", "ch", "sh"]

/** The regular plural of a noun. */
export const pluralOf = (noun: string): string => {
  if (hissing.some((ending) => noun.endsWith(ending))) return `${noun}es`
  if (noun.endsWith("y") && !endsInVowelAndY(noun)) return `${noun.slice(0, -1)}ies`
  return `${noun}s`
}

/** The regular forms of a verb. */
const formsOf = (verb: string): ReadonlyArray<readonly [form: string, VerbForm]> => {
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb
  const past = verb.endsWith("y") && !endsInVowelAndY(verb) ? `${verb.slice(0, -1)}ied` : `${stem}ed`
  return [
    [pluralOf(verb), "third"],
    [past, "past"],
    [`${stem}ing`, "ing"]
  ]
}

/** The form of a spelling that an entry lists itself: `dropped`, `dropping`, `rm`. */
const listedForm = (spelling: string, verb: string): VerbForm => {
  if (spelling.endsWith("ing") && !verb.endsWith("ing")) return "ing"
  return spelling.endsWith("ed") && !verb.endsWith("ed") ? "past" : "base"
}

/** The first of the longest sequences that stand in `words` at `from`, and end before `to`. */
export const sequenceAt = <A>(
  sequences: Sequences<A>,
  words: ReadonlyArray<string>,
  from: number,
  to: number
): Sequence<A> | undefined => {
  const candidates = sequences.get(words[from] ?? "")
  if (candidates === undefined) return undefined
  for (const candidate of candidates) {
    const length = candidate.words.length
    if (from + length > to) continue
    let same = 1
    while (same < length && candidate.words[same] === words[from + same]) same++
    if (same === length) return candidate
  }
  return undefined
}

/** Sequences by their first word, the longest first. */
const byFirstWord = <A>(found: Iterable<readonly [name: string, means: A]>): Sequences<A> => {
  const byFirst = new Map<string, Array<Sequence<A>>>()
  for (const [name, means] of found) {
    const words = name.split(" ")
    const [first = ""] = words
    const others = byFirst.get(first)
    if (others === undefined) byFirst.set(first, [{ words, means }])
    else others.push({ words, means })
  }
  for (const others of byFirst.values()) others.sort((a, b) => b.words.length - a.words.length)
  return byFirst
}

type Known = Map<string, { verb?: Verb; form: VerbForm; noun?: Noun; plural: boolean }>

const wordIn = (known: Known, word: string) => {
  const found = known.get(word) ?? { form: "base", plural: false }
  known.set(word, found)
  return found
}

const addVerbs = (known: Known, verbs: ReadonlyMap<string, Verb>, data: VocabularyData["verbs"]): void => {
  for (const [name, verb] of verbs) wordIn(known, name).verb = verb
  const addForm = (spelling: string, verb: Verb, form: VerbForm): void => {
    const word = wordIn(known, spelling)
    if (word.verb !== undefined) return
    word.verb = verb
    word.form = form
  }
  for (const [name, verb] of verbs) {
    for (const form of data[name]?.forms ?? []) addForm(form, verb, listedForm(form, name))
  }
  for (const [name, verb] of verbs)
    for (const [spelling, form] of formsOf(name)) addForm(spelling, verb, form)
}

/** Every verb and phrase by its name, with the meanings that it shares with others. */
const prepareVerbs = (data: VocabularyData, part: VocabularyData["verbs"]): ReadonlyMap<string, Verb> => {
  const shared = new Map<string, Array<Meanings>>()
  for (const { by, verbs } of data.shared.toReversed()) {
    for (const verb of verbs) {
      const known = shared.get(verb)
      if (known === undefined) shared.set(verb, [by])
      else known.push(by)
    }
  }
  const prepared = new Map<string, Verb>()
  for (const [name, own] of Object.entries(part)) {
    const base = own.as === undefined ? undefined : data.verbs[own.as]
    const meanings = [own.by, base?.by].filter((by) => by !== undefined)
    meanings.push(...(shared.get(own.as ?? name) ?? []))
    const to = own.to ?? base?.to
    prepared.set(name, {
      name,
      class: own.class,
      impact: own.impact,
      extent: own.extent,
      noun: own.noun,
      pure: own.pure === true,
      soft: own.soft === true,
      weakens: own.weakens === true,
      credential: own.credential === true,
      wide: own.extent !== undefined && own.as === undefined,
      phrase: name.includes(" "),
      base: own.as ?? name,
      meanings,
      ...(to === undefined ? {} : { to: new Map(Object.entries(to)) })
    })
  }
  return prepared
}

const prepareNouns = ({ groups, objects }: VocabularyData): ReadonlyArray<Noun> => {
  const groupsOf = new Map<string, Array<string>>()
  for (const [group, nouns] of Object.entries(groups)) {
    for (const noun of nouns) groupsOf.set(noun, [`@${group}`, ...(groupsOf.get(noun) ?? [])])
  }
  return Object.entries(objects).map(([name, own]) => {
    const keys = [name, ...(groupsOf.get(name) ?? [])]
    const last = name.slice(name.lastIndexOf(" ") + 1)
    // A market order is an order, but a model car is no car.
    if (last !== name && objects[last]?.is === own.is) keys.push(last, ...(groupsOf.get(last) ?? []))
    return { ...own, name, keys: [...keys, own.is] }
  })
}

const addNouns = (known: Known, nouns: ReadonlyArray<Noun>, singulars: ReadonlySet<string>): void => {
  const alone = nouns.filter(({ name }) => !name.includes(" "))
  for (const noun of alone)
    for (const form of [noun.name, ...(noun.forms ?? [])]) wordIn(known, form).noun = noun
  for (const noun of alone) {
    const spelling = pluralOf(noun.name)
    const plural = wordIn(known, spelling)
    if (plural.noun !== undefined && plural.noun !== noun) continue
    plural.noun = noun
    plural.plural = !singulars.has(spelling)
  }
}

/** Every spelling of the nouns that are several words. */
function* compoundsOf(nouns: ReadonlyArray<Noun>): Generator<readonly [string, Noun]> {
  for (const noun of nouns) {
    for (const name of [noun.name, ...(noun.forms ?? [])]) {
      if (!name.includes(" ")) continue
      yield [name, noun]
      yield [pluralOf(name), noun]
    }
  }
}

export const prepareVocabulary = (data: VocabularyData): Vocabulary => {
  const known: Known = new Map()
  const nouns = prepareNouns(data)
  const sets = Object.fromEntries(
    Object.entries(data.words).map(([name, list]) => [name, new Set<string>(list)])
  ) as unknown as Vocabulary["sets"]
  addVerbs(known, prepareVerbs(data, data.verbs), data.verbs)
  addNouns(known, nouns, sets.singulars)
  for (const plural of data.words.plurals) wordIn(known, plural).plural = true
  return {
    words: known,
    compounds: byFirstWord(compoundsOf(nouns)),
    phrases: byFirstWord(prepareVerbs(data, data.phrases)),
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
