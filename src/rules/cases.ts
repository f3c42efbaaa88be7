/** Turns a case's request and history into what the score takes. */

import type { Action } from "../domain/Action.ts"
import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import { historyRecord } from "../scoring/describeHistory.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import type { Model } from "../scoring/Model.ts"
import type { SituationFile } from "./files/CasesFile.ts"
import { instantsOf } from "./files/CasesFile/instantsOf.ts"
import { type Baseline, type Earlier, naiveSnapshot } from "./naiveSnapshot.ts"

export type Situation = typeof SituationFile.Type

const epoch = "2026-11-02T12:00:00Z"

/** How a rule release reads history: what an action contributes to it, and the thresholds of its snapshot. */
export interface Historian {
  readonly historyRecord: (action: Action) => HistoryRecord
  readonly baseline: Baseline
}

/** Without a history: an organization that has never asked before. */
export const snapshotBy = (
  { baseline, historyRecord }: Historian,
  { request, history }: Situation
): BehaviorSnapshot => {
  const nowMs = Date.parse(history?.now ?? epoch)
  const earlier = (history?.earlier ?? []).flatMap((entry): ReadonlyArray<Earlier> => {
    const record = historyRecord(entry.request)
    return instantsOf(entry).map((atMs) => ({ record, atMs }))
  })
  return naiveSnapshot(earlier, historyRecord(request), nowMs, baseline)
}

export const snapshotOf = (situation: Situation, model: Model): BehaviorSnapshot =>
  snapshotBy(
    { historyRecord: (action) => historyRecord(action, model), baseline: model.numbers.behavior },
    situation
  )
