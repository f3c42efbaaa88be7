/** The lexicon prepared for looking up: the vocabulary, and the providers' own names for their actions. */

import { type Edition1Class, type Extent, type SafeguardRank, safeguardRanks } from "../NormalizedAction.ts"
import type { LexiconData, NativeAction } from "./LexiconData.ts"
import { classRank, prepareVocabulary, type Verb, type Vocabulary } from "./Vocabulary.ts"
import { makeWordList } from "./findVerbs.ts"
import { extentOf, type NameReading, readName } from "./readName.ts"
import { hasWordOfKind, type NameWords, tokenize } from "./tokenize.ts"

export interface Lexicon {
  readonly vocabulary: Vocabulary
  readonly natives: Natives
}

export const prepareLexicon = (data: LexiconData): Lexicon => {
  const vocabulary = prepareVocabulary(data)
  return { vocabulary, natives: prepareNatives(data, vocabulary) }
}

/** The meaning of a provider's own name for an action. An undefined flag is read from the words of the name. */
export interface NativeReading {
  readonly type: string
  readonly class: Edition1Class
  readonly extent: Extent
  readonly verb: Verb | undefined
  readonly dataStore: boolean | undefined
  readonly admin: boolean | undefined
  readonly credential: boolean | undefined
  readonly alsoExports: boolean
  /** Undefined: read from the type and the targets. */
  readonly safeguard: SafeguardRank | undefined
}

export interface NativeIndex {
  /** By `structuredKey`. */
  readonly exact: ReadonlyMap<string, NativeReading>
  /** By `flatKey`: names spelled without their inner structure, `s3_delete_bucket`. */
  readonly flat: ReadonlyMap<string, NativeReading>
}

interface Natives {
  /** Names that need no provider in front. */
  readonly anywhere: NativeIndex
  /** The other names of a provider, by the prefix in front of them. */
  readonly byPrefix: ReadonlyMap<string, NativeIndex>
}

type NamedActions = ReadonlyArray<readonly [name: string, action: NativeAction]>
type Draft = { readonly [K in keyof NativeIndex]: Map<string, NativeReading> }

const emptyDraft = (): Draft => ({ exact: new Map(), flat: new Map() })

const fromAction = (action: NativeAction, vocabulary: Vocabulary): NativeReading => {
  const [object = "", verbName = ""] = action.type.split(".")
  const verb = vocabulary.words.get(verbName)?.verb
  const words = makeWordList(tokenize(object, vocabulary), vocabulary)
  /** True if the type names it, even if the spelling of the provider hides it. */
  const named = (kind: "admin" | "dataStore"): true | undefined =>
    hasWordOfKind(words, kind, vocabulary) || undefined
  return {
    type: action.type,
    class: action.class,
    extent: action.extent ?? extentOf(words, verb, classRank(action.class), vocabulary),
    verb,
    dataStore: action.dataStore ?? named("dataStore"),
    admin: action.admin ?? named("admin"),
    credential: action.credential,
    alsoExports: false,
    safeguard: action.safeguard && safeguardRanks[action.safeguard]
  }
}

/** The names made of one reading verb and one noun, and of nothing else. */
const readings = ({ nouns, verbs }: LexiconData["words"]["readings"]): NamedActions =>
  nouns.flatMap((noun) =>
    verbs.flatMap((verb) => {
      const action: NativeAction = { type: `${noun}.${verb}`, class: "read" }
      return [[action.type, action] as const, [`${verb}_${noun}`, action] as const]
    })
  )

const isSame = (native: NativeReading, words: NameReading): boolean =>
  words.type === native.type && words.class === native.class && words.extent === native.extent

/** If two files use the same bare name, the riskier meaning counts. */
const riskier = (one: NativeReading, other: NativeReading | undefined): NativeReading =>
  other === undefined || classRank(one.class) < classRank(other.class) ? one : other

/**
 * Indexes the providers' own names, so that every spelling of a name finds its action.
 * Invariant: the canonical type of every entry reads as that entry, so that normalizing twice changes nothing. If the words
 * of a type would read otherwise, the type itself becomes a name.
 */
const prepareNatives = (data: LexiconData, vocabulary: Vocabulary): Natives => {
  const anywhere = emptyDraft()
  const byPrefix = new Map<string, Draft>()
  const unreadable = new Map<string, NativeReading>()

  const addAll = (prefixes: ReadonlyArray<string>, alone: boolean, actions: NamedActions): void => {
    const own = emptyDraft()
    for (const prefix of prefixes) byPrefix.set(prefix, own)
    for (const [name, action] of actions) {
      const native = fromAction(action, vocabulary)
      const tokens = tokenize(name, vocabulary)
      const index = alone ? anywhere : own
      index.exact.set(structuredKey(tokens, 0), native)
      // Run together, `email.archive` is `email_archive`, which could also mail an archive. So only names that are not less risky than
      // their words can be found by their run-together spelling.
      const words = readName({ words: tokens.words, segments: tokens.words.map(() => 0) }, vocabulary)
      if (!isLessRisky(native, words)) index.flat.set(flatKey(tokens, 0), native)
      if (!alone && words.class === "unknown") {
        const key = structuredKey(tokens, 0)
        unreadable.set(key, riskier(native, unreadable.get(key)))
      }
      const type = tokenize(native.type, vocabulary)
      if (!isSame(native, readName(type, vocabulary))) anywhere.exact.set(structuredKey(type, 0), native)
    }
  }

  // Sorted, so that the order in which files were loaded has no effect.
  const files = Object.entries(data.providers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [, { actions, alone, prefixes }] of files) addAll(prefixes, alone, Object.entries(actions))
  addAll([], true, readings(data.words.readings))
  for (const [key, native] of unreadable) if (!anywhere.exact.has(key)) anywhere.exact.set(key, native)
  return { anywhere, byPrefix }
}

/**
 * A key that different spellings of one name share. Words of one part run together, and parts stay separate:
 * `iam:CreateUser` and `IAM.create_user` → `iam.createuser`. Words before `from` are left out.
 */
export const structuredKey = ({ segments, words }: NameWords, from: number): string => {
  let key = words[from] ?? ""
  for (let at = from + 1; at < words.length; at++) {
    if (segments[at] !== segments[at - 1]) key += "."
    key += words[at] ?? ""
  }
  return key
}

/** All words run together: `iam_create_user` → `iamcreateuser`. */
export const flatKey = ({ words }: NameWords, from: number): string => {
  let key = ""
  for (let at = from; at < words.length; at++) key += words[at] ?? ""
  return key
}

const writeRank = classRank("write")

const width: Readonly<Record<Extent, number>> = { single: 0, open: 1, bulk: 2 }

/**
 * Whether a provider's meaning of a name is less risky than its words. No meaning is less risky than words without a known verb.
 * A meaning of class `unknown` is less risky only than words of a class that is riskier than `write`.
 */
export const isLessRisky = (native: Pick<NameReading, "class" | "extent">, words: NameReading): boolean => {
  if (words.class === "unknown") return false
  if (native.class === "unknown") return classRank(words.class) < writeRank
  return classRank(native.class) > classRank(words.class) || width[native.extent] < width[words.extent]
}
