/** Turns a case's request and history into what the score takes. */

import type { Action } from "../domain/Action.ts"
import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import { historyRecord } from "../scoring/describeHistory.ts"
import type { Model } from "../scoring/Model.ts"
import type { SituationFile } from "./files/CasesFile.ts"
import { instantsOf } from "./files/CasesFile/instantsOf.ts"
import { type Earlier, naiveSnapshot } from "./naiveSnapshot.ts"

export type Situation = typeof SituationFile.Type

const epoch = "2026-11-02T12:00:00Z"

/** Without a history: an organization that has never asked before. */
export const snapshotOf = ({ request, history }: Situation, model: Model): BehaviorSnapshot => {
  const nowMs = Date.parse(history?.now ?? epoch)
  const earlier = (history?.earlier ?? []).flatMap((entry): ReadonlyArray<Earlier> => {
    const record = historyRecord(entry.request, model)
    return instantsOf(entry).map((atMs) => ({ record, atMs }))
  })
  const action: Action = request
  return naiveSnapshot(earlier, historyRecord(action, model), nowMs, model.numbers.behavior)
}
