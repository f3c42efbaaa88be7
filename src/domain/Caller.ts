/** Who asks: an authenticated key with its organization and mode. */

import type { Environment } from "./Action.ts"
import type { Mode } from "./Mode.ts"
import type { Scope } from "./Scope.ts"

export interface Caller {
  readonly organizationId: string
  /** The organization's slug. */
  readonly organization: string
  readonly mode: Mode
  readonly keyId: string
  readonly scopes: ReadonlyArray<Scope>
  /** The environments this key may assess actions in; null means all. */
  readonly environments: ReadonlyArray<Environment> | null
  /** Name of the organization's policy set; `none` has no rules. */
  readonly policySet: string
}
