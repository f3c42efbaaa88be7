/** Reads acts that a generic tool passes on: service calls, HTTP requests, button presses. */

import type { Action } from "../../domain/Action.ts"
import { type Act, higher, join, type Impact, impacts, remotely, riskOf } from "./Act.ts"
import { findListed } from "./Catalogue.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import type { CommandReader } from "./callCommand.ts"
import { commandOfRequest } from "./commands/network.ts"
import { isUnconfirmedAddress } from "./commands/landing.ts"
import { readQuery } from "./commands/queries.ts"
import { readCommand } from "./commands/readCommand.ts"
import { sqlIn } from "./commands/sql/sqlText.ts"
import { type NameOfCall, type NameLexicon, providerOf, readNameOfCall, slice } from "./nameOfCall.ts"
import { type PreparedSignals, readArguments } from "./readArguments.ts"
import { withSignals } from "./signals.ts"
import { type NameReading, readName } from "./readName.ts"
import {
  address,
  alsoMeans,
  deletedBy,
  doneByGet,
  graphFieldsIn,
  looks,
  parametersIn,
  placeIn,
  requestsIn,
  storedAt,
  textsIn,
  withoutIds
} from "./findRequests.ts"
import { splitName } from "../names/splitName.ts"
import type { HttpRequest } from "./commands/CommandReading.ts"

interface HandingLexicon extends NameLexicon, CommandReader {
  readonly signals: PreparedSignals
}

