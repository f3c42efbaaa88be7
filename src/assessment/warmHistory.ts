/** Reads history once in each mode at start, so that no caller's 150 ms go into connecting and planning. */

import { Effect } from "effect"
import { modes } from "../domain/Mode.ts"
import { storageTotalMsMax } from "../Limits.ts"
import { BehaviorSnapshots } from "../storage/BehaviorSnapshots.ts"
import { inBackground } from "../storage/inBackground.ts"
import { Scorer } from "./Scorer.ts"
import { sha256 } from "../storage/sha256.ts"

/** No organization has this id. */
const nobody = "00000000-0000-0000-0000-000000000000"

export const warmHistory = Effect.gen(function* () {
  const { baseline, historyRecord } = yield* Scorer
  const snapshots = yield* BehaviorSnapshots
  const record = historyRecord({ actionType: "history.read", environment: "development" })
  const fingerprint = sha256(record.canonicalForm)
  yield* Effect.forEach(
    modes,
    (mode) =>
      // A database that cannot answer now says so again at the first question, and that one is answered honestly.
      inBackground(
        "read history at start",
        snapshots.read({ mode, organizationId: nobody, record, fingerprint, baseline }, storageTotalMsMax)
      ),
    { concurrency: "unbounded", discard: true }
  )
})
