/** The history record of an action: the keys under which later look-ups find it, and the figures that later snapshots count. */

import type { Action, ActionCategory, ActionClass } from "../domain/Action.ts"
import type { Sum } from "../domain/Behavior.ts"
import { canonicalText } from "../json/canonical.ts"
import type { Json } from "../json/json.ts"
import type { Numbers } from "./Numbers.ts"
import type { RiskModel } from "./Model.ts"
import type { StatedCall } from "./StatedCall.ts"
import { complete, resolve } from "./completeCall.ts"
import type { Knowledge } from "./knowledge/OrganizationCatalogue.ts"
import { knowCall } from "./knowledge/knowCall.ts"
import { centsPerUsd } from "./money.ts"
import { readerSees, visibleText } from "./names/lookalike.ts"
import { placeKey } from "./names/placeKey.ts"
import type { Reading } from "./reading/readCall.ts"

export interface HistoryRecord {
  readonly normalizedActionType: string
  readonly actionClass: ActionClass
  readonly actionCategory: ActionCategory
  /** Whether the action counts as production. Production has its own history, separate from all other environments. */
  readonly production: boolean
  /**
   * Whether the action changes anything. False for the classes that the release calls harmless, such as reads and simulations: they are no
   * evidence for an action that changes something, and they do not count towards the agent's pace.
   */
  readonly changes: boolean
  readonly agentId: string | null
  /** See `placeKey`. */
  readonly destinationKey: string | null
  /** As stated in the call's fields or arguments; null if missing. Baselines count these. */
  readonly statedEntities: number | null
  readonly statedUsdCents: number | null
  /**
   * The key under which the 24 h sums count the action: its agent in lower case, or the shared pool of its target system if no agent is
   * named.
   */
  readonly summedUnder: string
  /** See `destinationSummedUnder`; null without a destination. */
  readonly destinationSummedUnder: string | null
  /**
   * As scored: missing figures at their reference value, and never above the highest step of the sums. The 24 h sums count these, so that
   * leaving out a figure never hides volume. Sums above the highest step have no further effect, so the cap limits what one request can
   * add, whatever it claims. Storage skips the class `read`; other harmless classes give 0.
   */
  readonly scoredEntities: number
  readonly scoredUsdCents: number
  /** The scored fields as RFC 8785 JSON (without description, context and other metadata). Its SHA-256 is the fingerprint of the action. */
  readonly canonicalForm: string
}

/** Agent names are trimmed, so a leading space keeps pool names distinct from agent names. */
const poolPrefix = " "

/**
 * Callers that name no agent are summed per target system. In one pool for all of them, one caller's large action would raise the next
 * action of every other caller. Callers that name neither share the empty name.
 */
export const summedUnder = (agentId: string | null, targetSystem = ""): string => {
  if (agentId !== null) return agentId.toLowerCase()
  const system = visibleText(targetSystem).toLowerCase()
  return system === "" ? "" : poolPrefix + system
}

/**
 * The key under which the 24 h sums count what flows to a destination: its name as a human reader sees it. History keeps two spellings
 * apart, so that an unknown one cannot pass for a known one. The sums join them, because a payee with ten spellings is paid ten times.
 */
export const destinationSummedUnder = (key: string | null): string | null =>
  key === null ? null : readerSees(key) || visibleText(key)

const nothingKnown: Knowledge = { catalogue: undefined, day: undefined }

type ScoredField =
  | Exclude<keyof Action, "actionDescription" | "context" | "metadata">
  | "command"
  | "toolCall"

/** The RFC 8785 form of the scored fields, each as the score reads it, so that spellings with the same meaning give the same form. */
const canonicalFormOf = (
  action: Action,
  stated: StatedCall,
  agentId: string | null,
  destination: string | null
): string =>
  canonicalText({
    actionType: stated.reading.type,
    agentId,
    command: action.metadata?.["command"],
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
    targetSystem: action.targetSystem,
    toolCall: action.metadata?.["tool_call"]
  } satisfies Record<ScoredField, Json | undefined>)

const hundredPercent = 100

/** The most that one request can add to later sums: the highest step, or a share of it if callers without a name share the sum. */
const addedMaxOf = (agentId: string | null, { behavior, cumulativeSteps }: Numbers): Sum => {
  const percent = agentId === null ? behavior.unnamedPercentMax : hundredPercent
  const shareOf = (steps: ReadonlyArray<number>, unit: number): number =>
    Math.floor((Math.max(...steps) * unit * percent) / hundredPercent)
  return {
    entities: shareOf(cumulativeSteps.entities, 1),
    usdCents: shareOf(cumulativeSteps.usd, centsPerUsd)
  }
}

/**
 * `known`: the organization's catalogue, and the day of the assessment. `reading`: the reading of the action by the model's lexicon, for
 * callers that have it already.
 */
export const historyRecord = (
  action: Action,
  model: RiskModel,
  known: Knowledge = nothingKnown,
  reading?: Reading
): HistoryRecord => {
  const { behavior } = model.numbers
  const { stated } = knowCall(action, model, known, reading)
  const resolved = resolve(stated, complete(stated, model.numbers, model.currencies))
  // Storage skips only the class `read`, so figures of other harmless classes become 0 here.
  const { harmless } = stated.class
  const agentId = stated.agentId === undefined ? null : visibleText(stated.agentId)
  const { silentParameters } = model.lexicon.vocabulary.sets
  const destination = stated.destination === undefined ? null : placeKey(stated.destination, silentParameters)
  // Caps assumed counts: three deletions of unknown size must not add up to a deletion of thousands. Each was already scored for what it
  // may be.
  const assumedMax = stated.entities === undefined ? behavior.assumedEntitiesMax : resolved.entities
  const addedMax = addedMaxOf(agentId, model.numbers)
  return {
    normalizedActionType: stated.reading.type,
    actionClass: stated.reading.class,
    actionCategory: stated.class.category,
    production: stated.production,
    changes: !harmless,
    agentId,
    destinationKey: destination,
    statedEntities: stated.entities ?? null,
    statedUsdCents: stated.value === undefined ? null : resolved.usdCents,
    summedUnder: summedUnder(agentId, action.targetSystem),
    destinationSummedUnder: destinationSummedUnder(destination),
    scoredEntities: harmless ? 0 : Math.min(resolved.entities, assumedMax, addedMax.entities),
    scoredUsdCents: harmless ? 0 : Math.min(resolved.usdCents, addedMax.usdCents),
    canonicalForm: canonicalFormOf(action, stated, agentId, destination)
  }
}