/** A header, or a parameter, that overrides the method of the request. */
const overridden = /x-http-method(?:-override)?["']?\s*[:=]\s*["']?(put|patch|delete)\b/i

const graphQlPath = /\bgraphql\b|\/gql\b/i

const grave: ReadonlySet<Impact> = new Set<Impact>(["high", "critical"])

/** A GET that may act deserves a question. It counts as a moderate write, whatever its path happens to name. */
const asked = (seen: NameReading, { type }: NameReading): NameReading => ({
  ...seen,
  class: "write",
  type,
  impact: "moderate"
})

/** Paths that accept statements, and parameter names that hold statements on other paths. */
const takesStatements = /\/(?:query|sql|statements?|exec|execute|run)\/?$/i
const statement = /^(?:query|sql|stmt|statement)$/i
const statementsMax = 16

/**
 * The acts, except reads, of SQL statements in a request that looks like a read. A GET search contains arbitrary text, so only its
 * parameters for statements are read.
 */
const statementsIn = (
  { body, method }: HttpRequest,
  path: string,
  query: string,
  { commands, tools, vocabulary }: HandingLexicon
): ReadonlyArray<Act> => {
  const isAsked = looks.test(method)
  const takes = takesStatements.test(path)
  const texts = parametersIn(query).flatMap(([key, text]) =>
    takes || statement.test(key) || !isAsked ? [text] : []
  )
  const acts: Array<Act> = []
  for (const text of [...texts, ...textsIn(body, vocabulary)].slice(0, statementsMax)) {
    const sql = sqlIn(text, { promised: false, executes: takes, beginnings: tools.sqlBeginnings })
    const reading = sql === undefined ? undefined : readCommand(sql, "sql", commands)
    acts.push(...(reading?.acts ?? []).filter((act) => act.class !== "read"))
  }
  return acts
}

/** GraphQL fields as tool names: those of all mutations, or those of the queries if there is no mutation. */
const graphNames = (
  path: string,
  query: string,
  body: string,
  vocabulary: Vocabulary
): ReadonlyArray<string> => {
  const isGraph = graphQlPath.test(path)
  if (!isGraph && !/mutation/i.test(body)) return []
  const { mutations, queries } = graphFieldsIn(query, body, vocabulary)
  return mutations.length > 0 || !isGraph ? mutations : queries.map((field) => `get_${field}`)
}

/** The act of a request. `store`: the name of what may keep its data, where the request has no host. */
const actOfRequest = (
  { body, method: stated, url }: HttpRequest,
  system: string | undefined,
  names: HandingLexicon,
  store = system
): NameReading => {
  const { vocabulary } = names
  const same = commandOfRequest({ body, method: stated, url }, names.commands)
  const [first, ...others] =
    (same === undefined ? undefined : readCommand(same, "shell", names.commands))?.acts ?? []
  if (first !== undefined)
    return { ...readNameOfCall({ actionType: "request" }, names).own, ...join(first, others) }
  const host = address.exec(url)?.[1]
  const { path: named, query } = placeIn(url)
  const path = withoutIds(named, vocabulary)
  const method = overridden.exec(`${query} ${body}`)?.[1] ?? stated
  const fields = graphNames(named, query, body, vocabulary)
  const targetSystem = system ?? host
  const actOf = (actionType: string): NameReading => {
    const called = { actionType, ...(targetSystem === undefined ? {} : { targetSystem }) }
    const { own, provided } = readNameOfCall(called, names)
    // Data stored at a provider is lost no matter which environment calls its API.
    const isThere = system === undefined && provided !== undefined && grave.has(own.impact)
    return isThere && own.class !== "read" ? { ...own, anywhere: true } : own
  }
  // HEAD and OPTIONS never act, whatever the path says.
  const isHead = looks.test(method)
  const actOfPath = (segments: ReadonlyArray<string>, by = isHead ? "GET" : method): NameReading =>
    actOf(`${by} /${segments.join("/").replace(/^\/+/, "")}`)
  const byGet = isHead ? doneByGet(host ?? "", named, path, query, vocabulary, method) : "nothing"
  // A page called `kill` is not an act: `GET /kill` would otherwise be read as get and kill.
  const isNamed = byGet === "page" || byGet === "perhaps"
  const seen = isNamed
    ? path.with(
        path.findLastIndex((segment) => segment !== ""),
        "{id}"
      )
    : path
  const [field, ...further] = fields
  const ways = field === undefined ? [actOfPath(seen)] : [actOf(field), ...further.map((one) => actOf(one))]
  const other = alsoMeans(method, path, vocabulary)
  if (other !== undefined) ways.push(actOfPath(other))
  if (byGet === "perhaps" || byGet === "surely") {
    const act = actOfPath(path, "POST")
    ways.push(byGet === "surely" || !grave.has(act.impact) ? act : asked(actOfPath(seen), act))
  }
  const stored = storedAt(method, address.exec(url)?.[0] ?? store ?? "", path, vocabulary)
  if (stored !== undefined) ways.push(actOfPath(stored))
  const deleted = deletedBy(method, path, vocabulary)
  if (deleted !== undefined) ways.push(actOfPath(deleted))
  const worst = ways.reduce((a, b) => (riskOf(b) > riskOf(a) ? b : a))
  const sent = readArguments({ targetResource: `${query} ${body}` }, vocabulary, names.signals)
  const done = withStatements(worst, { body, method, url }, { path: named, query }, names)
  return withSignals(
    isUnconfirmedAddress(url, names.commands.landings) ? remotely(done) : done,
    // Ignores parameters that would make the act milder (`?dry_run=true`), because the server may not support them.
    sent.signals.filter(({ lowers }) => lowers !== true)
  )
}

/** Queries in a data store's own language inside a request: `POST /users/_delete_by_query`. */
const queriesIn = (
  { body }: HttpRequest,
  path: string,
  act: Act,
  { commands }: HandingLexicon
): ReadonlyArray<Act> => {
  const tool = { name: path.split("/"), system: [], act, open: false }
  const runs = (text: string, language: "shell" | "sql") => readCommand(text, language, commands)
  return readQuery(`${path} ${body}`, tool, runs, commands)?.acts ?? []
}

/** Adds the acts of a request's queries, and those of its SQL statements if the request looks like a read. */
const withStatements = (
  act: NameReading,
  request: HttpRequest,
  { path, query }: ReturnType<typeof placeIn>,
  names: HandingLexicon
): NameReading => {
  const isOpen = act.class === "read" || act.class === "unknown" || act.class === "execute"
  let worst: NameReading = act
  const statements = isOpen ? statementsIn(request, path, query, names) : []
  for (const done of [...statements, ...queriesIn(request, path, act, names)])
    if (riskOf(done) > riskOf(worst)) worst = { ...act, ...done }
  return worst
}

/** Gives `res.partner.unlink` for `res.partner unlink` and for `model=res.partner method=unlink`. */
const calledOfModel = (text: string, { modelMethods }: Vocabulary["sets"]): string | undefined => {
  const [, model = "", method = ""] = modelThenMethod.exec(text) ?? []
  if (modelMethods.has(method)) return `${model}.${method}`
  const [, keyed, by] = keyedModel.exec(text) ?? []
  return keyed === undefined ? undefined : `${keyed}.${by}`
}
const modelThenMethod = /^([a-z]\w*(?:\.[a-z]\w*)*)(?:\s*[,:/.]\s*|\s+)([a-z_]\w*)(?=$|[\s({[,;])/
const keyedModel =
  /\bmodel["']?\s*[:=]\s*["']?([a-z]\w*(?:\.[a-z]\w*)*)["']?[\s,;]+["']?method["']?\s*[:=]\s*["']?([a-z_]\w*)/

/** Gives `light.turn_on` for `light.turn_on entity_id=…`, and `write.partner` for `res.partner write [[5521]]`. */
const dispatchedName = (text: string): string | undefined => {
  const [, model, method] = /^[a-z]\w*(?:\.[a-z]\w*)*\.([a-z]\w*)\s+([a-z_]\w*)(?=\s*[[({])/.exec(text) ?? []
  if (model !== undefined && method !== undefined) return `${method}_${model}`
  return /^[A-Za-z]\w*\.[A-Za-z]\w*(?=$|[\s({[,])/.exec(text)?.[0]
}

/** Gives `light.turn_off` for `domain=light service=turn_off`. Undefined if a key has two values, because either could win. */
const keyedName = (text: string, { dispatchKeys }: Vocabulary["sets"]): string | undefined => {
  const values = [...dispatchKeys].map((key) => {
    const stated = new RegExp(`(?:^|[\\s,{"'])${key}["']?\\s*[:=]\\s*["']?([a-z]\\w*)`, "gi")
    const found = new Set([...text.matchAll(stated)].map(([, value = ""]) => value))
    return found.size === 1 ? [...found][0] : undefined
  })
  return values.length === 0 || values.includes(undefined) ? undefined : values.join(".")
}

/** The act that a generic dispatcher passes on: `light.turn_on entity_id=…`. */
export const dispatchedAct = (
  { targetResource = "", targetSystem }: Action,
  { listed, named, provided }: NameOfCall,
  { catalogue, impacts: table, vocabulary }: NameLexicon
): (NameReading & { readonly provider?: string }) | undefined => {
  const { sets } = vocabulary
  const provider = provided?.provider ?? listed.provider ?? targetSystem
  // A type starts with every word that is not a verb: the `kw` of `execute_kw` is not a noun.
  const object = named.object ?? named.type.slice(0, named.type.indexOf("."))
  if (!sets.dispatchers.has(named.verb ?? "") || !sets.dispatched.has(object)) return undefined
  const text = targetResource.trim()
  const first = calledOfModel(text, sets) ?? dispatchedName(text) ?? keyedName(text, sets)
  if (first === undefined) return undefined
  const split = splitName(first, vocabulary.isKnown)
  const own = readName(split, vocabulary, table)
  const meant = findListed(split, 0, provider, catalogue, () => false).act
  if (meant !== undefined) return { ...own, ...meant }
  if (own.verb === undefined) return undefined
  // The arguments of such a call are not read, so its impact is at least moderate.
  return own.class === "read" || own.class === "simulate"
    ? own
    : { ...own, impact: higher(impacts, own.impact, "moderate") }
}

/** Whether a tool sends any request that it is given: `https_request`, `graph_api_call`. */
const isRequester = ({ listed, server, split }: NameOfCall, { sets }: Vocabulary): boolean => {
  const { words } = slice(split, Math.max(listed.from, server))
  return words.length > 0 && words.every((word) => sets.requesters.has(word))
}

/** The acts of the requests in a command: `curl -X DELETE …`. */
export const actsOfRequests = (
  requests: ReadonlyArray<HttpRequest>,
  names: HandingLexicon
): ReadonlyArray<NameReading> =>
  requests
    .map((request) => actOfRequest(request, undefined, names))
    .filter(({ class: own }) => own !== "read")

const graphPath = "/graphql"
const graphBegins = /^(?:\w+\s*[=:])?["'`\s,(]*(?:[#{[]|mutation\b|query\b|fragment\b|subscription\b)/
const graphMutates = /\bmutation\b[^{}]{0,400}(?:\{|\()/

/** GraphQL without an address in front, or inside JSON. A bare query counts only if the tool's name says so. */
const graphRequestIn = (text: string, { split }: NameOfCall): ReadonlyArray<HttpRequest> => {
  if (!graphBegins.test(text.replace(/^[\s,;(\uFEFF]+/, ""))) return []
  const isNamed = split.words.some((word) => word === "graphql" || word === "gql")
  return isNamed || graphMutates.test(text) ? [{ method: "POST", url: graphPath, body: text }] : []
}

/** Whether the tool takes a search term or a message: such text is never run. */
const takesPlainText = ({ own }: NameOfCall, { sets: { requestTexts } }: Vocabulary): boolean =>
  requestTexts.has(own.verb ?? "") || requestTexts.has(own.object?.split(" ").at(-1) ?? "")

const bareAddress = /^\s*["'<]?(https?:\/\/[^\s"'<>]+)["'>]?\s*$/i

/**
 * A request that is only GraphQL, or only an address. Fetching an address can mutate through its query, while its path only names a page.
 */
const requestWithoutMethod = (
  text: string,
  name: NameOfCall,
  vocabulary: Vocabulary
): ReadonlyArray<HttpRequest> => {
  const graph = graphRequestIn(text, name)
  const [, url] = bareAddress.exec(text) ?? []
  const fetches = isRequester(name, vocabulary) || name.own.class === "read"
  return graph.length > 0 || url === undefined || !fetches ? graph : [{ method: "HEAD", url, body: "" }]
}

/** The act of a call whose resource is a request. If the tool itself has a meaning, the act is at least that. */
export const requestedAct = (
  { targetResource, targetSystem }: Action,
  name: NameOfCall,
  names: HandingLexicon
): NameReading | undefined => {
  if (targetResource === undefined) return undefined
  const requester = isRequester(name, names.vocabulary)
  const isText = !requester && takesPlainText(name, names.vocabulary)
  const found = isText && !/^\s*[[{]/.test(targetResource) ? [] : requestsIn(targetResource, names.vocabulary)
  const [first, ...others] =
    found.length === 0 && !isText ? requestWithoutMethod(targetResource, name, names.vocabulary) : found
  if (first === undefined) return undefined
  const store = targetSystem ?? providerOf(name, names.catalogue)
  const read = (request: HttpRequest) => actOfRequest(request, targetSystem, names, store)
  const act = others.map(read).reduce((a, b) => (riskOf(b) > riskOf(a) ? b : a), read(first))
  const isMeant =
    (requester && (found.length > 0 || first.url === graphPath)) ||
    (first.url === graphPath && name.own.class === "unknown")
  return isMeant || riskOf(act) > riskOf(name.own) ? act : undefined
}

const quoted = /["'\u2018\u201c]([^"'\u2019\u201d]{2,80})["'\u2019\u201d]/g
const labelMax = 80
const labelsMax = 4

/** The labels of a button: `button 'Place order and pay'`. */
const labelsIn = (text: string): ReadonlyArray<string> => {
  const found = [...text.matchAll(quoted)].slice(0, labelsMax).map(([, label = ""]) => label)
  return found.length > 0 || text.length > labelMax ? found : [text]
}

/** The act of submitting a form or pressing a button, if it is riskier than a click. */
export const pressedAct = (
  { targetResource, targetSystem }: Action,
  { named, own }: NameOfCall,
  names: HandingLexicon
): NameReading | undefined => {
  const { impacts: table, vocabulary } = names
  const { pressed, pressers } = vocabulary.sets
  if (targetResource === undefined || !pressers.has(named.verb ?? "")) return undefined
  if (named.object !== undefined && !pressed.has(named.object)) return undefined
  const [url] = /https?:\/\/\S+/i.exec(targetResource) ?? []
  const done =
    url === undefined
      ? labelsIn(targetResource).map((label) =>
          readName(splitName(label, vocabulary.isKnown), vocabulary, table)
        )
      : [actOfRequest({ method: "POST", url, body: targetResource.replace(url, "") }, targetSystem, names)]
  let worst = own
  for (const act of done) if (act.verb !== undefined && riskOf(act) > riskOf(worst)) worst = act
  return worst === own ? undefined : worst
}
