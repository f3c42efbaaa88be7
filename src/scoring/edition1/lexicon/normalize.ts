/** Normalization of an action: its canonical type and class, its environment, and what its words reveal. */

import type { Action, Environment } from "../../../domain/Action.ts"
import { nameWrappersMax } from "../../../limits.ts"
import { foldText } from "../../names/lookalike.ts"
import type { NormalizedAction, SafeguardRank } from "../NormalizedAction.ts"
import {
  flatKey,
  isLessRisky,
  type Lexicon,
  type NativeIndex,
  type NativeReading,
  structuredKey
} from "./Lexicon.ts"
import type { Verb, Vocabulary, Word } from "./Vocabulary.ts"
import { disambiguator } from "./findVerbs.ts"
import { readName } from "./readName.ts"
import { hasWordOfKind, isDigit, type NameWords, tokenize, type Tokens } from "./tokenize.ts"

export interface ActionWords {
  readonly normalized: NormalizedAction
  /** Production if a target names production, else as stated. */
  readonly environment: Environment
  readonly namesEverything: boolean
}

/** A target that names production contradicts any other stated environment. The worse one counts. */
const readEnvironment = (action: Action, lexicon: Lexicon): Environment => {
  if (action.environment === "production") return "production"
  const targets = [action.targetSystem, action.targetResource, action.destination]
  return targets.some((target) => target !== undefined && namesProduction(target, lexicon))
    ? "production"
    : action.environment
}

export const normalizeAction = (action: Action, lexicon: Lexicon): ActionWords => ({
  normalized: normalize(action, lexicon),
  environment: readEnvironment(action, lexicon),
  namesEverything: action.targetResource !== undefined && namesEverything(action.targetResource, lexicon)
})

/**
 * The normalized form of an action type. A provider's own name wins over the words; of the words, the riskiest verb wins.
 * Pure, linear in the length of its input, total on any string, and idempotent: a canonical type normalizes to itself.
 */
export const normalize = (
  action: Pick<Action, "actionType" | "targetResource" | "targetSystem">,
  lexicon: Lexicon
): NormalizedAction => {
  const { vocabulary } = lexicon
  const name = tokenize(action.actionType, vocabulary)
  const targets: Array<Tokens> = []
  const resource =
    action.targetResource === undefined ? undefined : tokenize(action.targetResource, vocabulary)
  if (resource !== undefined) targets.push(resource)
  if (action.targetSystem !== undefined) targets.push(tokenize(action.targetSystem, vocabulary))

  const reading = readAction(name, lexicon)
  const namesStore = (words: Tokens): boolean => hasWordOfKind(words, "dataStore", vocabulary)
  const namesAdmin = (words: Tokens): boolean => words.wildcard || hasWordOfKind(words, "admin", vocabulary)
  const readable = reading.class !== "unknown"

  return {
    type: reading.type,
    class: reading.class,
    extent: reading.extent,
    dataStore: (reading.dataStore ?? namesStore(name)) || targets.some(namesStore),
    admin: (reading.admin ?? namesAdmin(name)) || targets.some(namesAdmin),
    alsoExports: reading.alsoExports,
    safeguardWeakened: safeguardWeakened(reading, name, resource, vocabulary),
    credential: reading.credential ?? namesCredential(name, targets, reading.verb, readable, vocabulary)
  }
}

/** Distinguishes a type that was read from words from the type of a known, less risky action. */
const disambiguated = (type: string): string => `${disambiguator}_${type}`

/**
 * The meaning of an action type: that of a provider's own name, or else that of its words.
 * Invariant: `type` has the same meaning when it is read again. So words that lead to the type of a known action either mean
 * that action or get another type.
 */
const readAction = (name: NameWords, lexicon: Lexicon): NativeReading => {
  const native = findNative(name, lexicon)
  if (native !== undefined) return native
  const reading = readName(name, lexicon.vocabulary)
  const known = findNative(reading.words, lexicon)
  if (known !== undefined && !isLessRisky(known, reading)) return known
  return {
    type: known === undefined ? reading.type : disambiguated(reading.type),
    class: reading.class,
    extent: reading.extent,
    verb: reading.verb,
    dataStore: undefined,
    admin: undefined,
    credential: undefined,
    alsoExports: reading.alsoExports,
    safeguard: undefined
  }
}

/** Looks up the words of a name from `from` on. */
const lookUp = (name: NameWords, from: number, { exact, flat }: NativeIndex): NativeReading | undefined =>
  exact.get(structuredKey(name, from)) ?? flat.get(flatKey(name, from))

/**
 * Looks up a name among the providers' own, then without the wrappers and providers in front of it:
 * `mcp__github__create_issue` is looked up whole, as `github create issue`, as `create issue` of GitHub, and as `create issue`.
 */
export const findNative = (name: NameWords, { natives, vocabulary }: Lexicon): NativeReading | undefined => {
  const end = Math.min(name.words.length, nameWrappersMax)
  for (let at = 0; at < end; at++) {
    const native = lookUp(name, at, natives.anywhere)
    if (native !== undefined) return native
    const word = name.words[at] ?? ""
    const provider = natives.byPrefix.get(word)
    const own = provider === undefined ? undefined : lookUp(name, at + 1, provider)
    if (own !== undefined) return own
    if (provider === undefined && vocabulary.words.get(word)?.wrapper !== true) return undefined
  }
  return undefined
}

