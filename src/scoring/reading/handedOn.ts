/** What tools hand on that do nothing by themselves: they call a service, make an HTTP request, press a button. */

import type { Action } from "../../domain/Action.ts"
import { type Impact, impacts, riskOf } from "./Act.ts"
import { findListed } from "./Catalogue.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import type { HttpRequest } from "./commands/CommandSession.ts"
import { higher } from "./findObjects.ts"
import { type NameOfCall, type NameLexicon, readNameOfCall, slice } from "./nameOfCall.ts"
import { type PreparedSignals, readArguments, type Signal, withSignals } from "./readArguments.ts"
import { type NameReading, readName } from "./readName.ts"
import { graphFieldsIn, requestsIn } from "./findRequests.ts"
import { splitName } from "./splitName.ts"

interface HandingLexicon extends NameLexicon {
  readonly signals: PreparedSignals
}

/** A header, or a parameter, that makes another method of the request. */
const overridden = /x-http-method(?:-override)?["']?\s*[:=]\s*["']?(put|patch|delete)\b/i

/** The path of a URL as its server sees it: without fragment, decoded, without `.` and `..`. */
const placeIn = (url: string): { readonly path: string; readonly query: string } => {
  const [sent = ""] = url.replace(address, "").split("#")
  const [path = "", query = ""] = sent.split("?")
  const plain = path.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  )
  const kept: Array<string> = []
  for (const segment of plain.split("/")) {
    if (segment === "..") kept.pop()
    else if (segment !== ".") kept.push(segment)
  }
  return { path: kept.join("/"), query }
}

const address = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]*)(?::\d+)?/i

