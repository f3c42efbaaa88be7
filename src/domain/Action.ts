/** The proposed action: the fields that a caller states (specification 2.1), and the classes and categories of actions. */

import type { JsonObject } from "../json/json.ts"

export const environments = ["development", "sandbox", "staging", "production"] as const
/** Least risky first: the index is the rank that rules compare. */
export type Environment = (typeof environments)[number]

export const dataClassifications = ["public", "internal", "confidential", "restricted", "regulated"] as const
/** Least sensitive first: the index is the rank that rules compare. The wire's `unknown` means "not stated". */
export type DataClassification = (typeof dataClassifications)[number]

export const reversibilities = [
  "fully_reversible",
  "mostly_reversible",
  "partially_reversible",
  "difficult_to_reverse",
  "irreversible"
] as const
/** Easiest to undo first: the index is the rank that rules compare. The wire's `unknown` means "not stated". */
export type Reversibility = (typeof reversibilities)[number]

/**
 * An absent field was not stated. The score completes it by the kind of the action: see `complete`.
 * `unknown` stays here as the caller wrote it, because the record is evidence. The score treats it as absent.
 */
export interface Action {
  readonly actionType: string
  readonly environment: Environment
  readonly agentId?: string
  readonly targetSystem?: string
  readonly targetResource?: string
  readonly actionDescription?: string
  readonly entitiesAffected?: number
  readonly recordsAffected?: number
  /** In units of `currency`; a finite JSON number ≥ 0. */
  readonly financialValue?: number
  /** Three ASCII letters in any case, as the caller wrote them. */
  readonly currency?: string
  readonly destination?: string
  readonly dataClassification?: DataClassification | "unknown"
  readonly reversibility?: Reversibility | "unknown"
  readonly privilegeChange?: boolean
  readonly productionImpact?: boolean
  /** Echoed into the record. The score reads only `command` and `tool_call` of it, and no key becomes a fact. */
  readonly metadata?: JsonObject
  /** Echoed into the record; its keys never become facts. */
  readonly context?: JsonObject
}

export const actionClasses = [
  "internal",
  "simulate",
  "read",
  "write",
  "configure",
  "unknown",
  "communicate",
  "export",
  "deploy",
  "transact",
  "actuate",
  "execute",
  "access",
  "delete",
  "destroy"
] as const
/**
 * The kind of act. Least risky first, in the order in which two readings of equal impact are compared. `unknown` only if
 * no verb is known.
 */
export type ActionClass = (typeof actionClasses)[number]

/** Classes of acts that change nothing. */
export const changeless: ReadonlySet<ActionClass> = new Set<ActionClass>(["internal", "simulate", "read"])

export const actionCategories = [
  "data",
  "financial",
  "access",
  "infrastructure",
  "communication",
  "other"
] as const
export type ActionCategory = (typeof actionCategories)[number]
