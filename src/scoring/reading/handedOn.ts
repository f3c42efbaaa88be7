/** What tools hand on that do nothing by themselves: they call a service, make a request, press a button. */

import type { Action } from "../../domain/Action.ts"
import { impacts, riskOf } from "./Act.ts"
import { findListed } from "./Catalogue.ts"
import type { HttpRequest } from "./commands/CommandSession.ts"
import { higher } from "./findObjects.ts"
import { actOfRequest, requestIn } from "./httpRequest.ts"
import { type NameOfCall, type Names, slice } from "./nameOfCall.ts"
import type { PreparedSignals } from "./readArguments.ts"
import { type NameReading, readName } from "./readName.ts"
import { splitName } from "./splitName.ts"

type NamesAndSignals = Names & { readonly signals: PreparedSignals }

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
  { catalogue, impacts: table, vocabulary }: Names
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
const isRequester = ({ listed, server, split }: NameOfCall, { sets }: Names["vocabulary"]): boolean => {
  const { requesters } = sets
  const { words } = slice(split, Math.max(listed.from, server))
  return requesters !== undefined && words.length > 0 && words.every((word) => requesters.has(word))
}

/** What the requests of a command do: `curl -X DELETE …`. */
export const actsOfRequests = (
  requests: ReadonlyArray<HttpRequest>,
  names: NamesAndSignals
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
  names: NamesAndSignals
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
  names: NamesAndSignals
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
