/** Reads what an organization's own history says about an action, in one round trip. */

import { Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import type { Mode } from "../domain/Mode.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import { imitates } from "../scoring/imitates.ts"
import {
  type Baseline,
  snapshotParameters,
  snapshotStatement,
  type SnapshotRow
} from "./behaviorSnapshots/query.ts"
import { ModeSql } from "./Sql.ts"

export interface SnapshotQuestion {
  readonly organizationId: string
  readonly mode: Mode
  readonly record: HistoryRecord
  /** SHA-256 of the record's canonical form. */
  readonly fingerprint: Uint8Array
  readonly baseline: Baseline
}

export interface ReadSnapshot {
  readonly snapshot: BehaviorSnapshot
  /** `takenAt` in microseconds since 1970, by the database's clock: one clock for all replicas. */
  readonly atMicros: number
}

export class BehaviorSnapshots extends Context.Service<
  BehaviorSnapshots,
  { readonly read: (question: SnapshotQuestion) => Effect.Effect<ReadSnapshot, SqlError.SqlError> }
>()("action-risk/storage/BehaviorSnapshots") {
  static readonly layer = Layer.effect(
    BehaviorSnapshots,
    Effect.gen(function* () {
      const sql = yield* ModeSql
      const read = Effect.fn("BehaviorSnapshots.read")(function* (question: SnapshotQuestion) {
        const { baseline, fingerprint, organizationId, record } = question
        const rows = yield* sql
          .for(question.mode)
          .unsafe<SnapshotRow>(
            snapshotStatement,
            snapshotParameters(organizationId, record, fingerprint, baseline)
          )
        const [row] = rows
        if (row === undefined) return yield* Effect.die(new Error("a snapshot is always one row"))
        return { snapshot: snapshotOf(row, record, baseline), atMicros: row.at_micros }
      })
      return BehaviorSnapshots.of({ read })
    })
  )
}

const snapshotOf = (row: SnapshotRow, record: HistoryRecord, baseline: Baseline): BehaviorSnapshot => ({
  takenAt: new Date(Math.floor(row.at_micros / 1_000)).toISOString(),
  windowDays: baseline.windowDays,
  sampleSize: row.sample_size,
  entityVolume: { units: row.volume_units, median: row.volume_median },
  financialValue: { units: row.amount_units, medianUsdCents: row.amount_median },
  velocity: {
    // This assessment is not yet in history, and counts.
    lastHour: row.last_hour + 1,
    p95PerHour: row.p95_per_hour,
    days: row.days,
    hours: row.hours
  },
  destination: destinationOf(row, record),
  actionTypeSeen: row.action_type_seen,
  agentSeen: row.agent_seen,
  last24Hours: { entities: row.recent_entities, usdCents: row.recent_usd_cents }
})

const destinationOf = (
  row: SnapshotRow,
  { destinationKey }: HistoryRecord
): BehaviorSnapshot["destination"] =>
  destinationKey === null
    ? null
    : {
        days: row.destination_days,
        firstSeenHours: row.destination_hours,
        largestEntities: row.destination_entities,
        largestUsdCents: row.destination_usd_cents,
        lookalike: row.established.some((established) => imitates(destinationKey, established))
      }
