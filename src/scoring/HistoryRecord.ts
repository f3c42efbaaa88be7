/** The history record of an action: the keys that find its behavior snapshot, and the figures that later snapshots count. */

import type { ActionCategory, ActionClass } from "../domain/Action.ts"
import { visibleText } from "./names/lookalike.ts"

export interface HistoryRecord {
  readonly normalizedActionType: string
  readonly actionClass: ActionClass
  readonly actionCategory: ActionCategory
  readonly agentId: string | null
  /** NFKC, trimmed, lower-cased; of a URL the host and path. */
  readonly destinationKey: string | null
  /** As the caller stated them; null if missing. Baselines count these. */
  readonly statedEntities: number | null
  readonly statedUsdCents: number | null
  /** The name under which the 24 h sums count the action: its agent, or else the pool of its target system. */
  readonly summedUnder: string
  /**
   * As scored, with missing figures at their reference, and at most the highest step of the sums. The 24 h sums count
   * these, so that a missing figure never hides volume. No sum can mean more than the highest step, so one question never
   * adds more than that step, whatever it claims. Storage leaves out the class `read`; of other classes that add nothing
   * an edition gives 0.
   */
  readonly scoredEntities: number
  readonly scoredUsdCents: number
  /** RFC 8785 form of the scored fields (no metadata, context or description). Its SHA-256 is the fingerprint of the action. */
  readonly canonicalForm: string
}

/** A name without space at its ends never begins with one, so no agent's name is the name of a pool. */
const poolPrefix = " "

/**
 * Invariant: both editions make this key and that of a destination, so that an organization keeps its history when the
 * release that it is scored with changes to another edition.
 * Callers that name no agent are summed by target system: in one pool for all of them, one caller's large action would
 * raise everybody's next one. Those that name neither share the empty name.
 */
export const summedUnder = (agentId: string | null, targetSystem = ""): string => {
  if (agentId !== null) return agentId
  const system = visibleText(targetSystem).toLowerCase()
  return system === "" ? "" : poolPrefix + system
}

/** Index of the first of `characters` at or after `from`, or the end of the text. */
const indexOfAny = (text: string, characters: string, from: number): number => {
  let at = from
  while (at < text.length && !characters.includes(text.charAt(at))) at++
  return at
}

/** `text` is a URL without its `scheme://`. User, query, fragment and the usual ports are left out. */
const hostAndPath = (text: string): string => {
  const end = indexOfAny(text, "?#", 0)
  const pathAt = Math.min(end, indexOfAny(text, "/\\", 0))
  const authority = text.slice(text.lastIndexOf("@", pathAt - 1) + 1, pathAt)
  const path = text.slice(pathAt, end).replaceAll("\\", "/")
  const host = authority.replace(/:(?:80|443)?$/, "").replace(/\.$/, "")
  return host + path
}

const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === "/") end--
  return text.slice(0, end)
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//
const mailScheme = "mailto:"

/**
 * The key of a destination in history, the same for every spelling of one place.
 * scoring.md §6: NFKC, trimmed, lower case; of a URL the host and path, of a mail link the part after the scheme.
 */
export const destinationKey = (destination: string): string => {
  const plain = destination.normalize("NFKC").trim().toLowerCase()
  // The query of a mail link stays, because it can name more recipients: `?bcc=`.
  if (plain.startsWith(mailScheme)) return plain.slice(mailScheme.length)
  const prefix = scheme.exec(plain)?.[0]
  if (prefix === undefined) return plain
  // A URL without host and path names no place, so the text itself is the key.
  return withoutTrailingSlashes(hostAndPath(plain.slice(prefix.length))) || plain
}
