/** Reads a call: which verb on which object of which provider it is, by catalogue, by name, by its command, and by its arguments. */

import { type Action, dataClassifications, type Environment } from "../../domain/Action.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { nameAct } from "../knowledge/nameAct.ts"
import { type Act, impacts, riskOf } from "./Act.ts"
import { type Catalogue, type CatalogueMatch, findListed, withoutParameters } from "./Catalogue.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"
import { higher } from "./findObjects.ts"
import type { CommandLanguage, CommandReading } from "./commands/readCommand.ts"
import {
  type ArgumentReading,
  type PreparedSignals,
  mostSensitive,
  readArguments,
  withSignals
} from "./readArguments.ts"
import { type ImpactTable, type NameReading, readName, weigh } from "./readName.ts"
import { splitName, type SplitName } from "./splitName.ts"

export interface Lexicon {
  readonly vocabulary: Vocabulary
  readonly catalogue: Catalogue
  readonly impacts: ImpactTable
  readonly signals: PreparedSignals
  readonly readCommand: (text: string, language: CommandLanguage) => CommandReading | undefined
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
  /** The resource of such a call is a command, read or not. */
  readonly takesCommand: boolean
  /** The command was not understood, or an execute tool came without one. */
  readonly unread: boolean
  /** The description or the metadata holds a riskier command than the call. */
  readonly contradicted: boolean
  /** In a name without a known verb: a word hints at writing, many or outside. */
  readonly hinted: boolean
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

/** `mcp__server__tool`: how many words of the name are `mcp` and the server. */
const serverWords = (name: string, vocabulary: Vocabulary): number => {
  const found = /^mcp__(.+?)__(?=.)/i.exec(name)
  return found === null ? 0 : 1 + splitName(found[1] ?? "", vocabulary.isKnown).words.length
}

const slice = ({ parts, words }: SplitName, from: number): SplitName => ({
  words: words.slice(from),
  parts: parts.slice(from)
})

const riskiest = <A extends Act>(a: A, b: A): A => (riskOf(a) >= riskOf(b) ? a : b)

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

const takesSql = /sql|soql|suiteql|esql|query|queries|migration|statement/
const sqlStart =
  /^\s*(?:--|\/\*|select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|merge|explain|copy|call|exec|begin|from|show|describe|vacuum|replace)\b/i
const sqlOnly =
  /^\s*(?:select\b.*\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(?:table|database|schema)|truncate\s+\w|alter\s+(?:table|role|user)|create\s+(?:table|index|unique|user|role|database)|grant\s|revoke\s)/is
const takesShell =
  /^(?:.*_)?(?:bash|shell|command|commands|terminal|ssh|exec|powershell|cmd|console|script|sh)(?:_.*)?$/

/** In which language the resource of a call is a command, if it is one. */
const languageOf = ({ words }: SplitName, act: Act, resource: string): CommandLanguage | undefined => {
  if (takesSql.test(words.join("")) && sqlStart.test(resource)) return "sql"
  const shell = takesShell.test(words.join("_"))
  if (act.class !== "execute" && !shell) return undefined
  if (sqlOnly.test(resource)) return "sql"
  // `is_destroy=true` would be an assignment in a shell, and a shell is not what every tool runs that executes something.
  return shell ? "shell" : assignments.test(resource) ? undefined : "any"
}
const assignments = /^\s*(?:[\w.-]+=\S*\s*)+$/

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

/**
 * What the catalogue knows of a name. Where no provider was named, the one that lists it is a guess: it makes no act milder that
 * the words read as a payment, and where providers disagree it answers only if the words say nothing.
 */
const meaningOf = ({ act, elsewhere }: CatalogueMatch, named: NameReading): CatalogueMatch["act"] => {
  if (named.verb === undefined) return act ?? elsewhere
  const guessed = act !== undefined && act === elsewhere
  const pays =
    named.class === "transact" && impacts.indexOf(named.impact) > impacts.indexOf(act?.impact ?? "low")
  return guessed && pays ? undefined : act
}

/** `known`: what the organization's catalogue says of the tool, in the place of what a provider's catalogue or its name say. */
export const readCall = (action: Action, lexicon: Lexicon, known?: KnownAct): Reading => {
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
  const provided = meaningOf(listed, named)
  const told: NameReading = provided === undefined ? named : { ...named, ...provided }
  const resource = action.targetResource
  const languageFor = (act: Act) => (resource === undefined ? undefined : languageOf(split, act, resource))
  const base = known === undefined ? told : nameAct(told, known, languageFor(told) !== undefined, lexicon)
  const language = languageFor(base)
  const command = language === undefined ? undefined : lexicon.readCommand(resource ?? "", language)
  const [first] = command?.acts ?? []
  // What a shell would run is never lowered by a word in it that was not understood.
  const signals = takesShell.test(split.words.join("_"))
    ? args.signals.filter(({ lowers }) => lowers !== true)
    : args.signals
  const act =
    first !== undefined
      ? { ...base, ...first, hinted: false }
      : withSignals(language === undefined ? withArguments(base, args, lexicon) : base, signals)
  const beside = tellingCommand(action, lexicon)
  const contradicted =
    beside !== undefined &&
    // What the organization knows of a tool hides no contradiction between the words of its caller.
    (base === told
      ? riskiest<Act>(act, beside) === beside && beside.impact !== act.impact
      : readCall(action, lexicon).contradicted)
  const outward = goesOut(act, action, lexicon)
  const source = provided === undefined ? "name" : "provider"
  return {
    ...(contradicted ? asTold(act, beside) : outward),
    by: first !== undefined ? "command" : base === told ? source : "catalogue",
    provider: provided?.provider ?? listed.provider,
    environment: readEnvironment(action, vocabulary),
    everything: language === undefined && args.everything,
    takesCommand: language !== undefined,
    unread: base.class === "execute" && (command === undefined || command.unread),
    contradicted
  }
}

/** What is uploaded or copied to a stated destination leaves. */
const goesOut = (
  act: NameReading,
  { destination }: Action,
  { impacts: table, vocabulary }: Lexicon
): NameReading =>
  destination !== undefined && act.class === "write" && vocabulary.sets.outward.has(act.verb ?? "")
    ? riskiest({ ...act, class: "export", impact: table.holds.export?.[act.holds] ?? act.impact }, act)
    : act

/**
 * The riskiest command in the prose beside a call. Prose is never knowledge, so it lowers nothing; but who writes that the call
 * does something worse than its arguments say is taken at that word.
 */
const tellingCommand = (action: Action, { readCommand }: Lexicon): Act | undefined => {
  const told = action.metadata?.["command"]
  const texts = [action.actionDescription, typeof told === "string" ? told : undefined]
  let worst: Act | undefined
  for (const text of texts) {
    const [first] = (text === undefined ? undefined : readCommand(text, "any"))?.acts ?? []
    if (first !== undefined) worst = worst === undefined ? first : riskiest<Act>(worst, first)
  }
  return worst
}

/** An act with the riskier command that stands beside it, or one as risky. */
const asTold = (act: NameReading, beside: Act): NameReading =>
  riskOf(act) > riskOf(beside)
    ? { ...act, ...beside, class: act.class, impact: act.impact }
    : { ...act, ...beside }

/** Kinds of things that a path or an address may name by chance. */
const seldomMeant: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "physical",
  "danger",
  "audience",
  "nothing"
])

/** What the resource names takes the place of an object that says nothing. */
const withArguments = (act: NameReading, args: ArgumentReading, { impacts: table }: Lexicon): NameReading => {
  // Whom a message goes to says nothing of what it holds.
  const held = act.class === "communicate" ? args.nouns.filter(({ is }) => is !== "person") : args.nouns
  const holds = higher(dataClassifications, act.holds, mostSensitive(held))
  if (act.object !== undefined && !generic.has(act.object)) return { ...act, holds }
  let best: NameReading = { ...act, holds }
  for (const noun of args.nouns) {
    if (seldomMeant.has(noun.is)) continue
    const one = weigh({ name: act.verb ?? "act", class: act.class, meanings: [] }, noun, table)
    best = riskiest(
      { ...best, class: one.class, impact: one.impact, kind: one.kind, object: noun.name },
      best
    )
  }
  return best
}
