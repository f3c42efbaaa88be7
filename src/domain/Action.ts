/** The proposed action: the fields that a caller can state (specification 2.1), and the classes and categories of actions. */

import type { JsonObject } from "../json/json.ts"

export const environments = ["development", "sandbox", "staging", "production"] as const
/** Least risky first; rules compare the index as a rank. */
export type Environment = (typeof environments)[number]

export const dataClassifications = ["public", "internal", "confidential", "restricted", "regulated"] as const
/** Least sensitive first; rules compare the index as a rank. `unknown` on the wire means "not stated". */
export type DataClassification = (typeof dataClassifications)[number]

export const reversibilities = [
  "fully_reversible",
  "mostly_reversible",
  "partially_reversible",
  "difficult_to_reverse",
  "irreversible"
] as const
/** Easiest to undo first; rules compare the index as a rank. `unknown` on the wire means "not stated". */
export type Reversibility = (typeof reversibilities)[number]

/**
 * An absent field was not stated, and the score assumes a value by the kind of the action: see `complete`. `unknown` is kept as the caller
 * wrote it, because the record is evidence, but the score treats it as absent.
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
  /** Copied into the record. The score reads only `command` and `tool_call`, and no key becomes a fact. */
  readonly metadata?: JsonObject
  /** Copied into the record. Its keys never become facts. */
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
/** The kind of act. Least risky first, which also orders readings of equal impact. `unknown` only if no verb is known. */
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