type Known = ReadonlyArray<Word | undefined>

const knownWords = ({ words }: Tokens, vocabulary: Vocabulary): Known =>
  words.map((word) => vocabulary.words.get(word))

/** `api key`, `secret`; not `password policy`, `secret name`. */
const hasCredential = ({ words }: Tokens, known: Known): boolean =>
  known.some((word, at) => {
    if (word?.credentialPairs?.has(words[at + 1] ?? "") === true)
      return known[at + 2]?.credentialAside !== true
    return word?.credential === true && known[at + 1]?.credentialAside !== true
  })

const hasWeakCredential = (known: Known): boolean =>
  known.some((word, at) => word?.weakCredential === true && known[at + 1]?.credentialAside !== true)

/**
 * Whether an action creates, rotates or reveals a key, password or secret.
 * `verb`: of the reading. `readable`: false if the name has no known verb, so that the action could do anything.
 */
const namesCredential = (
  name: Tokens,
  targets: ReadonlyArray<Tokens>,
  verb: Verb | undefined,
  readable: boolean,
  vocabulary: Vocabulary
): boolean => {
  const known = knownWords(name, vocabulary)
  const verbs = [verb, ...known.map((word) => word?.verb)]
  const makes = verbs.some((one) => one?.credential === "makes")
  if (!makes && readable && !verbs.some((one) => one?.credential === "reveals")) return false
  if ((makes || !readable) && hasWeakCredential(known)) return true
  return (
    hasCredential(name, known) ||
    targets.some((target) => hasCredential(target, knownWords(target, vocabulary)))
  )
}

const worseRank = (a: SafeguardRank, b: SafeguardRank): SafeguardRank => (a > b ? a : b)

const safeguardNamed = ({ words }: Pick<NameWords, "words">, vocabulary: Vocabulary): SafeguardRank =>
  words.reduce<SafeguardRank>((rank, name, at) => {
    const word = vocabulary.words.get(name)
    const pair = word?.safeguardPairs?.get(words[at + 1] ?? "") ?? 0
    return worseRank(rank, worseRank(word?.safeguard ?? 0, pair))
  }, 0)

/** Deleting removes a safeguard whatever the verb is, and a name without a known verb could do anything. */
const weakensSafeguards = (
  { class: verbClass, verb }: NativeReading,
  { words }: NameWords,
  vocabulary: Vocabulary
) =>
  verbClass === "delete" ||
  verbClass === "destroy" ||
  verbClass === "unknown" ||
  verb?.weakens === true ||
  words.some((word) => vocabulary.words.get(word)?.verb?.weakens === true)

/**
 * The worst safeguard that the action removes or weakens.
 * `resource`: the target_resource, because `service.stop` names its safeguard only there. The target_system does not count:
 * every action in a backup system names it.
 */
const safeguardWeakened = (
  reading: NativeReading,
  name: NameWords,
  resource: NameWords | undefined,
  vocabulary: Vocabulary
): SafeguardRank => {
  if (reading.safeguard !== undefined) return reading.safeguard
  if (!weakensSafeguards(reading, name, vocabulary)) return 0
  const own = worseRank(
    safeguardNamed(name, vocabulary),
    safeguardNamed(tokenize(reading.type, vocabulary), vocabulary)
  )
  return resource === undefined ? own : worseRank(own, safeguardNamed(resource, vocabulary))
}

const wildcards = /[*%]+/g
const boundary = /^[\s/:.,;|="'`()[\]{}<>]?$/

/** Whether a wildcard is a whole part of the text. In `report-*` and `100%` it is part of a name. */
const hasLoneWildcard = (text: string): boolean => {
  for (const { 0: run, index } of text.matchAll(wildcards)) {
    if (boundary.test(text.charAt(index - 1)) && boundary.test(text.charAt(index + run.length))) return true
  }
  return false
}

/** Whether a resource means everything: `*`, `%`, `all`, as a whole or as one part of a path. */
export const namesEverything = (resource: string, { vocabulary }: Lexicon): boolean => {
  const folded = foldText(resource)
  if (hasLoneWildcard(folded)) return true
  const { words } = tokenize(folded.replaceAll("*", "-"), vocabulary)
  return words.some((word) => vocabulary.words.get(word)?.everything === true)
}

/** `prod2` → `prod` */
const withoutNumber = (word: string): string => {
  let end = word.length
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end--
  return word.slice(0, end)
}

/** Splits `PRODdb` after `PROD`. The camelCase hump before the last capital would split it as `PRO` and `Ddb`. */
const acronymBoundary = /(?<=[A-Z]{3})(?=[a-z])/g

const hasProductionWord = (text: string, { vocabulary }: Lexicon): boolean => {
  const { words } = tokenize(text, vocabulary)
  return words.some(
    (word, at) =>
      vocabulary.words.get(withoutNumber(word))?.production === true &&
      vocabulary.words.get(words[at - 1] ?? "")?.negates !== true
  )
}

/** Whether a text has a production word such as `prod`, with or without a number, and not after `pre`, `non`, `not` or `no`. */
export const namesProduction = (text: string, lexicon: Lexicon): boolean => {
  if (hasProductionWord(text, lexicon)) return true
  const parted = text.replace(acronymBoundary, " ")
  return parted !== text && hasProductionWord(parted, lexicon)
}
