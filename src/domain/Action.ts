/** The proposed action a caller asks about: the validated assessment request of specification 2.1. */

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

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/**
 * An absent field was not stated; it is completed with its worst plausible reading, never with a small one.
 * `unknown` stays here as the caller wrote it (the record is evidence) and counts as absent in scoring.
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
  /** Echoed into the record; its keys never become facts. */
  readonly metadata?: JsonObject
  /** Echoed into the record; its keys never become facts. */
  readonly context?: JsonObject
}
