/** Reads what an organization's own history says about an action, in one round trip that many questions share. */

import { Cache, Context, Effect, Fiber, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import type { Mode } from "../domain/Mode.ts"
import { pastMs, pastsMax, readLanes, readTogetherMax, sharedWaitingMax } from "../Limits.ts"
import { assemble } from "./behaviorSnapshots/assemble.ts"
import {
  type Baseline,
  type Past,
  pastOfRow,
  pastParameters,
  type PastRow,
  pastStatement
} from "./behaviorSnapshots/past.ts"
import {
  todayParameters,
  type TodayQuestion,
  type TodayRow,
  todayStatement
} from "./behaviorSnapshots/today.ts"
import { groupedStatement } from "./groupedStatement.ts"
import { inSharedTime } from "./inSharedTime.ts"
import { ModeSql } from "./Sql.ts"

export interface SnapshotQuestion extends TodayQuestion {
  readonly mode: Mode
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
      const readers = { live: yield* readerOf("live"), test: yield* readerOf("test") }
      const read = Effect.fn("BehaviorSnapshots.read")((question: SnapshotQuestion) =>
        readers[question.mode](question)
      )
      return BehaviorSnapshots.of({ read })
    })
  )
}

/** Invariant: a snapshot joins a past and a today of one and the same day. */
function readerOf(mode: Mode) {
  return Effect.gen(function* () {
    const sql = (yield* ModeSql).for(mode)
    const scope = yield* Effect.scope
    const load = ({ organizationId, ...baseline }: PastKey) =>
      inSharedTime(sql.unsafe<PastRow>(pastStatement, pastParameters(organizationId, baseline))).pipe(
        Effect.map(([row]): Past => pastOfRow(row as PastRow))
      )
    // Whoever gives up waiting for a past must not keep the next one from finding it.
    const pasts = yield* Cache.make({
      lookup: (key: PastKey) => Effect.forkIn(load(key), scope),
      capacity: pastsMax,
      timeToLive: pastMs
    })
    const pastOf = (key: PastKey) =>
      Effect.flatMap(Cache.get(pasts, key), Fiber.join).pipe(
        Effect.tapCause(() => Cache.invalidate(pasts, key))
      )
    const today = yield* groupedStatement({
      name: "read_behavior",
      batchMax: readTogetherMax,
      lanes: readLanes,
      waitingMax: sharedWaitingMax,
      run: (questions: ReadonlyArray<SnapshotQuestion>) =>
        sql.unsafe<TodayRow>(todayStatement, todayParameters(questions))
    })

    return Effect.fnUntraced(function* (question: SnapshotQuestion) {
      const { baseline, organizationId, record } = question
      const key: PastKey = { organizationId, ...baseline }
      const [held, row] = yield* Effect.all([pastOf(key), today(question)], { concurrency: 2 })
      const yesterdays = held.today !== row.today
      if (yesterdays) yield* Cache.invalidate(pasts, key)
      const past = yesterdays ? yield* pastOf(key) : held
      return { snapshot: assemble(past, row, record, baseline.windowDays), atMicros: row.at_micros }
    })
  })
}

interface PastKey extends Baseline {
  readonly organizationId: string
}
