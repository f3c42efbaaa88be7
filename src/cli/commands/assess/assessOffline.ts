/** One action scored as the API would score it, for an organization without history unless one is given; nothing is stored. */

import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import { encode } from "../../../assessment/encode.ts"
import { Scorer } from "../../../assessment/Scorer.ts"
import type { Action } from "../../../domain/Action.ts"
import type { Mode } from "../../../domain/Mode.ts"
import { type Situation, snapshotBy } from "../../../rules/cases.ts"
import { requestId } from "../../../server/requestId.ts"
import { timeOrderedId } from "../../../storage/assessmentId.ts"
import { noHistory } from "./noHistory.ts"

const microsPerMilli = 1_000

export interface Offline {
  readonly mode: Mode
  readonly policySet: string
  /** What was asked before; the window ends at its own `now`. */
  readonly history?: Situation["history"] | undefined
}

export const assessOffline = Effect.fn("assess.offline")(function* (
  action: Action,
  { history, mode, policySet }: Offline
) {
  const scorer = yield* Scorer
  const nowMs = yield* Clock.currentTimeMillis
  const snapshot =
    history === undefined
      ? noHistory(action, scorer.baseline.windowDays, new Date(nowMs).toISOString())
      : snapshotBy(scorer, { request: action, history })
  const startedAtMs = performance.now()
  const { opinion, policyMs, policyVersion, scoringMs } = yield* scorer.score(action, snapshot, policySet)
  const total = performance.now() - startedAtMs
  const response: AssessmentResponse = encode(opinion, {
    riskEngineVersion: scorer.riskEngineVersion,
    policyVersion,
    assessmentId: timeOrderedId(nowMs * microsPerMilli),
    actionId: randomUUID(),
    requestId: requestId(nowMs),
    mode,
    createdAtMicros: nowMs * microsPerMilli,
    timing: { total, validation: 0, behavior: 0, scoring: scoringMs, policy: policyMs }
  })
  return response
})
