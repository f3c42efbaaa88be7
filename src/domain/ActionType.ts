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
