/**
 * HTTP requests: `DELETE https://api.example.com/v3/users/7`, or the same as `method` and `url`. What is done, the method says, the
 * path, and the words of the query and the body.
 */

import { type Impact, riskOf } from "./Act.ts"
import type { PreparedSignals } from "./readArguments.ts"
import { readArguments, withSignals } from "./readArguments.ts"
import type { NameReading } from "./readName.ts"
import type { HttpRequest } from "./commands/CommandSession.ts"
import { type Names, readNameOfCall } from "./nameOfCall.ts"
import { splitName } from "./splitName.ts"
import type { Vocabulary } from "./Vocabulary.ts"

const started =
  /^\s*(?:method[:=]\s*)?(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)[\s,;:]+(?:(?:url|path|uri|endpoint)[:=]\s*)?["']?(https?:\/\/[^\s"'<>]+|\/[^\s"'<>]*)/i
const methodNamed =
  /(?:^|[\s,;{"'])(?:http_?)?method["']?\s*[:=]\s*["']?(get|head|options|post|put|patch|delete)(?![a-z])/i
const urlNamed =
  /(?:^|[\s,;{"'])(?:url|uri|path|endpoint|href)["']?\s*[:=]\s*["']?(https?:\/\/[^\s"',}]+|\/[^\s"',}]*)/i

/** The request that a text is, or undefined if it is none. */
export const requestIn = (text: string): HttpRequest | undefined => {
  const [whole, method, url] = started.exec(text) ?? []
  if (whole !== undefined && method !== undefined && url !== undefined)
    return { method, url, body: text.slice(whole.length) }
  const named = methodNamed.exec(text)?.[1]
  const place = urlNamed.exec(text)?.[1]
  return named === undefined || place === undefined ? undefined : { method: named, url: place, body: text }
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
    ? path.with(-1, "{id}")
    : undefined

const grave: ReadonlySet<Impact> = new Set<Impact>(["high", "critical"])

/** What a request does. */
export const actOfRequest = (
  { body, method, url }: HttpRequest,
  system: string | undefined,
  names: Names & { readonly signals: PreparedSignals }
): NameReading => {
  const host = address.exec(url)?.[1]
  const [named = "", query = ""] = url.replace(address, "").split("?")
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
