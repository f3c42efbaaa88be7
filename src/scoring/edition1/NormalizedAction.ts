/** How the first edition reads the words of an action: its twelve classes, and what else the name of an action says. */

import type { ActionClass } from "../../domain/Action.ts"

export const edition1Classes = [
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
] as const satisfies ReadonlyArray<ActionClass>
/** Riskiest first: if an action type has several verbs, the earliest class wins. `unknown` only if no verb is known. */
export type Edition1Class = (typeof edition1Classes)[number]

/** How many things a verb touches by its name alone: `bulk` many, `single` one, `open` not stated. */
export type Extent = "bulk" | "single" | "open"

export const safeguardRanks = { protection: 1, trace: 2 } as const
export type SafeguardRank = 0 | (typeof safeguardRanks)[keyof typeof safeguardRanks]

/** The normalized form of an action type: `<object>.<verb>`, its class, and what its words reveal. */
export interface NormalizedAction {
  /** Canonical action type, e.g. `customer.export`; at most 160 code points. */
  readonly type: string
  readonly class: Edition1Class
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
