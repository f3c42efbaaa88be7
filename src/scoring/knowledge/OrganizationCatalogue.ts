/** The catalogue of an organization: what it states about its own tools, systems and agents, and which entries apply to a call. */

import type {
  Action,
  ActionClass,
  DataClassification,
  Environment,
  Reversibility
} from "../../domain/Action.ts"
import { isoDay } from "../../domain/Day.ts"
import { visibleText } from "../names/lookalike.ts"
import type { ActExtent, Impact } from "../reading/Act.ts"
import { keyOfText, withoutParameters } from "../reading/Catalogue.ts"
import { hostIn } from "../reading/commands/landing.ts"
import { globFits } from "../reading/commands/paths.ts"
import type { Vocabulary } from "../reading/Vocabulary.ts"
import { splitName } from "../names/splitName.ts"

/** The subject of an entry: exactly one of these. */
export interface EntrySubject {
  /** The full name of an action. */
  readonly action?: string
  /** The prefix of names: a provider, or a tool server. */
  readonly prefix?: string
  readonly targetSystem?: string
  readonly agentId?: string
  /** Mail addresses in this domain and its subdomains. */
  readonly recipientDomain?: string
  /** A host, context, account, profile or project, in lower case; `*` matches any characters. */
  readonly place?: string
}

/** The effect of a tool, as stated by entries. */
export interface KnownAct {
  readonly class?: ActionClass
  readonly impact?: Impact
  readonly extent?: ActExtent
  /** The sensitivity of the data that the tool acts on. */
  readonly holds?: DataClassification
  /** The domains of the organization's own people, each with the id of its entry. */
  readonly people?: ReadonlyMap<string, string>
  /** The organization's places outside production, each with the id of its entry. */
  readonly places?: ReadonlyMap<string, string>
}

export interface OrganizationEntry extends Omit<KnownAct, "people" | "places"> {
  /** Unique within its catalogue. */
  readonly id: string
  readonly match: EntrySubject
  /** ISO date of the last day on which the entry counts. */
  readonly reviewBy: string
  /**
   * Production: every matching action counts as production, whatever environment is stated. Any other value, which is allowed only with
   * `place`: no action there counts as production.
   */
  readonly environment?: Environment
  readonly entitiesAffected?: number
  readonly recordsAffected?: number
  /** In units of `currency`, which is then always present. */
  readonly financialValue?: number
  /** In upper case. */
  readonly currency?: string
  readonly destination?: string
  readonly dataClassification?: DataClassification
  readonly reversibility?: Reversibility
  readonly privilegeChange?: boolean
  readonly productionImpact?: boolean
  /** The matching people belong to the organization. */
  readonly inside?: true
}

type Entries = ReadonlyArray<OrganizationEntry>
type EntriesByKey = ReadonlyMap<string, Entries>

export interface OrganizationCatalogue {
  /** Ascending by id. */
  readonly entries: Entries
  readonly byAction: EntriesByKey
  readonly byPrefix: EntriesByKey
  readonly bySystem: EntriesByKey
  readonly byAgent: EntriesByKey
  readonly byDomain: EntriesByKey
  readonly byPlace: EntriesByKey
  /** The length of the longest prefix key. */
  readonly prefixLengthMax: number
  /** One representative agent for each distinct set of statements about agents. */
  readonly agents: ReadonlyArray<string>
}

/** The key of an entry's subject, shared by all spellings that are read as one name. Empty if the name has no meaningful words. */
export const keyOfSubject = ({
  action,
  agentId,
  place,
  prefix,
  recipientDomain,
  targetSystem
}: EntrySubject): string =>
  recipientDomain ??
  place ??
  (agentId === undefined ? keyOfText(action ?? prefix ?? targetSystem ?? "") : visibleText(agentId))

const grouped = (entries: Entries, kind: keyof EntrySubject): EntriesByKey =>
  Map.groupBy(
    entries.filter(({ match }) => match[kind] !== undefined && keyOfSubject(match) !== ""),
    ({ match }) => keyOfSubject(match)
  )

/** The statements of entries as text, without their subjects. */
const saidOf = (entries: Entries): string =>
  JSON.stringify(entries.map(({ id: _id, match: _match, ...said }) => said))

export const prepareOrganizationCatalogue = (entries: Entries): OrganizationCatalogue => {
  // Sorted, so that the order in the file has no effect.
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const byPrefix = grouped(sorted, "prefix")
  const byAgent = grouped(sorted, "agentId")
  return {
    entries: sorted,
    byAction: grouped(sorted, "action"),
    byPrefix,
    bySystem: grouped(sorted, "targetSystem"),
    byAgent,
    byDomain: grouped(sorted, "recipientDomain"),
    byPlace: grouped(sorted, "place"),
    prefixLengthMax: Math.max(0, ...[...byPrefix.keys()].map(({ length }) => length)),
    agents: [...new Map([...byAgent].map(([agent, own]) => [saidOf(own), agent])).values()]
  }
}

/** The fields of a call that can name a place. Includes metadata, because it holds tool arguments and long commands. */
type Placed = Pick<Action, "metadata" | "targetResource" | "targetSystem">

