/** Indexes the providers' own names so that any spelling of one finds its action. */

import { safeguardRanks } from "../../domain/ActionType.ts"
import type { LexiconData, NativeAction } from "../LexiconData.ts"
import { extentOf } from "../normalize/extentOf.ts"
import { flatKey, structuredKey } from "../normalize/nameKeys.ts"
import { namesWord } from "../normalize/namesWord.ts"
import { readName, type Reading } from "../normalize/readName.ts"
import { tokenize } from "../normalize/tokenize.ts"
import { makeWordList } from "../normalize/WordList.ts"
import { classRank } from "./classRank.ts"
import { isLower } from "./isLower.ts"
import type { NativeIndex, NativeReading, Natives } from "./Natives.ts"
import type { Vocabulary } from "./Vocabulary.ts"

type NamedActions = ReadonlyArray<readonly [name: string, action: NativeAction]>
type Draft = { readonly [K in keyof NativeIndex]: Map<string, NativeReading> }

const emptyDraft = (): Draft => ({ exact: new Map(), flat: new Map() })

const fromAction = (action: NativeAction, vocabulary: Vocabulary): NativeReading => {
  const [object = "", verbName = ""] = action.type.split(".")
  const verb = vocabulary.words.get(verbName)?.verb
  const words = makeWordList(tokenize(object, vocabulary), vocabulary)
  /** What the type names is named, also where the provider's own spelling hides it. */
  const named = (kind: "admin" | "dataStore"): true | undefined =>
    namesWord(words, kind, vocabulary) || undefined
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

/** The names made of one reading verb and one noun: exact, so that nothing else can hide in them. */
const readings = ({ nouns, verbs }: LexiconData["words"]["readings"]): NamedActions =>
  nouns.flatMap((noun) =>
    verbs.flatMap((verb) => {
      const action: NativeAction = { type: `${noun}.${verb}`, class: "read" }
      return [[action.type, action] as const, [`${verb}_${noun}`, action] as const]
    })
  )

const isSame = (native: NativeReading, words: Reading): boolean =>
  words.type === native.type && words.class === native.class && words.extent === native.extent

/** Of two files that use one bare name the riskier meaning counts. */
const riskier = (one: NativeReading, other: NativeReading | undefined): NativeReading =>
  other === undefined || classRank(one.class) < classRank(other.class) ? one : other

/**
 * Invariant: every canonical type of an entry reads as that entry, so that normalizing twice changes nothing. Where a type
 * would read otherwise by its words, the type itself becomes a name.
 */
export const prepareNatives = (data: LexiconData, vocabulary: Vocabulary): Natives => {
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
      // Run together, `email.archive` is `email_archive`, which could as well mail an archive: only what lowers nothing is found so.
      const words = readName({ words: tokens.words, segments: tokens.words.map(() => 0) }, vocabulary)
      if (!isLower(native, words)) index.flat.set(flatKey(tokens, 0), native)
      if (!alone && words.class === "unknown") {
        const key = structuredKey(tokens, 0)
        unreadable.set(key, riskier(native, unreadable.get(key)))
      }
      const type = tokenize(native.type, vocabulary)
      if (!isSame(native, readName(type, vocabulary))) anywhere.exact.set(structuredKey(type, 0), native)
    }
  }

  // Sorted, so that nothing hangs on the order in which files were loaded.
  const files = Object.entries(data.providers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [, { actions, alone, prefixes }] of files) addAll(prefixes, alone, Object.entries(actions))
  addAll([], true, readings(data.words.readings))
  for (const [key, native] of unreadable) if (!anywhere.exact.has(key)) anywhere.exact.set(key, native)
  return { anywhere, byPrefix }
}
