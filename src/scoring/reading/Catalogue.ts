/** The catalogues: the names that each provider gives its own tools and operations. */

import type { DataClassification, Reversibility } from "../../domain/Action.ts"
import { type Act, type ActClass, actClasses, type ActExtent, type Impact, impacts } from "./Act.ts"
import { splitName, type SplitName } from "./splitName.ts"

export interface CatalogueEntry {
  /** `<object>.<verb>` */
  readonly type: string
  readonly class: ActClass
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

export interface ProviderData {
  /** What stands in front of a name: `github`, `gh`. Lower case. */
  readonly prefixes: ReadonlyArray<string>
  /** What callers write as target_system. The prefixes count as well. */
  readonly systems?: ReadonlyArray<string>
  /** True if a single word without a prefix is clear: `Grep`. */
  readonly alone?: boolean
  readonly actions: Readonly<Record<string, CatalogueEntry>>
}

export interface ListedAct extends Act {
  readonly provider: string
}

interface Provider {
  readonly name: string
  readonly entries: ReadonlyMap<string, CatalogueEntry>
}

interface ProviderEntry {
  readonly provider: string
  readonly entry: CatalogueEntry
  /** Providers mean different things by the name. This is the riskiest of them. */
  readonly disputed?: boolean
}

export interface Catalogue {
  readonly byPrefix: ReadonlyMap<string, ReadonlyArray<Provider>>
  readonly bySystem: ReadonlyMap<string, ReadonlyArray<Provider>>
  /** Names of any provider that are clear without one; of several meanings the riskiest. */
  readonly anywhere: ReadonlyMap<string, ProviderEntry>
  /** The longest name of a prefix, in words. */
  readonly prefixWordsMax: number
}

const isNeverKnown = (): boolean => false

/** All words run together: `s3:DeleteObject`, `s3_delete_object` and `S3 delete-object` share one key. */
const keyOf = (words: ReadonlyArray<string>, from = 0): string => {
  let key = ""
  for (let at = from; at < words.length; at++) key += words[at] ?? ""
  return key
}

/** `/users/{id}/lock` and `/users/:id/lock` → `/users/ /lock`: the names of parameters differ from caller to caller. */
export const withoutParameters = (name: string): string =>
  name.includes("/") ? name.replaceAll(/\{[^{}]*\}|(?<=\/):[a-z_]+/gi, " ") : name

const isPlain = /^[ -~]*$/

/** The key of a text, quickly where it is ASCII: there humps and separators vanish alike. */
const keyOfText = (text: string): string => {
  const name = withoutParameters(text)
  return isPlain.test(name)
    ? name
        .toLowerCase()
        .replaceAll("*", "all")
        .replace(/[^a-z0-9]+/g, "")
    : keyOf(splitName(name, isNeverKnown).words)
}

const riskOf = ({ class: own, impact = "low" }: CatalogueEntry): number =>
  impacts.indexOf(impact) * actClasses.length + actClasses.indexOf(own)

const toListed = ({ entry, provider }: ProviderEntry): ListedAct => ({
  provider,
  type: entry.type,
  class: entry.class,
  impact: entry.impact ?? "low",
  extent: entry.extent ?? "single",
  holds: entry.holds ?? "internal",
  anywhere: entry.anywhere === true,
  credential: entry.credential === true,
  weakens: entry.weakens === true,
  ...(entry.reversibility === undefined ? {} : { reversibility: entry.reversibility })
})

const push = <A>(map: Map<string, Array<A>>, key: string, value: A): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else if (!list.includes(value)) list.push(value)
}

