/** Finds HTTP requests in a text (written out, as parameters, or in JSON) and GraphQL fields in a request. */

import { bodyBytesMax, jsonDepthMax } from "../../limits.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import { spelledOut, type TokenPattern, tokensOf } from "./commands/sql/sqlText.ts"
import { keyOf, splitName } from "../names/splitName.ts"
import type { HttpRequest } from "./commands/CommandReading.ts"

const started =
  /^\s*(?:method[:=]\s*)?(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)[\s,;:]+(?:(?:url|path|uri|endpoint)[:=]\s*)?["']?(https?:\/\/[^\s"'<>]+|\/[^\s"'<>]*)/i
const everyMethod =
  /(?:^|[\s,;{"'])(?:http_?)?method["']?\s*[:=]\s*["']?(get|head|options|post|put|patch|delete)(?![a-z])/gi
const everyUrl =
  /(?:^|[\s,;{"'])(?:url|uri|path|endpoint|href)["']?\s*[:=]\s*["']?(https?:\/\/[^\s"',}]+|\/[^\s"',}]*)/gi

/** The request at the beginning of a text. */
const firstRequestIn = (text: string): HttpRequest | undefined => {
  const [whole, method, url] = started.exec(text) ?? []
  return whole === undefined || method === undefined || url === undefined
    ? undefined
    : { method, url, body: text.slice(whole.length) }
}

const httpMethod = /^(?:get|head|options|post|put|patch|delete)$/i
const httpPlace = /^(?:https?:\/\/|\/)\S*$/i
/** Requests after the first one. They must be in capitals, because lower-case words belong to a body. */
const further =
  /(?<=[\s,;|&])(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)[\s,;:]+(https?:\/\/[^\s"'<>]+|\/[^\s"'<>]+)/g

/** The parts of a request found in one JSON object. */
interface Part {
  readonly methods: Array<string>
  readonly places: Array<string>
  sends: boolean
}

/** The parts of a JSON text that matter here. Each occurrence of a repeated key counts, because servers disagree on which one wins. */
interface JsonParts {
  readonly parts: ReadonlyArray<Part>
  /** Every text in it, unescaped. */
  readonly texts: ReadonlyArray<string>
}

const jsonToken: TokenPattern = {
  withTexts: /"(?:[^"\\]|\\.)*("?)|[{}[\]:,]|[^\s{}[\]:,"]+/g,
  withoutTexts: /[{}[\]:,]|[^\s{}[\]:,"]+/g
}

const unquoted = (token: string): string => (token.startsWith('"') ? spelledOut(token.slice(1, -1)) : token)

/** Reads token by token, so it can also read JSON that is cut off or embedded in other text. */
const partsOf = (
  text: string,
  { requestBodies, requestMethods, requestPlaces }: Vocabulary["sets"]
): JsonParts => {
  const parts: Array<Part> = [{ methods: [], places: [], sends: false }]
  const open: Array<{ readonly part: Part; readonly key: string; readonly list: boolean }> = []
  const texts: Array<string> = []
  let part = parts[0] as Part
  let [key, last] = ["", ""]
  for (const { token: found } of tokensOf(text, jsonToken)) {
    if (found === "{" || found === "[") {
      if (open.length >= jsonDepthMax) break
      open.push({ part, key, list: found === "[" })
      if (found === "[") continue
      part = { methods: [], places: [], sends: false }
      parts.push(part)
      key = ""
    } else if (found === "}" || found === "]") {
      const outer = open.pop()
      part = outer?.part ?? part
      key = outer?.key ?? ""
    } else if (found === ":") {
      key = keyOf(last)
      if (requestBodies.has(key)) part.sends = true
    } else if (found === ",") {
      if (open.at(-1)?.list !== true) key = ""
    } else {
      last = unquoted(found)
      texts.push(last)
      if (requestMethods.has(key) && httpMethod.test(last)) part.methods.push(last)
      else if (requestPlaces.has(key) && httpPlace.test(last)) part.places.push(last)
    }
  }
  return { parts, texts }
}

/**
 * Combines every method with every place in the same object. If an object has only one of the two, it is combined with all others in the
 * text.
 */
const requestsOf = ({ parts }: JsonParts, body: string): ReadonlyArray<HttpRequest> => {
  const methods = new Set(parts.flatMap((part) => part.methods.map((method) => method.toUpperCase())))
  const places = new Set(parts.flatMap((part) => part.places))
  if (methods.size === 0 && parts.some(({ sends }) => sends)) methods.add("POST")
  return parts.flatMap((part) => {
    if (part.methods.length === 0 && part.places.length === 0) return []
    const named = part.methods.length === 0 ? [...methods] : part.methods
    const meant = part.places.length === 0 ? [...places] : part.places
    return named.flatMap((method) => meant.map((url): HttpRequest => ({ method, url, body })))
  })
}

/** More than the longest accepted resource can hold as JSON. */
const requestsMax = 48

const distinct = (requests: ReadonlyArray<HttpRequest>): ReadonlyArray<HttpRequest> => {
  const byName = new Map<string, HttpRequest>()
  for (const request of requests) {
    const name = `${request.method.toUpperCase()} ${request.url}`
    if (!byName.has(name)) byName.set(name, request)
    if (byName.size === requestsMax) break
  }
  return [...byName.values()]
}

/** Whether a text may be JSON that contains a string. Uses two searches, because one pattern for both takes quadratic time. */
const mayHoldJson = (text: string): boolean => {
  const at = text.search(/[{[]/)
  return at >= 0 && text.includes('"', at)
}

/** The methods and places in a text, each method combined with each place. */
const named = (text: string): ReadonlyArray<HttpRequest> => {
  const methods = Array.from(text.matchAll(everyMethod), ([, method = ""]) => method)
  if (methods.length === 0) return []
  const places = Array.from(text.matchAll(everyUrl), ([, url = ""]) => url)
  return methods.flatMap((method) => places.map((url) => ({ method, url, body: text })))
}

/** Every request in a text. Empty if there is none. */
export const requestsIn = (text: string, { sets }: Vocabulary): ReadonlyArray<HttpRequest> => {
  const first = firstRequestIn(text)
  const inJson = mayHoldJson(text) ? requestsOf(partsOf(text, sets), text) : []
  if (first === undefined) return distinct(inJson.length === 0 ? named(text) : inJson)
  const others = [...text.matchAll(further)].map(([, method = "", url = ""]) => ({ method, url, body: "" }))
  return distinct([first, ...others, ...inJson])
}

const fieldsMax = 96
/** Placeholder field for the unread rest of a mutation. */
const unreadMutation = "delete_all_data"
const mutating = /\bmutation\b|\bfragment\s+\w+\s+on\s+\w*Mutation\w*/gi
const querying = /(?<=^|[\s}])query\b[^{}()]*|^\s*(?={)/gi
/** Strings and comments are matched first, so that brackets inside them are ignored. */
const graphToken: TokenPattern = {
  withTexts:
    /"""[^]*?"""|"(?:[^"\\\n\r]|\\.)*("?)|#[^\n\r]*|\.{3}(?:\s*on\s+\w+)?|@\s*\w+|[{}()[\]]|[A-Za-z_]\w*(?:\s*:)?|[^\s]/g,
  withoutTexts: /#[^\n\r]*|\.{3}(?:\s*on\s+\w+)?|@\s*\w+|[{}()[\]]|[A-Za-z_]\w*(?:\s*:)?|[^\s]/g
}

/** An unterminated operation is read to the end of the text, and a text can hold many. This limits the total number of characters read. */
const scannedMax = 2 * bodyBytesMax

/**
 * The fields of the selection that begins after `from`, without arguments; whether the selection is terminated; and where reading stopped.
 */
const fieldsBehind = (
  text: string,
  from: number,
  add: (field: string) => void
): { readonly ended: boolean; readonly to: number } => {
  let [depth, round] = [0, 0]
  const spread: Array<boolean> = []
  let spreads = false
  for (const { end: to, token: sign } of tokensOf(text, graphToken, from)) {
    if (sign.startsWith("#") || sign.startsWith("@")) continue
    if (sign === "(" || sign === "[") round++
    else if (sign === ")" || sign === "]") {
      // Extra closing parentheses must not hide a field.
      if (round === 0) return { ended: depth === 0, to }
      round--
    } else if (round > 0) continue
    else if (sign === "{") {
      // `... on Mutation { x }` selects at its parent's level, even with a directive before it.
      spread.push(spreads)
      if (!spreads) depth++
      spreads = false
    } else if (sign === "}") {
      if (spread.pop() !== true) depth--
      if (depth <= 0) return { ended: true, to }
    } else {
      spreads = sign.startsWith("...")
      if (depth === 1 && /^[A-Za-z_]\w*$/.test(sign)) add(sign)
    }
  }
  return { ended: depth === 0 && (round === 0 || !text.includes("{", from)), to: text.length }
}

/** A query string decoded as the server decodes it. */
const urlDecoded = (query: string): string => {
  try {
    return decodeURIComponent(query.replaceAll("+", " "))
  } catch {
    return query
  }
}

/** The parameters of a query string, decoded as the server decodes them. */
export const parametersIn = (query: string): ReadonlyArray<readonly [key: string, value: string]> =>
  query.split("&").map((part) => {
    const at = part.indexOf("=")
    return [at < 0 ? "" : part.slice(0, at), urlDecoded(part.slice(at + 1))]
  })

/** Every text in a body: the strings of its JSON, or the whole body. */
export const textsIn = (body: string, { sets }: Vocabulary): ReadonlyArray<string> =>
  mayHoldJson(body) ? partsOf(body, sets).texts.filter((text) => text.includes(" ")) : [body.trim()]

const fieldsOf = (
  texts: ReadonlyArray<string>,
  operation: RegExp,
  unended: (text: string, from: number, add: (field: string) => void) => boolean = () => false
): ReadonlyArray<string> => {
  const fields = new Set<string>()
  const add = (field: string) => {
    fields.add(fields.size < fieldsMax ? field : unreadMutation)
  }
  let scanned = 0
  for (const text of texts)
    for (const { 0: words, index } of text.matchAll(operation)) {
      const from = index + words.length
      const { ended, to } = fieldsBehind(text, from, add)
      // From here to the end, `unended` has counted every word already.
      if (!ended && unended(text, from, add)) break
      if ((scanned += to - from) <= scannedMax) continue
      add(unreadMutation)
      break
    }
  return [...fields]
}

const mutates = (text: string): boolean => {
  const at = text.search(/\bmutation\b/i)
  return at >= 0 && text.includes("{", at)
}

const operationBegins = /^[\s,]*(?:\w+[\s,]*)?[({@#]/

/**
 * In an unterminated mutation every word counts as a field, because a text that hides its end can also hide its effect. False if no
 * operation begins here.
 */
const everyWord = (text: string, from: number, add: (field: string) => void): boolean => {
  if (!operationBegins.test(text.slice(from))) return false
  add(unreadMutation)
  for (const [word] of text.slice(from).matchAll(/[A-Za-z_]\w*/g)) add(word)
  return true
}

/** The top-level fields that the GraphQL operations of a request select, in its address or its body. */
export const graphFieldsIn = (query: string, body: string, { sets }: Vocabulary) => {
  const asked = parametersIn(query).map(([, value]) => value)
  // A GraphQL document is not JSON, whatever strings it contains.
  const isDocument = /^\s*(?:query|mutation|subscription|fragment)\b/i.test(body)
  const held = !isDocument && mayHoldJson(body) ? partsOf(body, sets).texts : []
  // JSON around a mutation can contain escapes that leave it unbalanced, so its inner text counts.
  const isHeld = held.some((text) => mutates(text))
  return {
    mutations: [
      ...fieldsOf([...asked, ...held, ...(isHeld ? [] : [body])], mutating, everyWord),
      ...(isHeld ? fieldsOf([body], mutating) : [])
    ],
    // A JSON body is not a query, but a string in it can be one.
    queries: fieldsOf(held.length === 0 ? [...asked, body] : [...asked, ...held], querying)
  }
}

/** The beginning of a URL. Group 1 is the host. */
export const address = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]*)(?::\d+)?/i

/** The path of a URL as the server sees it: decoded, without fragment, `.` and `..`. */
export const placeIn = (url: string): { readonly path: string; readonly query: string } => {
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

/**
 * `/repos/acme/branches/main` becomes `/repos/{id}/branches/{id}`. A segment is an identifier if none of its words is known, or if it
 * follows the name of a collection.
 */
export const withoutIds = (path: string, vocabulary: Vocabulary): ReadonlyArray<string> => {
  const kept: Array<string> = []
  for (const segment of path.split("/")) {
    const { words } = splitName(segment, vocabulary.isKnown)
    const word = vocabulary.words.get(words.at(-1) ?? "")
    const behind = isCollection(kept.at(-1) ?? "", vocabulary)
    const isSecond = kept.at(-1) === "{id}" && vocabulary.sets.requestPairs.has(kept.at(-2) ?? "")
    const isName = behind && words.length === 1 && word?.plural !== true && word?.verb === undefined
    kept.push(segment !== "" && (isName || isSecond || !words.some(vocabulary.isKnown)) ? "{id}" : segment)
  }
  return kept
}

const isCollection = (segment: string, { isKnown, words }: Vocabulary): boolean =>
  words.get(splitName(segment, isKnown).words.at(-1) ?? "")?.plural === true

/** `DELETE /schemas/orders` may delete all orders, or the schema named orders. */
export const alsoMeans = (method: string, path: ReadonlyArray<string>, vocabulary: Vocabulary) =>
  method.toUpperCase() === "DELETE" && path.slice(-2).every((segment) => isCollection(segment, vocabulary))
    ? [...path.slice(0, -1), "{id}"]
    : undefined

export const looks = /^(?:get|head|options)$/i

/** How sure it is that a GET performs the last segment of its path. */
type DoneByGet = "nothing" | "page" | "perhaps" | "surely"

/** The last word of a segment, without a trailing number: `man2`, `sql-reference`. */
const lastWord = (segment: string, isKnown: Vocabulary["isKnown"]): string =>
  (splitName(segment, isKnown).words.findLast((word) => !/^\d+$/.test(word)) ?? "").replace(/(?<!\d)\d+$/, "")

/** Whether the last segment is only a page or a thing: anywhere after `/docs/`, or right after `/packages/`. */
const pageAt = (
  host: string,
  segments: ReadonlyArray<string>,
  { isKnown, sets: { requestPages, requestSections, requestShelves } }: Vocabulary
): "right before" | "before" | undefined => {
  const before = segments.slice(0, -1).map((segment) => lastWord(segment, isKnown))
  const isSite = requestPages.has(host.split(".", 1)[0]?.toLowerCase() ?? "")
  const names = (word = "") => requestPages.has(word) || requestSections.has(word)
  if (names(before.at(-1)) || requestShelves.has(before.at(-1) ?? "")) return "right before"
  return (isSite && before.length > 0) || before.some((word) => names(word)) ? "before" : undefined
}

/**
 * A GET whose path ends in a verb may perform it: `/reboot`. It certainly does if there is an amount, or if the verb directly follows a
 * thing.
 */
export const doneByGet = (
  host: string,
  named: string,
  path: ReadonlyArray<string>,
  query: string,
  vocabulary: Vocabulary,
  method: string
): DoneByGet => {
  const { isKnown, sets, words } = vocabulary
  const { requestDeeds, requestFigures } = sets
  const segments = path.filter((segment) => segment !== "")
  const [last = ""] = splitName(segments.at(-1) ?? "", isKnown).words
  const known = words.get(last)
  if (known?.verb === undefined || known.form !== "base" || known.verb.name !== last) return "nothing"
  if (!/^get$/i.test(method)) return "page"
  if (query.split("&").some((part) => requestFigures.has(part.split("=", 1)[0]?.toLowerCase() ?? "")))
    return "surely"
  // GET requests for verbs that open a session or that answer something are everyday traffic.
  const isPlain =
    known.verb.noun === undefined && known.verb.class !== "access" && known.verb.class !== "read"
  const isBehindThing = isPlain && segments.at(-2) === "{id}"
  const page = pageAt(
    host,
    named.split("/").filter((segment) => segment !== ""),
    vocabulary
  )
  if (page !== undefined)
    return page === "before" && isBehindThing && known.verb.class === "destroy" ? "perhaps" : "page"
  if (isBehindThing) return "surely"
  return isPlain || requestDeeds.has(last) ? "perhaps" : "nothing"
}

/** `DELETE http://es:9200/orders` deletes all that is kept there. `place`: the address, or the name of the system. */
export const storedAt = (
  method: string,
  place: string,
  path: ReadonlyArray<string>,
  { isKnown, sets }: Vocabulary
): ReadonlyArray<string> | undefined => {
  const segments = path.filter((segment) => segment !== "")
  if (segments.length !== 1 || !/^delete$/i.test(method)) return undefined
  const { words } = splitName(place, isKnown)
  return words.some((word) => sets.requestStores.has(word)) ? ["indices", "{id}"] : undefined
}

/** `DELETE /users/search` deletes what the search finds: a DELETE is never a read. */
export const deletedBy = (
  method: string,
  path: ReadonlyArray<string>,
  { isKnown, words }: Vocabulary
): ReadonlyArray<string> | undefined => {
  if (!/^delete$/i.test(method)) return undefined
  const at = path.findLastIndex((segment) => segment !== "")
  const [last = ""] = splitName(path[at] ?? "", isKnown).words
  if (words.get(last)?.verb?.class !== "read") return undefined
  return path.slice(0, at).some((segment) => segment !== "") ? path.slice(0, at) : ["data"]
}
