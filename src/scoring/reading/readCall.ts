/** Reads a call: which verb on which object of which provider it is, by catalogue, by name, by its command, and by its arguments. */

import { type Action, dataClassifications, type Environment } from "../../domain/Action.ts"
import { type Act, impacts, riskOf } from "./Act.ts"
import { type Catalogue, type CatalogueMatch, findListed, withoutParameters } from "./Catalogue.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"
import { higher } from "./findObjects.ts"
import type { CommandLanguage } from "./commands/CommandSession.ts"
import { type CommandTools, fitsProgram, programOfTool, promisedLanguage } from "./commands/commandTools.ts"
import type { CommandReading } from "./commands/readCommand.ts"
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
  readonly tools: CommandTools
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

const sqlStart =
  /^\s*(?:--|\/\*|select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|merge|explain|copy|call|exec|begin|from|show|describe|vacuum|replace)\b/i
const sqlOnly =
  /^\s*(?:select\b.*\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(?:table|database|schema)|truncate\s+\w|alter\s+(?:table|role|user)|create\s+(?:table|index|unique|user|role|database)|grant\s|revoke\s)/is

interface ArgumentCommand {
  readonly language: CommandLanguage
  readonly reading: CommandReading | undefined
}

/** In which language the resource of a call is a command, if it is one. */
const languageOf = (
  act: Act,
  resource: string,
  promised: CommandLanguage | undefined
): CommandLanguage | undefined => {
  if (promised === "sql" && sqlStart.test(resource)) return "sql"
  const shell = promised === "shell" || promised === "device"
  if (act.class !== "execute" && !shell) return undefined
  if (sqlOnly.test(resource)) return "sql"
  // `is_destroy=true` would be an assignment in a shell, and a shell is not what every tool runs that executes something.
  return shell ? promised : assignments.test(resource) ? undefined : "any"
}
const assignments = /^\s*(?:[\w.-]+=\S*\s*)+$/

/** What a tool that is called like a program is given, with the program's name in front where the caller left it out. */
const programText = (
  { words }: SplitName,
  resource: string,
  { tools, vocabulary }: Lexicon
): { readonly text: string; readonly whole: boolean } | undefined => {
  const program = programOfTool(words, tools)
  if (program === undefined) return undefined
  const first = /^(?:\$ )?(?:sudo )?[\w./-]*/.exec(resource.trim())?.[0] ?? ""
  const whole = first.endsWith(program)
  // A tool called `move` or `copy` says what it does, and its argument is a command only if it is written like one.
  const isVerb = vocabulary.words.get(program)?.verb !== undefined
  if (!whole && (isVerb ? !resource.startsWith("-") : !fitsProgram(resource, program, tools)))
    return undefined
  return { text: whole ? resource : `${program} ${resource}`, whole }
}

/** The resource of a call as a command. */
const readResource = (
  { targetResource: resource }: Action,
  name: SplitName,
  act: Act,
  lexicon: Lexicon
): ArgumentCommand | undefined => {
  if (resource === undefined) return undefined
  const promised = promisedLanguage(name.words, lexicon.tools)
  const language = languageOf(act, resource, promised)
  if (language === "sql") return { language, reading: lexicon.readCommand(resource, language) }
  const given = programText(name, resource, lexicon)
  if (given !== undefined) {
    for (const text of [given.text, resource]) {
      const reading = lexicon.readCommand(text, text === resource ? "any" : "shell")
      if (reading !== undefined && (given.whole || !reading.unread)) return { language: "shell", reading }
    }
  }
  return language === undefined ? undefined : { language, reading: lexicon.readCommand(resource, language) }
}

/** `Set-OrganizationConfig`, with its parameters as the resource. */
const cmdlet = /^[A-Z][a-z]+-[A-Z]\w*$/