/** GraphQL says in the body what it does: `mutation { deleteUser(id: 7) { id } }`. */
const mutation = /\bmutation\b[^{}]*\{\s*(?:\w+\s*:\s*)?([A-Za-z_]\w*)/
const isGraphQl = /\bgraphql\b|\/gql\b/i

/**
 * `/repos/acme/branches/main` is `/repos/{}/branches/{}`: what no word of the language names, and what stands behind the name of a
 * collection, is what somebody called a thing.
 */
const withoutIds = (path: string, vocabulary: Vocabulary): ReadonlyArray<string> => {
  const kept: Array<string> = []
  for (const segment of path.split("/")) {
    const { words } = splitName(segment, vocabulary.isKnown)
    const word = vocabulary.words.get(words.at(-1) ?? "")
    const behind = isCollection(kept.at(-1) ?? "", vocabulary)
    const isSecond = kept.at(-1) === "{id}" && vocabulary.sets.requestPairs?.has(kept.at(-2) ?? "") === true
    const isName = behind && words.length === 1 && word?.plural !== true && word?.verb === undefined
    kept.push(segment !== "" && (isName || isSecond || !words.some(vocabulary.isKnown)) ? "{id}" : segment)
  }
  return kept
}

const isCollection = (segment: string, { isKnown, words }: Vocabulary): boolean =>
  words.get(splitName(segment, isKnown).words.at(-1) ?? "")?.plural === true

/** `DELETE /schemas/orders` deletes all orders of something, or the schema of that name. */
const alsoMeans = (method: string, path: ReadonlyArray<string>, vocabulary: Vocabulary) =>
  method.toUpperCase() === "DELETE" && path.slice(-2).every((segment) => isCollection(segment, vocabulary))
    ? [...path.slice(0, -1), "{id}"]
    : undefined

const grave: ReadonlySet<Impact> = new Set<Impact>(["high", "critical"])

const looks = /^(?:get|head|options)$/i

/** A GET whose path ends in a verb does that: `/reboot`, `/transfer?amount=5`. Of what is also a noun, a parameter or the data says it. */
const doesByGet = (
  host: string,
  path: ReadonlyArray<string>,
  query: string,
  { isKnown, sets, words }: Vocabulary
): boolean => {
  const { requestDeeds, requestFigures, requestPages } = sets
  // What a site for readers calls its pages does nothing.
  if (requestDeeds === undefined || requestPages?.has(host.split(".", 1)[0]?.toLowerCase() ?? "") === true)
    return false
  const [last = ""] = splitName(path.findLast((segment) => segment !== "") ?? "", isKnown).words
  const known = words.get(last)
  if (known?.verb === undefined || known.form !== "base" || known.verb.name !== last) return false
  if (requestDeeds.has(last)) return true
  // What opens a session, and what answers, is asked for by GET every day.
  if (known.verb.noun === undefined && known.verb.class !== "access") return known.verb.class !== "read"
  return query.split("&").some((part) => requestFigures?.has(part.split("=", 1)[0]?.toLowerCase() ?? ""))
}

/**
 * What GraphQL does, as names of calls: the fields of all mutations, or else those of its queries. Releases before 2.2.0 read the
 * first field of the first mutation.
 */
const graphNames = (
  path: string,
  query: string,
  body: string,
  vocabulary: Vocabulary
): ReadonlyArray<string> => {
  const isGraph = isGraphQl.test(path)
  if (vocabulary.sets.requestMethods !== undefined) {
    if (!isGraph && !/mutation/i.test(body)) return []
    const { mutations, queries } = graphFieldsIn(query, body, vocabulary)
    return mutations.length > 0 || !isGraph ? mutations : queries.map((field) => `get_${field}`)
  }
  const field = isGraph ? mutation.exec(body)?.[1] : undefined
  return field === undefined ? [] : [field]
}

/** A server need not know a parameter that would make its act milder: `?dry_run=true`. Releases before 2.2.0 believe it. */
const believed = (signals: ReadonlyArray<Signal>, { sets }: Vocabulary): ReadonlyArray<Signal> =>
  sets.requestMethods === undefined ? signals : signals.filter(({ lowers }) => lowers !== true)

/** What a request does. */
const actOfRequest = (
  { body, method: stated, url }: HttpRequest,
  system: string | undefined,
  names: HandingLexicon
): NameReading => {
  const { vocabulary } = names
  const host = address.exec(url)?.[1]
  const { path: named, query } = placeIn(url)
  const path = withoutIds(named, vocabulary)
  const method = overridden.exec(`${query} ${body}`)?.[1] ?? stated
  const fields = graphNames(named, query, body, vocabulary)
  const targetSystem = system ?? host
  const actOf = (actionType: string): NameReading => {
    const called = { actionType, ...(targetSystem === undefined ? {} : { targetSystem }) }
    const { own, provided } = readNameOfCall(called, names)
    // What a provider keeps is lost from wherever its API is called.
    const isThere = system === undefined && provided !== undefined && grave.has(own.impact)
    return isThere && own.class !== "read" ? { ...own, anywhere: true } : own
  }
  const actOfPath = (segments: ReadonlyArray<string>, by = method): NameReading =>
    actOf(`${by} /${segments.join("/").replace(/^\/+/, "")}`)
  const [field, ...further] = fields
  const ways = field === undefined ? [actOfPath(path)] : [actOf(field), ...further.map((one) => actOf(one))]
  const other = alsoMeans(method, path, vocabulary)
  if (other !== undefined) ways.push(actOfPath(other))
  if (looks.test(method) && doesByGet(host ?? "", path, query, vocabulary)) ways.push(actOfPath(path, "POST"))
  const worst = ways.reduce((a, b) => (riskOf(b) > riskOf(a) ? b : a))
  const sent = readArguments({ targetResource: `${query} ${body}` }, vocabulary, names.signals)
  return withSignals(worst, believed(sent.signals, vocabulary))
}

/** `light.turn_on` of `light.turn_on entity_id=…`, and `write.partner` of `res.partner write [[5521]]`. */
const dispatchedName = (text: string): string | undefined => {
  const [, model, method] = /^[a-z]\w*(?:\.[a-z]\w*)*\.([a-z]\w*)\s+([a-z_]\w*)(?=\s*[[({])/.exec(text) ?? []
  if (model !== undefined && method !== undefined) return `${method}_${model}`
  return /^[A-Za-z]\w*\.[A-Za-z]\w*(?=$|[\s({[,])/.exec(text)?.[0]
}

/** What a tool hands on that only calls others: `light.turn_on entity_id=…`. */
export const dispatchedAct = (
  { targetResource = "", targetSystem }: Action,
  { listed, named, provided }: NameOfCall,
  { catalogue, impacts: table, vocabulary }: NameLexicon
): (NameReading & { readonly provider?: string }) | undefined => {
  const { sets } = vocabulary
  const provider = provided?.provider ?? listed.provider ?? targetSystem
  // The type of a name begins with all that is no verb: the `kw` of `execute_kw` is no noun.
  const object = named.object ?? named.type.slice(0, named.type.indexOf("."))
  if (!sets.dispatchers.has(named.verb ?? "") || !sets.dispatched.has(object)) return undefined
  const first = dispatchedName(targetResource.trim())
  if (first === undefined) return undefined
  const split = splitName(first, vocabulary.isKnown)
  const own = readName(split, vocabulary, table)
  const meant = findListed(split, 0, provider, catalogue, () => false).act
  if (meant !== undefined) return { ...own, ...meant }
  if (own.verb === undefined) return undefined
  // What is written behind such a door is said by arguments that nobody reads.
  return own.class === "read" || own.class === "simulate"
    ? own
    : { ...own, impact: higher(impacts, own.impact, "moderate") }
}

/** A tool that makes whatever request it is given: `https_request`, `graph_api_call`. */
const isRequester = ({ listed, server, split }: NameOfCall, { sets }: Vocabulary): boolean => {
  const { requesters } = sets
  const { words } = slice(split, Math.max(listed.from, server))
  return requesters !== undefined && words.length > 0 && words.every((word) => requesters.has(word))
}

/** What the requests of a command do: `curl -X DELETE …`. */
export const actsOfRequests = (
  requests: ReadonlyArray<HttpRequest>,
  names: HandingLexicon
): ReadonlyArray<NameReading> =>
  names.vocabulary.sets.requesters === undefined
    ? []
    : requests
        .map((request) => actOfRequest(request, undefined, names))
        .filter(({ class: own }) => own !== "read")

const graphPath = "/graphql"
const graphBegins =
  /^[\s,;(\uFEFF]*(?:\w+\s*[=:]\s*)?["'`\s,(]*(?:[#{[]|mutation\b|query\b|fragment\b|subscription\b)/
const graphMutates = /\bmutation\b[^{}]{0,400}(?:\{|\()/

/** GraphQL that a tool takes without an address at its beginning, or in JSON: a query where the tool is named so. */
const graphRequestIn = (
  text: string,
  { split }: NameOfCall,
  { sets }: Vocabulary
): ReadonlyArray<HttpRequest> => {
  if (sets.requestMethods === undefined || !graphBegins.test(text)) return []
  const isNamed = split.words.some((word) => word === "graphql" || word === "gql")
  return isNamed || graphMutates.test(text) ? [{ method: "POST", url: graphPath, body: text }] : []
}

/** The act of a call whose resource is a request. A tool with a meaning of its own does at least that. */
export const requestedAct = (
  { targetResource, targetSystem }: Action,
  name: NameOfCall,
  names: HandingLexicon
): NameReading | undefined => {
  if (names.vocabulary.sets.requesters === undefined || targetResource === undefined) return undefined
  const found = requestsIn(targetResource, names.vocabulary)
  const [first, ...others] =
    found.length === 0 ? graphRequestIn(targetResource, name, names.vocabulary) : found
  if (first === undefined) return undefined
  const read = (request: HttpRequest) => actOfRequest(request, targetSystem, names)
  const act = others.map(read).reduce((a, b) => (riskOf(b) > riskOf(a) ? b : a), read(first))
  const isMeant =
    isRequester(name, names.vocabulary) || (first.url === graphPath && name.own.class === "unknown")
  return isMeant || riskOf(act) > riskOf(name.own) ? act : undefined
}

const quoted = /["'\u2018\u201c]([^"'\u2019\u201d]{2,80})["'\u2019\u201d]/g
const labelMax = 80
const labelsMax = 4

/** What stands on the button: `button 'Place order and pay'`. */
const labelsIn = (text: string): ReadonlyArray<string> => {
  const found = [...text.matchAll(quoted)].slice(0, labelsMax).map(([, label = ""]) => label)
  return found.length > 0 || text.length > labelMax ? found : [text]
}

/** What is sent by a form of a page, or done by a button, where that is riskier than a click. */
export const pressedAct = (
  { targetResource, targetSystem }: Action,
  { named, own }: NameOfCall,
  names: HandingLexicon
): NameReading | undefined => {
  const { impacts: table, vocabulary } = names
  const { pressed, pressers } = vocabulary.sets
  if (targetResource === undefined || pressers?.has(named.verb ?? "") !== true) return undefined
  if (named.object !== undefined && pressed?.has(named.object) !== true) return undefined
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
