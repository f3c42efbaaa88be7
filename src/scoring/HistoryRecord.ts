/** What history needs of an action: the keys its snapshot is read by, and the figures that later snapshots count. */

import type { Json } from "../json/json.ts"
import type { Action, ActionCategory, ActionClass } from "../domain/Action.ts"
import { allFieldsAt } from "./FieldBounds.ts"
import type { Model } from "./Model.ts"
import { type StatedAction, toStatedAction } from "./StatedAction.ts"
import { canonicalText } from "../json/canonical.ts"
import type { ActionWords } from "./lexicon/normalize.ts"
import { visibleText } from "./lookalike.ts"
import { complete, completionsOf } from "./missingFields.ts"

export interface HistoryRecord {
  readonly normalizedActionType: string
  readonly actionClass: ActionClass
  readonly actionCategory: ActionCategory
  readonly agentId: string | null
  /** NFKC, trimmed, lower-cased; of a URL the host and path. */
  readonly destinationKey: string | null
  /** As the caller stated them; null when left out. Baselines are made of these. */
  readonly statedEntities: number | null
  readonly statedUsdCents: number | null
  /** As scored: completed where left out. 24 h sums are made of these, so that leaving out never hides volume. */
  readonly scoredEntities: number
  readonly scoredUsdCents: number
  /** RFC 8785 form of the scored fields (no metadata, context or description); its SHA-256 is the fingerprint. */
  readonly canonicalForm: string
}

/** What an action contributes to history, and the keys that its own history is read by. */
const allAtReference = allFieldsAt("reference")

type ScoredField = Exclude<keyof Action, "actionDescription" | "context" | "metadata">

/**
 * RFC 8785 form of what is scored, each field as scoring reads it: spelling a field another way makes no other action, and
 * description, metadata and context are no part of one.
 */
const canonicalFormOf = (
  action: Action,
  stated: StatedAction,
  agentId: string | null,
  destination: string | null
): string =>
  canonicalText({
    actionType: stated.normalized.type,
    agentId,
    currency: action.currency?.toUpperCase(),
    dataClassification: stated.dataClassification,
    destination,
    entitiesAffected: action.entitiesAffected,
    environment: action.environment,
    financialValue: action.financialValue,
    privilegeChange: action.privilegeChange,
    productionImpact: action.productionImpact,
    recordsAffected: action.recordsAffected,
    reversibility: stated.reversibility,
    targetResource: action.targetResource,
    targetSystem: action.targetSystem
  } satisfies Record<ScoredField, Json | undefined>)

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const historyRecord = (action: Action, model: Model, words?: ActionWords): HistoryRecord => {
  const stated = toStatedAction(action, model, words)
  const completions = completionsOf(stated, model)
  const resolved = complete(stated, completions, allAtReference)
  const agentId = stated.agentId === undefined ? null : visibleText(stated.agentId)
  const destination = stated.destination === undefined ? null : destinationKey(stated.destination)
  return {
    normalizedActionType: stated.normalized.type,
    actionClass: stated.normalized.class,
    actionCategory: stated.class.category,
    agentId,
    destinationKey: destination,
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents: action.financialValue === undefined ? null : resolved.usdCents,
    scoredEntities: resolved.entities,
    scoredUsdCents: resolved.usdCents,
    canonicalForm: canonicalFormOf(action, stated, agentId, destination)
  }
}

/**
 * The key by which history knows a destination: the same place however it is spelled.
 * Index of the first of `characters` at or after `from`, or the end.
 */
const indexOfAny = (text: string, characters: string, from: number): number => {
  let at = from
  while (at < text.length && !characters.includes(text.charAt(at))) at++
  return at
}

/** Host, port unless it is the usual one, and path of what follows `scheme://`; without user, query and fragment. */
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

/** scoring.md §6: NFKC, trimmed, lower-cased; of a URL the host and path, of a mail link what follows the scheme. */
export const destinationKey = (destination: string): string => {
  const plain = destination.normalize("NFKC").trim().toLowerCase()
  // A query of a mail link is kept, since it can name more recipients: `?bcc=`.
  if (plain.startsWith(mailScheme)) return plain.slice(mailScheme.length)
  const prefix = scheme.exec(plain)?.[0]
  if (prefix === undefined) return plain
  // A URL without host and path names no place; then the text itself is the key.
  return withoutTrailingSlashes(hostAndPath(plain.slice(prefix.length))) || plain
}
