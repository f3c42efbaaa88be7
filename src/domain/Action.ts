/** The proposed action: the fields that a caller states (specification 2.1), and the normalized form of its action type. */

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
 * An absent field was not stated. The score completes it with its worst plausible value, never with a small one.
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
  /** Echoed into the record; its keys never become facts. */
  readonly metadata?: JsonObject
  /** Echoed into the record; its keys never become facts. */
  readonly context?: JsonObject
}

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
/** Riskiest first: if an action type has several verbs, the earliest class wins. `unknown` only if no verb is known. */
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

/** How many things a verb touches by its name alone: `bulk` many, `single` one, `open` not stated. */
export type Extent = "bulk" | "single" | "open"

export const safeguardRanks = { protection: 1, trace: 2 } as const
export type SafeguardRank = 0 | (typeof safeguardRanks)[keyof typeof safeguardRanks]

/** The normalized form of an action type: `<object>.<verb>`, its class, and what its words reveal. */
export interface NormalizedAction {
  /** Canonical action type, e.g. `customer.export`; at most 160 code points. */
  readonly type: string
  readonly class: ActionClass
  readonly extent: Extent
  /** The object is a database, table, bucket, volume, cluster, backup … */
  readonly dataStore: boolean
  /** action_type, target_resource or target_system contains admin, root, owner, superuser, `*`, mfa, sso … */
  readonly admin: boolean
  /** Creates, rotates or reveals keys, passwords or secrets. Counting them or listing their names does not count. */
  readonly credential: boolean
  /** Another verb than the one that gives the class exports data: `export_and_delete`. */
  readonly alsoExports: boolean
  /** The safeguard that the action removes or weakens: 0 none, 1 a protection such as backups, 2 a trace such as an audit log. */
  readonly safeguardWeakened: SafeguardRank
}
