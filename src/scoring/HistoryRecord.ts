/** The history record of an action: the keys that find its behavior snapshot, and the figures that later snapshots count. */

import type { Json } from "../json/json.ts"
import type { Action, ActionCategory, ActionClass } from "../domain/Action.ts"
import { allFieldsAt } from "./edition1/FieldBounds.ts"
import type { Model } from "./Model.ts"
import { type StatedAction, toStatedAction } from "./edition1/StatedAction.ts"
import { canonicalText } from "../json/canonical.ts"
import type { ActionWords } from "./edition1/lexicon/normalize.ts"
import { visibleText } from "./lookalike.ts"
import { complete, completionsOf } from "./edition1/missingFields.ts"
import { centsPerUsd } from "./money.ts"

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
   * adds more than that step, whatever it claims.
   */
  readonly scoredEntities: number
  readonly scoredUsdCents: number
  /** RFC 8785 form of the scored fields (no metadata, context or description). Its SHA-256 is the fingerprint of the action. */
  readonly canonicalForm: string
}

const allAtReference = allFieldsAt("reference")

type ScoredField = Exclude<keyof Action, "actionDescription" | "context" | "metadata">

/**
 * The RFC 8785 form of the scored fields, each as the score reads it: another spelling of a field gives the same form.
 * Description, metadata and context are not in it, because the score does not read them.
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

/** A name without space at its ends never begins with one, so no agent's name is the name of a pool. */
const poolPrefix = " "

/**
 * Callers that name no agent are summed by target system: in one pool for all of them, one caller's large action would
 * raise everybody's next one. Those that name neither share the empty name.
 */
const summedUnder = (agentId: string | null, targetSystem = ""): string => {
  if (agentId !== null) return agentId
  const system = visibleText(targetSystem).toLowerCase()
  return system === "" ? "" : poolPrefix + system
}

/** `words`: what the model's lexicon reads in the action, for callers that know it already. */
export const historyRecord = (action: Action, model: Model, words?: ActionWords): HistoryRecord => {
  const stated = toStatedAction(action, model, words)
  const completions = completionsOf(stated, model)
  const resolved = complete(stated, completions, allAtReference)
  const steps = model.numbers.cumulativeSteps
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
    summedUnder: summedUnder(agentId, action.targetSystem),
    scoredEntities: Math.min(resolved.entities, Math.max(...steps.entities)),
    scoredUsdCents: Math.min(resolved.usdCents, Math.max(...steps.usd) * centsPerUsd),
    canonicalForm: canonicalFormOf(action, stated, agentId, destination)
  }
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