/** The values of the places that a call names, either by a word or as the host of an address. */
export const placesNamed = <A>(
  { metadata, targetResource = "", targetSystem = "" }: Placed,
  byPlace: ReadonlyMap<string, A>
): ReadonlyArray<A> => {
  const text = `${targetSystem} ${targetResource} ${JSON.stringify(metadata ?? {})}`
  const words = text.toLowerCase().split(/[\s=,;'"`()|&<>{}[\]\\]+/)
  const named = new Set([...words, ...words.map(hostIn)])
  const names = (place: string): boolean =>
    place.includes("*") ? [...named].some((word) => globFits(place, word)) : named.has(place)
  return [...byPlace].flatMap(([place, value]) => (names(place) ? [value] : []))
}

/** The entries that apply to one call. */
export interface EntriesOfCall {
  /** Entries for the exact name of the action. They take precedence over the others. */
  readonly exact: Entries
  /** Entries for its prefix, system, agent, or a place that it names. */
  readonly broad: Entries
  /** Whether an entry would have applied if its date had not passed. */
  readonly expired: boolean
}

const none: Entries = []

/** Entries for the name, also after removing `mcp` and other leading words that only say how the tool is called. */
const entriesOfName = (
  name: string,
  { byAction, byPrefix, prefixLengthMax }: OrganizationCatalogue,
  vocabulary: Vocabulary
): { readonly exact: Entries; readonly broad: Entries } => {
  const exact = byAction.get(keyOfText(name)) ?? none
  const { words } = splitName(withoutParameters(name), vocabulary.isKnown)
  let from = 0
  while (from < words.length - 1 && vocabulary.sets.wrappers.has(words[from] ?? "")) from++
  const prefixed = new Set<OrganizationEntry>()
  for (const start of from === 0 ? [0] : [0, from]) {
    let key = ""
    // A prefix ends at a word boundary, and at least one word follows it.
    for (let at = start; at < words.length - 1 && key.length < prefixLengthMax; at++) {
      key += words[at] ?? ""
      for (const entry of byPrefix.get(key) ?? none) prefixed.add(entry)
    }
  }
  const unwrapped = from === 0 || exact.length > 0 ? exact : byAction.get(words.slice(from).join(""))
  return { exact: unwrapped ?? none, broad: [...prefixed] }
}

/**
 * The entries that count for an action on a day (ISO date). Undefined if the catalogue has no entry for it. Without a day, every entry
 * counts.
 */
export const entriesOfCall = (
  action: Pick<Action, "actionType" | "agentId"> & Placed,
  catalogue: OrganizationCatalogue,
  vocabulary: Vocabulary,
  day: string | undefined
): EntriesOfCall | undefined => {
  const { byAction, byAgent, byPlace, byPrefix, bySystem } = catalogue
  const named =
    byAction.size + byPrefix.size === 0
      ? { exact: none, broad: none }
      : entriesOfName(action.actionType, catalogue, vocabulary)
  const { agentId, targetSystem } = action
  const ofSystem = targetSystem === undefined ? none : (bySystem.get(keyOfText(targetSystem)) ?? none)
  const ofAgent = agentId === undefined ? none : (byAgent.get(visibleText(agentId)) ?? none)
  const ofPlaces =
    byPlace.size === 0
      ? none
      : placesNamed(action, byPlace)
          .flat()
          .filter(({ environment }) => environment === "production")
  const broad = [...named.broad, ...ofSystem, ...ofAgent, ...ofPlaces]
  if (named.exact.length + broad.length === 0) return undefined
  const counts = (entry: OrganizationEntry): boolean => isOn(day, entry)
  return {
    exact: named.exact.filter(counts),
    broad: broad.filter(counts),
    expired: ![...named.exact, ...broad].every(counts)
  }
}

const isOn = (day: string | undefined, { reviewBy }: OrganizationEntry): boolean =>
  day === undefined || day <= reviewBy

/** For each key, the first entry that counts. Undefined if no entry counts. */
const countedOn = (
  entriesByKey: EntriesByKey,
  counts: (entry: OrganizationEntry) => boolean
): ReadonlyMap<string, string> | undefined => {
  const counted = [...entriesByKey].flatMap(([key, entries]) => {
    const entry = entries.find(counts)
    return entry === undefined ? [] : [[key, entry.id] as const]
  })
  return counted.length === 0 ? undefined : new Map(counted)
}

/** The domains of the organization's own people on a day. Undefined if no entry states any. */
export const peopleOn = ({ byDomain }: OrganizationCatalogue, day: string | undefined): KnownAct["people"] =>
  countedOn(byDomain, (entry) => isOn(day, entry))

/** The organization's places outside production on a day. Undefined if no entry states any. */
export const placesOn = ({ byPlace }: OrganizationCatalogue, day: string | undefined): KnownAct["places"] =>
  countedOn(byPlace, (entry) => isOn(day, entry) && entry.environment !== "production")

/** The catalogue of an organization, as of a day. */
export interface Knowledge {
  readonly catalogue: OrganizationCatalogue | undefined
  /** ISO date of the assessment. Undefined: unknown, so no entry counts as expired. */
  readonly day: string | undefined
}

/** The catalogue of a policy set, as of a time in milliseconds since 1970. */
export const knowledgeAt = (
  { catalogue }: { readonly catalogue?: OrganizationCatalogue },
  atMs: number
): Knowledge => ({
  catalogue,
  day: isoDay(atMs)
})
