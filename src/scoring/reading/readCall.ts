/** Reads a call: which verb on which object of which provider it is, by catalogue, by name, by its command, and by its arguments. */

import { type Action, dataClassifications, type Environment } from "../../domain/Action.ts"
import type { KnownAct } from "../knowledge/OrganizationCatalogue.ts"
import { nameAct } from "../knowledge/nameAct.ts"
import { type Act, extents, impacts, riskOf } from "./Act.ts"
import { type Catalogue, type CatalogueMatch, findListed, withoutParameters } from "./Catalogue.ts"
import type { ObjectKind, Vocabulary } from "./Vocabulary.ts"
import { type CommandReader, readNameAsCommand, readResource } from "./callCommand.ts"
import { higher } from "./findObjects.ts"
import { promisedLanguage } from "./commands/commandTools.ts"
import {
  type ArgumentReading,
  type PreparedSignals,
  mostSensitive,
  readArguments,
  withSignals
} from "./readArguments.ts"
import { type ImpactTable, type NameReading, readName, weigh } from "./readName.ts"
import { splitName, type SplitName } from "./splitName.ts"

export interface Lexicon extends CommandReader {
  readonly catalogue: Catalogue
  readonly impacts: ImpactTable
  readonly signals: PreparedSignals
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
  /** Another verb of the name than that of the class exports. */
  readonly alsoExports: boolean
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

const isExport = (act: Act): boolean => act.class === "export"

const riskiest = <A extends Act>(a: A, b: A): A => (riskOf(a) >= riskOf(b) ? a : b)

/** An act as it counts beside others that happen with it: what they reach, hold, take away or leave behind counts too. */
const beside = <A extends Act>(act: A, others: ReadonlyArray<Act>): A => {
  let { anywhere, credential, extent, holds, weakens } = act
  for (const other of others) {
    extent = higher(extents, extent, other.extent)
    holds = higher(dataClassifications, holds, other.holds)
    anywhere ||= other.anywhere
    credential ||= other.credential
    weakens ||= other.weakens
  }
  return { ...act, anywhere, credential, extent, holds, weakens }
}

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

const namesProduction = (words: ReadonlyArray<string>, { sets }: Vocabulary): boolean =>
  words.some(
    (word, at) => sets.production.has(word.replace(/\d+$/, "")) && !sets.negations.has(words[at - 1] ?? "")
  )

const readEnvironment = (
  { environment, targetResource }: Action,
  { words }: ArgumentReading,
  vocabulary: Vocabulary
): Environment => {
  if (environment === "production") return environment
  // What stands before `://` is no word of a resource, and can name production.
  const resource =
    targetResource?.includes("://") === true
      ? splitName(targetResource, vocabulary.isKnown).words
      : words.target_resource
  const named = [words.target_system, resource, words.destination].some((list) =>
    namesProduction(list, vocabulary)
  )
  return named ? "production" : environment
}

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

/** What a shell would run is never lowered by a word in it that was not understood. */
const countedSignals = (
  { signals }: ArgumentReading,
  environment: Environment,
  promised: ReturnType<typeof promisedLanguage>
): ArgumentReading["signals"] => {
  const isShell = promised === "shell" || promised === "device"
  return signals.filter(
    ({ lowers, outsideProduction }) =>
      !(isShell && lowers === true) && !(outsideProduction === true && environment === "production")
  )
}

/** A call that runs commands is what the riskiest of them does. */
const ranAs = (base: NameReading, first: Act, others: ReadonlyArray<Act>): NameReading => ({
  ...base,
  ...beside(first, others),
  hinted: false,
  alsoExports: !isExport(first) && others.some(isExport)
})

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
  const own: NameReading = provided === undefined ? named : { ...named, ...provided }
  const told = opening(dispatchedAct(action, named, provided?.provider ?? listed.provider, lexicon) ?? own)
  const name = slice(split, serverWords(action.actionType, vocabulary))
  const commandFor = (act: Act) => readResource(action, name, act, lexicon)
  const base =
    known === undefined ? told : opening(nameAct(told, known, commandFor(told) !== undefined, lexicon))
  const command = commandFor(base)
  const [first, ...others] = command?.reading?.acts ?? []
  const environment = readEnvironment(action, args, vocabulary)
  const signals = countedSignals(args, environment, promisedLanguage(name.words, lexicon.tools))
  // A name alone is what its catalogue says. With arguments behind it, it can be a command that does more.
  const isBare = provided !== undefined && action.targetResource === undefined
  const spelled = first === undefined && !isBare ? readNameAsCommand(action, lexicon) : undefined
  const plain = spelled === undefined ? base : riskiest<NameReading>(base, { ...base, ...spelled })
  const act =
    first !== undefined
      ? ranAs(base, first, others)
      : withSignals(
          command === undefined ? withArguments(withNamedVerb(plain, args, lexicon), args, lexicon) : plain,
          signals
        )
  const spoken = tellingCommand(action, lexicon)
  const contradicted =
    spoken !== undefined &&
    // What the organization knows of a tool hides no contradiction between the words of its caller.
    (base === told
      ? riskiest<Act>(act, spoken) === spoken && spoken.impact !== act.impact
      : readCall(action, lexicon).contradicted)
  const outward = goesOut(act, action, lexicon)
  const source = provided === undefined ? "name" : "provider"
  return {
    ...(contradicted ? asTold(act, beside(spoken, [act])) : outward),
    by: first !== undefined ? "command" : base === told ? source : "catalogue",
    provider: provided?.provider ?? listed.provider,
    environment,
    everything: command === undefined && args.everything,
    takesCommand: command !== undefined,
    // Many things have an owner. Only where rights change does it say whose rights these are.
    admin: outward.admin || (outward.class === "access" && args.admin),
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

/** An act with the riskier command that stands beside it, or one as risky. */
const asTold = (act: NameReading, spoken: Act): NameReading =>
  riskOf(act) > riskOf(spoken)
    ? { ...act, ...spoken, class: act.class, impact: act.impact }
    : { ...act, ...spoken }

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

/** What opens something opens it from wherever it was read. */
const opening = <A extends NameReading>(act: A): A =>
  act.class === "read" && act.kind === "credential" && act.impact !== "low" && !act.anywhere
    ? { ...act, anywhere: true }
    : act

/** `light.turn_on` of `light.turn_on entity_id=…`, and `write.partner` of `res.partner write [[5521]]`. */
const dispatchedName = (text: string): string | undefined => {
  const [, model, method] = /^[a-z]\w*(?:\.[a-z]\w*)*\.([a-z]\w*)\s+([a-z_]\w*)(?=\s*[[({])/.exec(text) ?? []
  if (model !== undefined && method !== undefined) return `${method}_${model}`
  return /^[A-Za-z]\w*\.[A-Za-z]\w*(?=$|[\s({[,])/.exec(text)?.[0]
}

/** What a tool hands on that only calls others: `light.turn_on entity_id=…`. */
const dispatchedAct = (
  { targetResource = "", targetSystem }: Action,
  named: NameReading,
  provider: string | undefined,
  { catalogue, impacts: table, vocabulary }: Lexicon
): (NameReading & { readonly provider?: string }) | undefined => {
  const { sets } = vocabulary
  // The type of a name begins with all that is no verb: the `kw` of `execute_kw` is no noun.
  const object = named.object ?? named.type.slice(0, named.type.indexOf("."))
  if (!sets.dispatchers.has(named.verb ?? "") || !sets.dispatched.has(object)) return undefined
  const first = dispatchedName(targetResource.trim())
  if (first === undefined) return undefined
  const split = splitName(first, vocabulary.isKnown)
  const own = readName(split, vocabulary, table)
  const listed = findListed(split, 0, provider ?? targetSystem, catalogue, () => false).act
  if (listed !== undefined) return { ...own, ...listed }
  if (own.verb === undefined) return undefined
  // What is written behind such a door is said by arguments that nobody reads.
  return own.class === "read" || own.class === "simulate"
    ? own
    : { ...own, impact: higher(impacts, own.impact, "moderate") }
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
