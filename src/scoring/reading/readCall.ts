/** Reads a call: which verb on which object of which provider it is, by catalogue, by name, by its command, and by its arguments. */

import type { Action, DataClassification, Environment } from "../../domain/Action.ts"
import { dataClassifications } from "../../domain/Action.ts"
import { type Act, actClasses, impacts } from "./Act.ts"
import { type Catalogue, findListed, withoutParameters } from "./Catalogue.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"
import { type ArgumentReading, type PreparedSignals, readArguments, withSignals } from "./readArguments.ts"
import { type ImpactTable, type NameReading, readName, weigh } from "./readName.ts"
import { splitName, type SplitName } from "./splitName.ts"

export interface Lexicon {
  readonly vocabulary: Vocabulary
  readonly catalogue: Catalogue
  readonly impacts: ImpactTable
  readonly signals: PreparedSignals
  readonly readCommand: (text: string, language: "shell" | "sql" | "any") => CommandReading | undefined
}

export interface CommandReading {
  /** Riskiest first. */
  readonly acts: ReadonlyArray<Act & { readonly command: string }>
  readonly unread: boolean
}

export interface Reading extends Act {
  readonly by: "catalogue" | "provider" | "name" | "command"
  readonly provider: string | undefined
  readonly verb: string | undefined
  readonly object: string | undefined
  readonly kind: ObjectKind
  readonly soft: boolean
  readonly admin: boolean
  readonly environment: Environment
  readonly everything: boolean
  /** The command was not understood, or an execute tool came without one. */
  readonly unread: boolean
  /** The description or the metadata holds a riskier command than the call. */
  readonly contradicted: boolean
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

/** `POST /v1/payouts/{id}/cancel`: the method is the verb, and the last word of the path too where it is no collection. */
const splitHttp = (name: string, vocabulary: Vocabulary): SplitName | undefined => {
  const method = httpMethod.exec(name)?.[1]?.toLowerCase()
  if (method === undefined) return undefined
  const path = withoutParameters(name.slice(method.length)).replace(/\?.*$/s, "")
  const segments = path.split("/").map((segment) => splitName(segment.trim(), vocabulary.isKnown).words)
  const static_ = segments.filter((words) => words.length > 0 && !/^(?:v\d+(?:\.\d+)?|api|rest|services?)$/.test(words.join("")))
  const words = [methodVerbs[method] ?? "get"]
  const parts = [0]
  const last = static_.at(-1)
  const action =
    method === "get" || last === undefined ? undefined : vocabulary.words.get(last[0] ?? "")
  const acts = action?.verb !== undefined && action.verb.name === last?.[0]
  for (const segment of static_) {
    for (const word of segment) {
      words.push(word)
      parts.push(segment === last && acts ? 1 : 0)
    }
  }
  return { words, parts }
}

/** `mcp__server__tool`: how many words of the name are `mcp` and the server. */
const serverWords = (name: string, vocabulary: Vocabulary): number => {
  const found = /^mcp__(.+?)__(?=.)/i.exec(name)
  return found === null ? 0 : 1 + splitName(found[1] ?? "", vocabulary.isKnown).words.length
}

const slice = ({ parts, words }: SplitName, from: number): SplitName => ({
  words: words.slice(from),
  parts: parts.slice(from)
})

const riskiest = <A extends Act>(a: A, b: A): A => {
  const [impactA, impactB] = [impacts.indexOf(a.impact), impacts.indexOf(b.impact)]
  if (impactA !== impactB) return impactA > impactB ? a : b
  return actClasses.indexOf(a.class) >= actClasses.indexOf(b.class) ? a : b
}

const moreSensitive = (a: DataClassification, b: DataClassification | undefined): DataClassification =>
  b !== undefined && dataClassifications.indexOf(b) > dataClassifications.indexOf(a) ? b : a

/** Objects that say nothing: what the resource names is the object. */
const generic: ReadonlySet<string> = new Set([
  "resource",
  "object",
  "item",
  "record",
  "entity",
  "node",
  "element",
  "thing",
  "data",
  "document",
  "file",
  "content"
])

const takesSql = /(?:^|_)(?:sql|soql|suiteql|esql|query|queries|migration|statement)(?:_|$)/
const sqlStart = /^\s*(?:--|\/\*|select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|merge|explain|copy|call|exec|begin|from|show|describe|set|vacuum|replace)\b/i
const takesShell = /(?:^|_)(?:bash|shell|command|commands|terminal|ssh|exec|execute|process|powershell|cmd|run|console|script)(?:_|$)/

/** In which language the resource of a call is a command, if it is one. */
const languageOf = (
  { words }: SplitName,
  act: Act,
  resource: string
): "shell" | "sql" | "any" | undefined => {
  const name = words.join("_")
  if (takesSql.test(name) && sqlStart.test(resource)) return "sql"
  if (takesShell.test(name) || act.class === "execute") return sqlStart.test(resource) && !/^\s*(?:with|from|set|exec|call|show|copy|replace|create)\b/i.test(resource) && /\b(?:from|into|table|set|select|database|grant|revoke|index)\b/i.test(resource) ? "sql" : "shell"
  return undefined
}

const namesProduction = (text: string | undefined, { isKnown, sets }: Vocabulary): boolean => {
  if (text === undefined) return false
  const { words } = splitName(text, isKnown)
  return words.some(
    (word, at) => sets.production.has(word.replace(/\d+$/, "")) && !sets.negations.has(words[at - 1] ?? "")
  )
}

const readEnvironment = (action: Action, vocabulary: Vocabulary): Environment =>
  action.environment !== "production" &&
  [action.targetSystem, action.targetResource, action.destination].some((text) =>
    namesProduction(text, vocabulary)
  )
    ? "production"
    : action.environment

export const readCall = (action: Action, lexicon: Lexicon): Reading => {
  const { vocabulary } = lexicon
  const http = splitHttp(action.actionType, vocabulary)
  const split = splitName(withoutParameters(action.actionType), vocabulary.isKnown)
  const listed = findListed(
    split,
    serverWords(action.actionType, vocabulary),
    action.targetSystem,
    lexicon.catalogue,
    (word) => vocabulary.sets.wrappers.has(word)
  )
  const named = readName(http ?? slice(split, listed.from), vocabulary, lexicon.impacts)
  const args = readArguments(action, vocabulary, lexicon.signals)
  const base: NameReading = listed.act === undefined ? named : { ...named, ...listed.act }
  const language =
    action.targetResource === undefined ? undefined : languageOf(split, base, action.targetResource)
  const command =
    language === undefined ? undefined : lexicon.readCommand(action.targetResource ?? "", language)
  const [first] = command?.acts ?? []
  const act: NameReading = first === undefined ? withObject(base, args, lexicon) : { ...base, ...first, hinted: false }
  const weighed = withSignals({ ...act, holds: first === undefined ? moreSensitive(act.holds, args.holds) : act.holds }, first === undefined ? args.signals : [])
  return {
    ...weighed,
    by: first !== undefined ? "command" : listed.act === undefined ? "name" : "provider",
    provider: listed.provider,
    environment: readEnvironment(action, vocabulary),
    everything: first === undefined && args.everything,
    unread: base.class === "execute" && (command === undefined || command.unread),
    contradicted: false
  }
}

/** What the resource names takes the place of an object that says nothing. */
const withObject = (act: NameReading, { nouns }: ArgumentReading, { impacts: table }: Lexicon): NameReading => {
  if (nouns.length === 0 || (act.object !== undefined && !generic.has(act.object))) return act
  let best = act
  for (const noun of nouns) {
    const one = weigh({ name: act.verb ?? "act", class: act.class, meanings: [] }, noun, table)
    const candidate = { ...act, class: one.class, impact: one.impact, kind: one.kind, object: noun.name }
    best = riskiest(candidate, best)
  }
  return best
}
