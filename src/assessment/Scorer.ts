/** The scorer: the rule release and policy sets that this process serves, behind one question. */

import { Context, type Effect, Schema } from "effect"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"

/** No opinion could be produced: the core score failed or took longer than its hard cap. */
export class ScoringFailed extends Schema.TaggedError<ScoringFailed>()("ScoringFailed", {
  reason: Schema.String
}) {}

export interface Scored {
  readonly opinion: Opinion
  /** `<policy set>@<version>+<8 hex>` */
  readonly policyVersion: string
  /** SHA-256, hex. */
  readonly policyDigest: string
  readonly scoringMs: number
  readonly policyMs: number
}

export class Scorer extends Context.Service<
  Scorer,
  {
    /** `<engine semver>+<rules version>.<8 hex>` */
    readonly riskEngineVersion: string
    /** SHA-256 of the rule release, hex. */
    readonly rulesDigest: string
    readonly historyRecord: (action: Action) => HistoryRecord
    /** An opinion; `behavior` "unavailable" gives an incomplete one at its worst. */
    readonly score: (
      action: Action,
      behavior: Behavior,
      policySet: string
    ) => Effect.Effect<Scored, ScoringFailed>
  }
>()("action-risk/assessment/Scorer") {}
