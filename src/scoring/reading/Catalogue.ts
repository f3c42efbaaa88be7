/** The catalogues: the names that each provider gives its own tools and operations. */

import type { ActionClass, DataClassification, Reversibility } from "../../domain/Action.ts"
import { type Act, type ActExtent, type Impact, riskOf } from "./Act.ts"
import { splitName, type SplitName } from "../names/splitName.ts"

export interface CatalogueEntry {
  /** `<object>.<verb>`. Absent: derived from the words of the name. */
  readonly type?: string
  readonly class: ActionClass
  /** Absent: low. */
  readonly impact?: Impact
  /** Absent: single. */
  readonly extent?: ActExtent
  /** Absent: internal. */
  readonly holds?: DataClassification
  readonly anywhere?: boolean
  readonly credential?: boolean
  readonly weakens?: boolean
  readonly reversibility?: Reversibility
  readonly why?: string
}

export interface ListedAct extends Omit<Act, "type"> {
  readonly provider: string
  /** The name as written in the provider's file. */
  readonly spelled: string
  readonly type?: string
}

export interface Provider {
  readonly name: string
  readonly alone: ReadonlySet<string>
  /** True: no name of this provider counts unless the call names the provider. A set: only these names need that. */
  readonly onlyWhenNamed: boolean | ReadonlySet<string>
}

export interface Listing {
  readonly provider: Provider
  readonly spelled: string
  readonly entry: CatalogueEntry
  /** The next provider that lists the same name. */
  readonly next: Listing | undefined
}

/** Provider names that are looked up together. */
export type Providers = ReadonlyArray<string>

/** The providers that a prefix or a target system names. */
export interface Named {
  readonly own: Providers
  /** The products that belong to any suite in `own`. */
  readonly parts: Providers
}

/** A service of a provider, and the prefix of its names. */
export interface NamedService {
  readonly provider: string
  readonly part: string
}

export interface Catalogue {
  readonly services: ReadonlyMap<string, NamedService>
  readonly byPrefix: ReadonlyMap<string, Named>
  readonly bySystem: ReadonlyMap<string, Named>
  readonly names: ReadonlyMap<string, Listing>
  /** Providers whose tools act on remote machines or accounts. */
  readonly hosted: ReadonlySet<string>
  /** The length of the longest provider prefix, in words. */
  readonly prefixWordsMax: number
}

const isNeverKnown = (): boolean => false

/** All words joined without separators, so that `s3:DeleteObject`, `s3_delete_object` and `S3 delete-object` share one key. */
const keyOf = (words: ReadonlyArray<string>, from = 0): string => {
  let key = ""
  for (let at = from; at < words.length; at++) key += words[at] ?? ""
  return key
}

/** Path segments that only give an API's mount point or version. */
const isVersion = /^v?\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?$/
const isMount = /^(?:apis?|rest|services?|fhir|base|r[2-6]|baser[2-6]|stu3|dstu2|beta|stable|latest)$/

