/** What tools hand on that do nothing by themselves: they call a service, make an HTTP request, press a button. */

import type { Action } from "../../domain/Action.ts"
import { type Impact, impacts, riskOf } from "./Act.ts"
import { findListed } from "./Catalogue.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import type { HttpRequest } from "./commands/CommandSession.ts"
import { higher } from "./findObjects.ts"
import { type NameOfCall, type NameLexicon, readNameOfCall, slice } from "./nameOfCall.ts"
import { type PreparedSignals, readArguments, withSignals } from "./readArguments.ts"
import { type NameReading, readName } from "./readName.ts"
import { splitName } from "./splitName.ts"

interface HandingLexicon extends NameLexicon {
  readonly signals: PreparedSignals
}

const started =
  /^\s*(?:method[:=]\s*)?(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)[\s,;:]+(?:(?:url|path|uri|endpoint)[:=]\s*)?["']?(https?:\/\/[^\s"'<>]+|\/[^\s"'<>]*)/i
const methodNamed =
  /(?:^|[\s,;{"'])(?:http_?)?method["']?\s*[:=]\s*["']?(get|head|options|post|put|patch|delete)(?![a-z])/i
const urlNamed =
  /(?:^|[\s,;{"'])(?:url|uri|path|endpoint|href)["']?\s*[:=]\s*["']?(https?:\/\/[^\s"',}]+|\/[^\s"',}]*)/i

/** The request that a text is, or undefined if it is none. */
const requestIn = (text: string): HttpRequest | undefined => {
  const [whole, method, url] = started.exec(text) ?? []
  if (whole !== undefined && method !== undefined && url !== undefined)
    return { method, url, body: text.slice(whole.length) }
  const named = methodNamed.exec(text)?.[1]
  const place = urlNamed.exec(text)?.[1]
  return named === undefined || place === undefined ? undefined : { method: named, url: place, body: text }
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
    const isName = behind && words.length === 1 && word?.plural !== true && word?.verb === undefined
    kept.push(segment !== "" && (isName || !words.some(vocabulary.isKnown)) ? "{id}" : segment)
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

/** What a request does. */
const actOfRequest = (
  { body, method: stated, url }: HttpRequest,
  system: string | undefined,
  names: HandingLexicon
): NameReading => {
  const host = address.exec(url)?.[1]
  const { path: named, query } = placeIn(url)
  const method = overridden.exec(`${query} ${body}`)?.[1] ?? stated
  const field = isGraphQl.test(named) ? mutation.exec(body)?.[1] : undefined
  const targetSystem = system ?? host
  const actOf = (actionType: string): NameReading => {
    const called = { actionType, ...(targetSystem === undefined ? {} : { targetSystem }) }
    const { own, provided } = readNameOfCall(called, names)
    // What a provider keeps is lost from wherever its API is called.
    const isThere = system === undefined && provided !== undefined && grave.has(own.impact)
    return isThere && own.class !== "read" ? { ...own, anywhere: true } : own
  }
  const actOfPath = (path: ReadonlyArray<string>): NameReading =>
    actOf(`${method} /${path.join("/").replace(/^\/+/, "")}`)
  const path = withoutIds(named, names.vocabulary)
  const own = field === undefined ? actOfPath(path) : actOf(field)
  const other = alsoMeans(method, path, names.vocabulary)
  const also = other === undefined ? own : actOfPath(other)
  const sent = readArguments({ targetResource: `${query} ${body}` }, names.vocabulary, names.signals)
  return withSignals(riskOf(also) > riskOf(own) ? also : own, sent.signals)
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

/** The act of a call whose resource is a request. A tool with a meaning of its own does at least that. */
export const requestedAct = (
  { targetResource, targetSystem }: Action,
  name: NameOfCall,
  names: HandingLexicon
): NameReading | undefined => {
  if (names.vocabulary.sets.requesters === undefined || targetResource === undefined) return undefined
  const request = requestIn(targetResource)
  if (request === undefined) return undefined
  const act = actOfRequest(request, targetSystem, names)
  return isRequester(name, names.vocabulary) || riskOf(act) > riskOf(name.own) ? act : undefined
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
