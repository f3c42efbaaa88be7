/** A stored assessment as a history tells it: what was asked, what history said then, and the policies that it was scored with. */

import type { Action, JsonObject } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"

export interface Recorded {
  readonly assessmentId: string
  /** `<policy set>@<version>+<8 hex>` */
  readonly policyVersion: string
  /** As it was recorded. */
  readonly request: JsonObject
  readonly action: Action
  /** `unavailable` where no snapshot was stored: the assessment was incomplete, with history at its worst. */
  readonly behavior: Behavior
}
