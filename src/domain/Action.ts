/** The proposed action: what a caller states (specification 2.1), and what its action type is normalized to. */

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

/** What an action is called once normalized: `<object>.<verb>`, its class, and what its words reveal. */
export const actionClasses = [
  "destroy",
  "delete",
  "execute",
  "access",
  "transact",
  "export",
  "communicate",
  "deploy",
  "configure",
  "write",
  "read",
  "unknown"
] as const
/** Riskiest first: of several verbs in one action type the earliest class here wins; `unknown` only when none is known. */
export type ActionClass = (typeof actionClasses)[number]

export const actionCategories = [
  "data",
  "financial",
  "access",
  "infrastructure",
  "communication",
  "other"
] as const
export type ActionCategory = (typeof actionCategories)[number]

/** How many things a verb touches by its name alone: `bulk` many, `single` one, `open` not said. */
export type Extent = "bulk" | "single" | "open"

export const safeguardRanks = { protection: 1, trace: 2 } as const
export type SafeguardRank = 0 | (typeof safeguardRanks)[keyof typeof safeguardRanks]

export interface NormalizedAction {
  /** Canonical action type, e.g. `customer.export`; at most 160 code points. */
  readonly type: string
  readonly class: ActionClass
  readonly extent: Extent
  /** The object is a database, table, bucket, volume, cluster, backup … */
  readonly dataStore: boolean
  /** admin, root, owner, superuser, `*`, mfa, sso … stands in action_type, target_resource or target_system. */
  readonly admin: boolean
  /** Creates, rotates or reveals keys, passwords or secrets (counting them or listing names is not that). */
  readonly credential: boolean
  /** Data leaves as well, by another verb than the one that gives the class: `export_and_delete`. */
  readonly alsoExports: boolean
  /** What the action takes away or narrows: 0 no safeguard, 1 a protection such as backups, 2 a trace such as an audit log. */
  readonly safeguardWeakened: SafeguardRank
}
