/** The caller of a request: an authenticated key with its organization, mode and scopes. */

import type { Environment } from "./Action.ts"

export interface Caller {
  readonly organizationId: string
  /** The organization's slug. */
  readonly organization: string
  readonly mode: Mode
  readonly keyId: string
  /** The name that the operator gave the key; null if unnamed. */
  readonly keyName: string | null
  readonly scopes: ReadonlyArray<Scope>
  /** The environments in which this key may assess actions, report outcomes and close reviews; null means all. */
  readonly environments: ReadonlyArray<Environment> | null
  /** The name of the organization's policy set. `none` has no rules. */
  readonly policySet: string
}

/** The two modes share no data. */
export const modes = ["test", "live"] as const
export type Mode = (typeof modes)[number]

/** The permissions that a key can have. */
export const scopes = ["assess", "read", "reviews", "webhooks", "explain", "rules", "outcomes"] as const
export type Scope = (typeof scopes)[number]