export const prepareCatalogue = (providers: Readonly<Record<string, ProviderData>>): Catalogue => {
  const byPrefix = new Map<string, Array<Provider>>()
  const bySystem = new Map<string, Array<Provider>>()
  const anywhere = new Map<string, ProviderEntry>()
  let prefixWordsMax = 1
  // Sorted, so that the order in which files were loaded has no effect.
  for (const [name, data] of Object.entries(providers).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const entries = new Map<string, CatalogueEntry>()
    const provider: Provider = { name, entries }
    for (const prefix of data.prefixes) {
      const { words } = splitName(prefix, isNeverKnown)
      prefixWordsMax = Math.max(prefixWordsMax, words.length)
      push(byPrefix, keyOf(words), provider)
    }
    for (const system of [...data.prefixes, ...(data.systems ?? [])])
      push(bySystem, keyOfText(system), provider)
    for (const [spelled, entry] of Object.entries(data.actions)) {
      const key = keyOfText(spelled)
      entries.set(key, entry)
      if (data.alone !== true && !hasSeveralWords.test(spelled)) continue
      const known = anywhere.get(key)
      if (known === undefined) anywhere.set(key, { provider: name, entry })
      else if (riskOf(entry) !== riskOf(known.entry)) {
        const riskiest = riskOf(entry) > riskOf(known.entry) ? { provider: name, entry } : known
        anywhere.set(key, { ...riskiest, disputed: true })
      }
    }
  }
  return { byPrefix, bySystem, anywhere, prefixWordsMax }
}

const hasSeveralWords = /[\s_\-.:/]|[a-z][A-Z]/

const none: ReadonlyArray<Provider> = []

/** The providers that a target system names: as a whole, or by its words. */
const providersOfSystem = (system: string | undefined, catalogue: Catalogue): ReadonlyArray<Provider> => {
  if (system === undefined) return none
  const whole = catalogue.bySystem.get(keyOfText(system))
  if (whole !== undefined) return whole
  const { words } = splitName(system, isNeverKnown)
  return words.flatMap((word) => catalogue.bySystem.get(word) ?? none)
}

export interface CatalogueMatch {
  readonly act: ListedAct | undefined
  /** Providers that were not named list the name, or several with different meanings do: the riskiest of them. */
  readonly elsewhere: ListedAct | undefined
  /** A provider was named in front of the name or by the target system. */
  readonly provider: string | undefined
  /** Where the name begins behind its wrappers and providers. */
  readonly from: number
}

const wrappersMax = 8

const firstIn = (providers: ReadonlyArray<Provider>, key: string): ListedAct | undefined => {
  for (const { entries, name } of providers) {
    const entry = entries.get(key)
    if (entry !== undefined) return toListed({ provider: name, entry })
  }
  return undefined
}

/**
 * Looks up a name with the wrappers and providers in front of it, and without them: `mcp__github__create_issue` is looked up
 * whole, as `github create issue`, and as GitHub's `create issue`. A name of the provider that is named wins.
 * `server`: how many words in front name a server of tools, whatever they are.
 */
export const findListed = (
  { words }: SplitName,
  server: number,
  system: string | undefined,
  catalogue: Catalogue,
  isWrapper: (word: string) => boolean
): CatalogueMatch => {
  const starts: Array<number> = [0]
  const named: Array<Provider> = []
  let at = 0
  while (at < words.length && starts.length <= wrappersMax) {
    const step = prefixAt(words, at, catalogue)
    if (step !== undefined) {
      named.push(...step.providers)
      at += step.length
    } else if (at < server || isWrapper(words[at] ?? "")) at++
    else break
    if (at < words.length) starts.push(at)
  }
  const hinted = [...named, ...providersOfSystem(system, catalogue)]
  const provider = hinted[0]?.name
  const from = Math.max(starts.at(-1) ?? 0, Math.min(server, words.length - 1))
  for (const start of starts) {
    const act = firstIn(hinted, keyOf(words, start))
    if (act !== undefined) return { act, elsewhere: undefined, provider: act.provider, from: start }
  }
  for (const start of starts) {
    const known = catalogue.anywhere.get(keyOf(words, start))
    if (known === undefined) continue
    const act = toListed(known)
    const clear = provider === undefined && known.disputed !== true
    return { act: clear ? act : undefined, elsewhere: act, provider, from: start }
  }
  return { act: undefined, elsewhere: undefined, provider, from }
}

const prefixAt = (
  words: ReadonlyArray<string>,
  at: number,
  { byPrefix, prefixWordsMax }: Catalogue
): { readonly providers: ReadonlyArray<Provider>; readonly length: number } | undefined => {
  for (let length = Math.min(prefixWordsMax, words.length - at); length > 0; length--) {
    const providers = byPrefix.get(keyOf(words.slice(at, at + length)))
    if (providers !== undefined) return { providers, length }
  }
  return undefined
}
