/** The caller of a request: an authenticated key with its organization, its mode and its scopes. */

import type { Environment } from "./Action.ts"

export interface Caller {
  readonly organizationId: string
  /** The organization's slug. */
  readonly organization: string
  readonly mode: Mode
  readonly keyId: string
  /** The owner of the key, as the operator named it; null if unnamed. */
  readonly keyName: string | null
  readonly scopes: ReadonlyArray<Scope>
  /** The environments whose actions this key may assess, report on and close reviews of; null means all. */
  readonly environments: ReadonlyArray<Environment> | null
  /** Name of the organization's policy set; `none` has no rules. */
  readonly policySet: string
}

/** The two modes share no data. */
export const modes = ["test", "live"] as const
export type Mode = (typeof modes)[number]

/** The uses that a key can permit. */
export const scopes = ["assess", "read", "reviews", "webhooks", "explain", "rules", "outcomes"] as const
export type Scope = (typeof scopes)[number]
