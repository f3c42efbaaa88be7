/** Normalizes what callers call an action: its canonical type and class, its environment, and what its words reveal. */

import type { Action, Environment, NormalizedAction, SafeguardRank } from "../../domain/Action.ts"
import { nameWrappersMax } from "../../limits.ts"
import { foldText } from "../lookalike.ts"
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
  /** The environment that counts. */
  readonly environment: Environment
  readonly namesEverything: boolean
}

/** A stated non-production environment is not believed when a target names production: the worse reading counts. */
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
 * Normalizes what callers call an action: its canonical type, its class, and what its words reveal.
 * A provider's own name wins; else the riskiest verb among the words. Pure, linear in the length of its input, total on
 * any string, and idempotent: a canonical type is its own.
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

/**
 * What an action type means: a provider's own name for it, or else its words.
 * Keeps a type that only words led to apart from the known action of that type, which is less risky.
 */
const disambiguated = (type: string): string => `${disambiguator}_${type}`

/** Invariant: `type` means the same again; so words that lead to a known action's type either mean that action or get a type of their own. */
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

/** Looks a name up among the providers' own, as given and without what stands in front of it. */
const lookUp = (name: NameWords, from: number, { exact, flat }: NativeIndex): NativeReading | undefined =>
  exact.get(structuredKey(name, from)) ?? flat.get(flatKey(name, from))

/** `mcp__github__create_issue` is looked up whole, then as `github create issue` and GitHub's `create issue`, then as anyone's. */
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

/** Tells whether an action creates, rotates or reveals a key, password or secret. */
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

/** `verb` is the one that the name was read by; `readable` is false when no verb is known, which could do anything. */
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

/** Tells which safeguard an action takes away: what protects, or what remembers. */
const worseRank = (a: SafeguardRank, b: SafeguardRank): SafeguardRank => (a > b ? a : b)

const safeguardNamed = ({ words }: Pick<NameWords, "words">, vocabulary: Vocabulary): SafeguardRank =>
  words.reduce<SafeguardRank>((rank, name, at) => {
    const word = vocabulary.words.get(name)
    const pair = word?.safeguardPairs?.get(words[at + 1] ?? "") ?? 0
    return worseRank(rank, worseRank(word?.safeguard ?? 0, pair))
  }, 0)

/** What is deleted is gone whatever the verb, and a name without a known verb could do anything. */
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

/** `resource` is the target_resource: `service.stop` says of what only there. A target system is named by everything done in it. */
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

/** Tells whether a resource is everything there is: `*`, `%`, `all`, as a whole or as one part of a path. */
const wildcards = /[*%]+/g
const boundary = /^[\s/:.,;|="'`()[\]{}<>]?$/

/** A wildcard that stands alone; `report-*` and `100%` only are parts of a name. */
const hasLoneWildcard = (text: string): boolean => {
  for (const { 0: run, index } of text.matchAll(wildcards)) {
    if (boundary.test(text.charAt(index - 1)) && boundary.test(text.charAt(index + run.length))) return true
  }
  return false
}

export const namesEverything = (resource: string, { vocabulary }: Lexicon): boolean => {
  const folded = foldText(resource)
  if (hasLoneWildcard(folded)) return true
  const { words } = tokenize(folded.replaceAll("*", "-"), vocabulary)
  return words.some((word) => vocabulary.words.get(word)?.everything === true)
}

/**
 * Tells whether a text names production: a whole word such as `prod`, with or without a number, not after `pre`, `non`, `not`, `no`.
 * `prod2` → `prod`
 */
const withoutNumber = (word: string): string => {
  let end = word.length
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end--
  return word.slice(0, end)
}

/** Where `PRODdb` may part: the hump that camelCase has before the `D` would hide the word. */
const acronymBoundary = /(?<=[A-Z]{3})(?=[a-z])/g

const hasProductionWord = (text: string, { vocabulary }: Lexicon): boolean => {
  const { words } = tokenize(text, vocabulary)
  return words.some(
    (word, at) =>
      vocabulary.words.get(withoutNumber(word))?.production === true &&
      vocabulary.words.get(words[at - 1] ?? "")?.negates !== true
  )
}

export const namesProduction = (text: string, lexicon: Lexicon): boolean => {
  if (hasProductionWord(text, lexicon)) return true
  const parted = text.replace(acronymBoundary, " ")
  return parted !== text && hasProductionWord(parted, lexicon)
}
