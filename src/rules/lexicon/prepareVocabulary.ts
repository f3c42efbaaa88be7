/** Prepares the vocabulary for look-up: every spelling of a verb or noun leads to its meaning. */

import { RegExp as RegExps } from "effect"
import type {
  Meanings,
  ObjectNoun,
  Sequences,
  TextPatterns,
  Verb,
  VerbForm,
  Vocabulary,
  Word,
  WordLists
} from "../../scoring/reading/Vocabulary.ts"
import type { VocabularyData } from "../files/wordFiles.ts"

const endsInVowelAndY = (word: string): boolean => word.endsWith("y") && "aeiou".includes(word.at(-2) ?? "")
const hissing = ["s", "x", "z", "ch", "sh"]

/** The regular plural of a noun. */
const pluralOf = (noun: string): string => {
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

/** The grammatical form of a spelling that an entry lists explicitly: `dropped`, `dropping`, `rm`. */
const listedForm = (spelling: string, verb: string): VerbForm => {
  if (spelling.endsWith("ing") && !verb.endsWith("ing")) return "ing"
  return spelling.endsWith("ed") && !verb.endsWith("ed") ? "past" : "base"
}

const wordsIn = (name: string): number => name.split(" ").length

const sequencesOf = <A>(byName: ReadonlyMap<string, A>): Sequences<A> => {
  const longest = new Map<string, number>()
  for (const name of byName.keys()) {
    const first = name.slice(0, name.indexOf(" "))
    longest.set(first, Math.max(longest.get(first) ?? 0, wordsIn(name)))
  }
  return { byName, longest }
}

type KnownWord = { -readonly [K in keyof Word]: Word[K] }
type Known = Map<string, KnownWord>

const wordIn = (known: Known, word: string): KnownWord => {
  const found = known.get(word)
  if (found !== undefined) return found
  const added: KnownWord = { verb: undefined, form: "base", noun: undefined, plural: false }
  known.set(word, added)
  return added
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

/** The meanings that each verb shares with others. Verbs that share all of them use one table, which stays small and is looked up once. */
const sharedMeanings = ({ shared }: VocabularyData): ReadonlyMap<string, Meanings> => {
  const lines = new Map<string, Array<number>>()
  for (const [line, { verbs }] of shared.entries()) {
    for (const verb of verbs) {
      const known = lines.get(verb)
      if (known === undefined) lines.set(verb, [line])
      else known.push(line)
    }
  }
  const tables = new Map<string, Meanings>()
  const byVerb = new Map<string, Meanings>()
  for (const [verb, own] of lines) {
    const key = own.join()
    const table = tables.get(key) ?? Object.assign({}, ...own.map((line) => shared[line]?.by))
    tables.set(key, table)
    byVerb.set(verb, table)
  }
  return byVerb
}

/** Every verb or phrase, keyed by its name. */
const prepareVerbs = (
  data: VocabularyData,
  part: VocabularyData["verbs"],
  shared: ReadonlyMap<string, Meanings>
): ReadonlyMap<string, Verb> => {
  const prepared = new Map<string, Verb>()
  for (const [name, own] of Object.entries(part)) {
    const base = own.as === undefined ? undefined : data.verbs[own.as]
    const meanings = [own.by, base?.by, shared.get(own.as ?? name)].filter((by) => by !== undefined)
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

const prepareNouns = ({ groups, objects }: VocabularyData): ReadonlyArray<ObjectNoun> => {
  const groupsOf = new Map<string, Array<string>>()
  for (const [group, nouns] of Object.entries(groups)) {
    for (const noun of nouns) groupsOf.set(noun, [`@${group}`, ...(groupsOf.get(noun) ?? [])])
  }
  return Object.entries(objects).map(([name, own]) => {
    const keys = [name, ...(groupsOf.get(name) ?? [])]
    const last = name.slice(name.lastIndexOf(" ") + 1)
    // A market order is an order, but a model car is not a car.
    if (last !== name && objects[last]?.is === own.is) keys.push(last, ...(groupsOf.get(last) ?? []))
    // For objects that claim money, a verb without a specific meaning treats them as money.
    return { ...own, name, keys: own.is === "claim" ? [...keys, "claim", "money"] : [...keys, own.is] }
  })
}

const addNouns = (known: Known, nouns: ReadonlyArray<ObjectNoun>, singulars: ReadonlySet<string>): void => {
  const alone = nouns.filter(({ name }) => !name.includes(" "))
  for (const noun of alone)
    for (const form of [noun.name, ...(noun.forms ?? [])]) wordIn(known, form).noun = noun
  // Spellings such as `phi` mean a medical record, unless a one-word noun has that spelling.
  for (const noun of nouns) {
    if (!noun.name.includes(" ")) continue
    for (const form of noun.forms ?? []) if (!form.includes(" ")) wordIn(known, form).noun ??= noun
  }
  for (const noun of alone) {
    const spelling = pluralOf(noun.name)
    const plural = wordIn(known, spelling)
    if (plural.noun !== undefined && plural.noun !== noun) continue
    plural.noun = noun
    plural.plural = !singulars.has(spelling)
  }
}

/** Every spelling of nouns that consist of several words. */
const compoundsOf = (nouns: ReadonlyArray<ObjectNoun>): ReadonlyMap<string, ObjectNoun> => {
  const compounds = new Map<string, ObjectNoun>()
  for (const noun of nouns) {
    for (const name of [noun.name, ...(noun.forms ?? [])]) {
      if (!name.includes(" ")) continue
      compounds.set(name, noun)
      if (!compounds.has(pluralOf(name))) compounds.set(pluralOf(name), noun)
    }
  }
  return compounds
}

const never = "(?!)"

/** A pattern for any of these texts. */
const anyOf = (texts: ReadonlyArray<string>): string =>
  texts.length === 0 ? never : `(?:${texts.map(RegExps.escape).join("|")})`

/** The same, where a space matches any separator or none. */
const anyNameOf = (names: ReadonlyArray<string>): string => anyOf(names).replaceAll(" ", "[ _-]?")

/** Shapes of secrets: an AWS key id, a JSON Web Token, a password in a URL. */
const secretShapes = [
  "asia[a-z0-9]{12}",
  String.raw`eyj[\w-]{8,40}\.`,
  String.raw`:\/\/[^\/\s:]{1,64}:[^@\s]{1,64}@`
]

/** Numbers of people, cards and accounts. */
const personalNumbers = [
  String.raw`\b\d{3}[ -]\d{2}[ -]\d{4}\b`,
  String.raw`\b(?:\d[ -]?){13}`,
  String.raw`\b[a-z]{2}\d{2} ?[a-z\d]{4} ?[a-z\d]{4}`
]

const prepareTexts = ({
  codeNames,
  numberNames,
  outsiders,
  secretMarks,
  secretNames,
  secretPhrases
}: WordLists): TextPatterns => {
  const named = `(?<![a-z])${anyNameOf(secretNames)}s?(?![a-z])`
  const handedOn = [
    String.raw`${named}[\w"'* ]{0,20}[:=][\s*"']{0,4}\S{4}`,
    String.raw`${named}[\w"'* ]{0,20} (?:is|are|lautet) \S{0,40}[\d!@#$%^&*_-]`,
    String.raw`${named}\W{1,3}(?=\S{6})\S{0,40}\d`,
    anyOf(secretMarks),
    ...secretShapes,
    anyNameOf(secretPhrases),
    String.raw`${anyNameOf(numberNames)}\D{0,20}\d[\d -]{4}`,
    ...personalNumbers
  ]
  const address = String.raw`[\w.+-]@(?!thread\.|unq\.)[\w-]+\.\w|:\/\/|\+\d{7}`
  return {
    secretNamed: new RegExp(named, "gi"),
    secretHandedOn: new RegExp(handedOn.join("|"), "i"),
    codeTold: new RegExp(
      String.raw`\b${anyNameOf(codeNames)}\b[^.\n]{0,24}?(?:\s|:|=)(?=\S*\d)[\w#!@$%^&*-]{4,}`,
      "i"
    ),
    outsider: new RegExp(`${address}|${anyOf(outsiders)}`, "i")
  }
}

/** The tables of the vocabulary, as plain data. */
export type VocabularyTables = Omit<Vocabulary, "isKnown">

export const prepareVocabulary = (data: VocabularyData): VocabularyTables => {
  const known: Known = new Map()
  const shared = sharedMeanings(data)
  const nouns = prepareNouns(data)
  const sets = Object.fromEntries(
    Object.entries(data.words).map(([name, list]) => [name, new Set<string>(list)])
  ) as unknown as Vocabulary["sets"]
  addVerbs(known, prepareVerbs(data, data.verbs, shared), data.verbs)
  addNouns(known, nouns, sets.singulars)
  return {
    words: known,
    compounds: sequencesOf(compoundsOf(nouns)),
    phrases: sequencesOf(prepareVerbs(data, data.phrases, shared)),
    sets,
    texts: prepareTexts(data.words)
  }
}

export const toVocabulary = (tables: VocabularyTables): Vocabulary => ({
  ...tables,
  isKnown: (word) => tables.words.has(word) || tables.sets.wrappers.has(word)
})