/** A name that is a command: `ceph osd pool delete`. It counts where it is understood and riskier than the name. */
const readNameAsCommand = (
  { actionType, targetResource = "" }: Action,
  { readCommand, tools, vocabulary }: Lexicon
): Act | undefined => {
  const [first = "", second] = actionType.split(" ")
  const isProgram =
    second !== undefined &&
    vocabulary.words.get(first)?.verb === undefined &&
    tools.programs.has(first.replaceAll("-", ""))
  if (!isProgram && !cmdlet.test(actionType)) return undefined
  const bare = readCommand(actionType, "shell")
  const full = readCommand(`${actionType} ${targetResource}`, "shell")
  const reading = full === undefined || full.unread ? bare : full
  return reading === undefined || reading.unread ? undefined : reading.acts[0]
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
  const known = meaningOf(listed, named)
  const own: NameReading = known === undefined ? named : { ...named, ...known }
  const base = dispatchedAct(action, named, known?.provider ?? listed.provider, lexicon) ?? own
  const name = slice(split, serverWords(action.actionType, vocabulary))
  const command = readResource(action, name, base, lexicon)
  const [first] = command?.reading?.acts ?? []
  // What a shell would run is never lowered by a word in it that was not understood.
  const shell = promisedLanguage(name.words, lexicon.tools)
  const signals =
    shell === "shell" || shell === "device"
      ? args.signals.filter(({ lowers }) => lowers !== true)
      : args.signals
  const spelled = first === undefined ? readNameAsCommand(action, lexicon) : undefined
  const plain = spelled === undefined ? base : riskiest<NameReading>(base, { ...base, ...spelled })
  const act =
    first !== undefined
      ? { ...base, ...first, hinted: false }
      : withSignals(
          command === undefined ? withArguments(withNamedVerb(plain, args, lexicon), args, lexicon) : plain,
          signals
        )
  const told = tellingCommand(action, lexicon)
  const contradicted = told !== undefined && riskiest<Act>(act, told) === told && told.impact !== act.impact
  const outward = goesOut(act, action, lexicon)
  return {
    ...(contradicted ? { ...act, ...told } : outward),
    by: first !== undefined ? "command" : known === undefined ? "name" : "provider",
    provider: known?.provider ?? listed.provider,
    environment: readEnvironment(action, vocabulary),
    everything: command === undefined && args.everything,
    unread: base.class === "execute" && (command?.reading === undefined || command.reading.unread),
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

/** Kinds of things that a path or an address may name by chance. */
const seldomMeant: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  "physical",
  "danger",
  "audience",
  "nothing"
])

/** What a parameter says that is done, to the thing that the call names. */
const namedAct = (
  act: NameReading,
  { nouns, verbs }: ArgumentReading,
  { impacts: table, vocabulary }: Lexicon
): NameReading | undefined => {
  let worst: NameReading | undefined
  const object = act.object !== undefined && !generic.has(act.object) ? act.object : nouns[0]?.name
  for (const { parts, words } of verbs) {
    // `service=billing` names a thing.
    const first = vocabulary.words.get(words[0] ?? "")
    if (first?.verb === undefined || first.form !== "base" || first.verb.noun === "mostly") continue
    const last = parts.at(-1) ?? 0
    const noun = object?.split(" ") ?? []
    const one = readName(
      { words: [...words, ...noun], parts: [...parts, ...noun.map(() => last)] },
      vocabulary,
      table
    )
    if (one.verb !== undefined && one.class !== "read")
      worst = worst === undefined ? one : riskiest<NameReading>(one, worst)
  }
  return worst
}

/** What a tool hands on that only calls others: `light.turn_on entity_id=…`. */
const dispatchedAct = (
  { targetResource = "", targetSystem }: Action,
  named: NameReading,
  provider: string | undefined,
  { catalogue, impacts: table, vocabulary }: Lexicon
): (NameReading & { readonly provider?: string }) | undefined => {
  const { sets } = vocabulary
  if (!sets.dispatchers.has(named.verb ?? "") || !sets.dispatched.has(named.object ?? "")) return undefined
  const first = /^[A-Za-z]\w*\.[A-Za-z]\w*(?=$|[\s({[,])/.exec(targetResource.trim())?.[0]
  if (first === undefined) return undefined
  const split = splitName(first, vocabulary.isKnown)
  const own = readName(split, vocabulary, table)
  const listed = findListed(split, 0, provider ?? targetSystem, catalogue, () => false).act
  if (listed !== undefined) return { ...own, ...listed }
  return own.verb === undefined ? undefined : own
}

/** A parameter such as `action=wipe` raises what the name says, and tells what a name does that says nothing. */
const withNamedVerb = (act: NameReading, args: ArgumentReading, lexicon: Lexicon): NameReading => {
  const named = namedAct(act, args, lexicon)
  if (named === undefined) return act
  // Only of a name that nobody understands a parameter tells more than the name.
  if (act.class === "unknown") return { ...act, ...named }
  return riskOf(named) > riskOf(act) ? { ...act, ...named, type: act.type } : act
}

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