/** `:id`, `<id>`, and segments that look like a value: `42`, `po_1Nx2`, a UUID. */
const isParameter = /^(?:[:<[].*|\d+|[a-z]{1,8}_(?=\w*\d)\w{2,}|(?=.*\d)[\da-f-]{8,})$/i
const inlineParameter = /\{[^{}]*\}|\([^()]*\)/g

const httpName = /^(?:(get|head|options|post|put|patch|delete)\s+)?\/(.*)$/is

/** The words of a path that name things: `POST /v1/payouts/{id}/cancel` → `POST payouts/cancel`. */
const plainPath = (method: string, path: string): string => {
  const segments = path
    .replace(/\?.*$/s, "")
    .split("/")
    .map((segment) => (isParameter.test(segment) ? "" : segment.replaceAll(inlineParameter, " ").trim()))
    .filter((segment) => segment !== "" && !isVersion.test(segment.toLowerCase()))
  let from = 0
  while (from < segments.length - 1 && isMount.test((segments[from] ?? "").toLowerCase())) from++
  return `${method} ${segments.slice(from).join("/")}`
}

/**
 * A name without the parts that vary between callers: path parameters and the API's mount point. `/users/{id}/lock` and
 * `/v2/users/:id/lock` become one name.
 */
export const withoutParameters = (name: string): string => {
  if (!name.includes("/")) return name
  const http = httpName.exec(name)
  return http === null
    ? name.replaceAll(/\{[^{}]*\}|(?<=\/):[a-z_]+/gi, " ")
    : plainPath(http[1] ?? "", http[2] ?? "")
}

const isSnake = /^[a-z0-9_]*$/
const isWords = /^[\w .:-]*$/
const isPlain = /^[ -~]*$/

/** The key of a text. The fast path handles ASCII, where word boundaries in camel case and separators disappear in the same way. */
export const keyOfText = (text: string): string => {
  if (isSnake.test(text)) return text.replaceAll("_", "")
  if (isWords.test(text)) return text.toLowerCase().replace(/[_ .:-]/g, "")
  const name = withoutParameters(text)
  return isPlain.test(name)
    ? name
        .toLowerCase()
        .replaceAll("*", "all")
        .replace(/[^a-z0-9]/g, "")
    : keyOf(splitName(name, isNeverKnown).words)
}

const riskOfEntry = ({ class: own, impact = "low" }: CatalogueEntry): number => riskOf({ class: own, impact })

const toListed = ({ entry, provider, spelled }: Listing): ListedAct => ({
  provider: provider.name,
  spelled,
  class: entry.class,
  impact: entry.impact ?? "low",
  others: [],
  extent: entry.extent ?? "single",
  holds: entry.holds ?? "internal",
  anywhere: entry.anywhere === true,
  credential: entry.credential === true,
  weakens: entry.weakens === true,
  remote: false,
  ...(entry.type === undefined ? {} : { type: entry.type }),
  ...(entry.reversibility === undefined ? {} : { reversibility: entry.reversibility })
})

/** The riskiest meaning of a name among the providers that may answer for it. */
const riskiestOf = (
  first: Listing | undefined,
  mayAnswer: (listing: Listing) => boolean
): ListedAct | undefined => {
  let worst: Listing | undefined
  for (let one = first; one !== undefined; one = one.next) {
    if (mayAnswer(one) && (worst === undefined || riskOfEntry(one.entry) >= riskOfEntry(worst.entry)))
      worst = one
  }
  return worst === undefined ? undefined : toListed(worst)
}

/**
 * The meaning of a name for the providers that the call names. The provider named closest to the tool's name wins; products of a suite come
 * last.
 */
const ofNamed = (first: Listing | undefined, named: ReadonlyArray<Named>): ListedAct | undefined => {
  if (first === undefined) return undefined
  for (const key of ["own", "parts"] as const) {
    for (const one of named) {
      const found = riskiestOf(first, ({ provider }) => one[key].includes(provider.name))
      if (found !== undefined) return found
    }
  }
  return undefined
}

const hasSeveralWords = /[\s_\-.:/]|[a-z][A-Z]/

/** Whether a name counts when the call names no provider. */
const isClear = ({ provider: { alone, onlyWhenNamed }, spelled }: Listing): boolean =>
  !(typeof onlyWhenNamed === "boolean" ? onlyWhenNamed : onlyWhenNamed.has(spelled)) &&
  (hasSeveralWords.test(spelled) || alone.has(spelled))

const ofAny = (first: Listing | undefined): ListedAct | undefined => riskiestOf(first, isClear)

/** Whether the providers that list a name give it acts of different risk. */
const isDisputed = (first: Listing | undefined): boolean => {
  let risk: number | undefined
  for (let one = first; one !== undefined; one = one.next) {
    if (!isClear(one)) continue
    if (risk !== undefined && risk !== riskOfEntry(one.entry)) return true
    risk = riskOfEntry(one.entry)
  }
  return false
}

export interface CatalogueMatch {
  readonly act: ListedAct | undefined
  /** The riskiest meaning when the call names none of the providers that list the name, or when several of them disagree. */
  readonly elsewhere: ListedAct | undefined
  /** The provider that the call names, before the tool's name or as the target system. */
  readonly provider: string | undefined
  /** The index of the word where the name itself begins, after wrappers and providers. */
  readonly from: number
}

const wrappersMax = 8

interface Hints {
  /** Named before the tool's name or as the target system. If they do not list the name, no other provider answers for it. */
  readonly strong: ReadonlyArray<Named>
  /** Named by one word among others, or by a word that may be the object instead: `drive.files.list`. */
  readonly weak: ReadonlyArray<Named>
}

/** The providers that a target system names, either by its whole text or by single words. */
const hintsOfSystem = (system: string | undefined, { bySystem }: Catalogue): Hints => {
  if (system === undefined) return { strong: [], weak: [] }
  const whole = bySystem.get(keyOfText(system))
  if (whole !== undefined) return { strong: [whole], weak: [] }
  const words = new Set(splitName(system, isNeverKnown).words)
  const lower = system.toLowerCase()
  if (lower !== system) for (const word of splitName(lower, isNeverKnown).words) words.add(word)
  return { strong: [], weak: [...words].flatMap((word) => bySystem.get(word) ?? []) }
}

/** Example: with the target system `aurora`, AWS lists `DeleteDBCluster` as `rds:DeleteDBCluster`. */
const ofService = (
  words: ReadonlyArray<string>,
  starts: ReadonlyArray<number>,
  system: string | undefined,
  { names, services }: Catalogue
): ListedAct | undefined => {
  const service = system === undefined ? undefined : services.get(keyOfText(system))
  if (service === undefined) return undefined
  for (const start of starts) {
    const first = names.get(service.part + keyOf(words, start))
    const found = riskiestOf(first, ({ provider }) => provider.name === service.provider)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The provider whose name matches the tool server or the first part of a dotted name, and the index where the tool's own name begins after
 * it.
 */
const hintOfPart = (
  { parts, words }: SplitName,
  server: number,
  { bySystem }: Catalogue
): { readonly weak: ReadonlyArray<Named>; readonly start: number | undefined } => {
  const end = server > 0 ? server : parts.findIndex((part) => part !== parts[0])
  const found = end < 1 ? undefined : bySystem.get(keyOf(words.slice(server > 0 ? 1 : 0, end)))
  return found === undefined ? { weak: [], start: undefined } : { weak: [found], start: end }
}

/** The possible first words of a name, from the whole name down to the name without its wrappers and providers. */
const startsOf = (
  words: ReadonlyArray<string>,
  server: number,
  catalogue: Catalogue,
  isWrapper: (word: string) => boolean
): { readonly starts: ReadonlyArray<number>; readonly named: ReadonlyArray<Named> } => {
  const starts: Array<number> = [0]
  const named: Array<Named> = []
  let at = 0
  while (at < words.length && starts.length <= wrappersMax) {
    const step = prefixAt(words, at, catalogue)
    if (step !== undefined) {
      named.unshift(step.named)
      at += step.length
    } else if (at < server || isWrapper(words[at] ?? "")) at++
    else break
    if (at < words.length) starts.push(at)
  }
  return { starts, named }
}

/**
 * Looks up a name with and without the wrappers and providers before it: `mcp__github__create_issue` is looked up whole, as `github create
 * issue`, and as GitHub's `create issue`. A name listed by the provider that the call names wins. A longer name wins over a shorter one,
 * because `docs search` may be a tool of its own and not a search of Google Docs. `server`: how many leading words name a tool server.
 */
export const findListed = (
  split: SplitName,
  server: number,
  system: string | undefined,
  catalogue: Catalogue,
  isWrapper: (word: string) => boolean
): CatalogueMatch => {
  const { words } = split
  const { named, starts } = startsOf(words, server, catalogue, isWrapper)
  const ofSystem = hintsOfSystem(system, catalogue)
  const ofPart = hintOfPart(split, server, catalogue)
  const strong = [...named, ...ofSystem.strong]
  const hinted = [...strong, ...ofPart.weak, ...ofSystem.weak]
  const provider = strong[0]?.own[0]
  const last = starts.at(-1) ?? 0
  const from = Math.max(last, Math.min(server, words.length - 1))
  const served = ofService(words, starts, system, catalogue)
  if (served !== undefined) return { act: served, elsewhere: undefined, provider: served.provider, from }
  let elsewhere: ListedAct | undefined
  for (const start of starts) {
    const first = catalogue.names.get(keyOf(words, start))
    const act = ofNamed(first, hinted)
    if (act !== undefined) return { act, elsewhere: undefined, provider: act.provider, from: start }
    const other = ofAny(first)
    if (other === undefined) continue
    if ((start < last || provider === undefined) && !isDisputed(first)) {
      return { act: other, elsewhere: other, provider: other.provider, from: start }
    }
    elsewhere ??= other
  }
  if (ofPart.start !== undefined) {
    const act = ofNamed(catalogue.names.get(keyOf(words, ofPart.start)), ofPart.weak)
    if (act !== undefined) return { act, elsewhere: undefined, provider: act.provider, from }
  }
  return { act: undefined, elsewhere, provider, from }
}

const prefixAt = (
  words: ReadonlyArray<string>,
  at: number,
  { byPrefix, prefixWordsMax }: Catalogue
): { readonly named: Named; readonly length: number } | undefined => {
  const most = Math.min(prefixWordsMax, words.length - at)
  let key = ""
  let longest: ReturnType<typeof prefixAt>
  for (let length = 1; length <= most; length++) {
    key += words[at + length - 1] ?? ""
    const named = byPrefix.get(key)
    if (named !== undefined) longest = { named, length }
  }
  return longest
}
