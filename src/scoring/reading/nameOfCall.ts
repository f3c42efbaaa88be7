/** Reads the name of a call by its entry in a provider's catalogue and by its words. */

import type { Action } from "../../domain/Action.ts"
import { impacts, riskiest } from "./Act.ts"
import { type Catalogue, type CatalogueMatch, findListed, withoutParameters } from "./Catalogue.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import { type ImpactTable, type NameReading, readName } from "./readName.ts"
import { splitName, type SplitName } from "../names/splitName.ts"

/** The knowledge needed to read names. */
export interface NameLexicon {
  readonly vocabulary: Vocabulary
  readonly catalogue: Catalogue
  readonly impacts: ImpactTable
}

export interface NameOfCall {
  readonly split: SplitName
  /** How many leading words are `mcp` and the server. */
  readonly server: number
  readonly listed: CatalogueMatch
  /** The reading of the words, without the catalogue. */
  readonly named: NameReading
  /** The act from the catalogue, if it counts. */
  readonly provided: CatalogueMatch["act"]
  /** The act from words and catalogue together. */
  readonly own: NameReading
}

const httpMethod = /^(get|head|options|post|put|patch|delete)\s+(?=\/)/i
const methodVerbs: Readonly<Record<string, string>> = {
  get: "get",
  head: "get",
  options: "get",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete"
}

/** Matches `Microsoft.NAV.post`, but not `failover.json`, `setup.run` or `nginx.service`. */
const qualified = /^(?:[A-Z]\w*|microsoft)(?:\.\w+)+$/

/** Splits the end of a path that is posted to where a separator introduces the act: `instances/i:failover`. */
const apart = (end: string): ReadonlyArray<string> | undefined => {
  const at = Math.max(end.lastIndexOf(":"), end.lastIndexOf("."))
  if (at <= 0 || (end.charAt(at) === "." && !qualified.test(end.replace(/^.*\)/, "")))) return undefined
  return [end.slice(0, at), end.slice(at + 1)]
}

/**
 * `POST /v1/payouts/{id}/cancel`: the method is a verb, and so is the last word of the path unless it is a collection. `isApart`: also
 * splits the last segment at its separator; undefined if there is none.
 */
const splitHttp = (name: string, vocabulary: Vocabulary, isApart: boolean): SplitName | undefined => {
  const method = httpMethod.exec(name)?.[1]?.toLowerCase()
  if (method === undefined) return undefined
  const path = withoutParameters(name.slice(method.length)).replace(/\?.*$/s, "")
  const written = path.split("/")
  if (isApart) {
    const ends = method === "post" ? apart(written.pop() ?? "") : undefined
    if (ends === undefined) return undefined
    written.push(...ends)
  }
  const segments = written.map((segment) => splitName(segment.trim(), vocabulary.isKnown).words)
  const kept = segments.filter(
    (words) => words.length > 0 && !/^(?:v\d+(?:\.\d+)?|api|rest|services?)$/.test(words.join(""))
  )
  const words = [methodVerbs[method] ?? "get"]
  const parts = [0]
  const last = kept.at(-1)
  const action = method === "get" || last === undefined ? undefined : vocabulary.words.get(last[0] ?? "")
  const acts = action?.verb !== undefined && action.verb.name === last?.[0]
  for (const segment of kept) {
    for (const word of segment) {
      words.push(word)
      parts.push(segment === last && acts ? 1 : 0)
    }
  }
  return { words, parts }
}

/** `mcp__server__tool`: how many words belong to `mcp` and the server. */
const serverWords = (name: string, vocabulary: Vocabulary): number => {
  const found = /^mcp__(.+?)__(?=.)/i.exec(name)
  return found === null ? 0 : 1 + splitName(found[1] ?? "", vocabulary.isKnown).words.length
}

export const slice = ({ parts, words }: SplitName, from: number): SplitName => ({
  words: words.slice(from),
  parts: parts.slice(from)
})

/**
 * The catalogue's act for a name. If the call names no provider, the provider that lists the name is a guess, so it cannot lower what the
 * words read as a payment. If providers disagree, their act counts only if the words say nothing.
 */
const meaningOf = ({ act, elsewhere }: CatalogueMatch, named: NameReading): CatalogueMatch["act"] => {
  if (named.verb === undefined) return act ?? elsewhere
  const guessed = act !== undefined && act === elsewhere
  const pays =
    named.class === "transact" && impacts.indexOf(named.impact) > impacts.indexOf(act?.impact ?? "low")
  return guessed && pays ? undefined : act
}

export const readNameOfCall = (
  { actionType, targetSystem }: Pick<Action, "actionType" | "targetSystem">,
  { catalogue, impacts: table, vocabulary }: NameLexicon
): NameOfCall => {
  const http = splitHttp(actionType, vocabulary, false)
  const split = splitName(withoutParameters(actionType), vocabulary.isKnown)
  const server = serverWords(actionType, vocabulary)
  const listed = findListed(split, server, targetSystem, catalogue, (word) =>
    vocabulary.sets.wrappers.has(word)
  )
  const whole = readName(http ?? slice(split, listed.from), vocabulary, table)
  const cut = http === undefined ? undefined : splitHttp(actionType, vocabulary, true)
  const isCut = cut !== undefined && cut.parts.at(-1) !== http?.parts.at(-1)
  // `invoices/12/approve:get` approves.
  const named = isCut ? riskiest<NameReading>(readName(cut, vocabulary, table), whole) : whole
  const provided = meaningOf(listed, named)
  return {
    split,
    server,
    listed,
    named,
    provided,
    own: provided === undefined ? named : { ...named, ...provided }
  }
}

/** Whether the name includes a service of its provider: `rds:DeleteDBCluster`. */
const namesService = (
  { provided, split: { parts, words } }: NameOfCall,
  { services }: Catalogue
): boolean => {
  const end = parts.findIndex((part) => part !== parts[0])
  if (end < 1) return false
  const first = words.slice(0, end).join("")
  for (const { part, provider } of services.values())
    if (part === first && provider === provided?.provider) return true
  return false
}

/** The provider of a name. If the call does not name the provider, the match may be a coincidence: the caller may use another product. */
export const providerOf = (name: NameOfCall, catalogue: Catalogue): string | undefined => {
  const { listed, provided } = name
  const isGuessed = provided !== undefined && provided === listed.elsewhere
  return isGuessed && !namesService(name, catalogue) ? undefined : (provided?.provider ?? listed.provider)
}
