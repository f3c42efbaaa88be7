/** Reads what an organization's own history says about an action, in one round trip that many questions share. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import type { Mode } from "../domain/Mode.ts"
import { readLanes, readTogetherMax, sharedWaitingMax } from "../Limits.ts"
import { assemble } from "./behaviorSnapshots/assemble.ts"
import { makePasts } from "./behaviorSnapshots/makePasts.ts"
import { areOfOneDay, ofOneDay } from "./behaviorSnapshots/ofOneDay.ts"
import {
  type Baseline,
  type Past,
  pastOfRow,
  pastParameters,
  type PastRow,
  pastStatement
} from "./behaviorSnapshots/past.ts"
import {
  type SharingRow,
  type TodayRow,
  todayParameters,
  type TodayQuestion,
  todayStatement,
  todaysOf
} from "./behaviorSnapshots/today.ts"
import { groupedStatement } from "./groupedStatement.ts"
import { inSharedTime } from "./inSharedTime.ts"
import { spanned } from "./spanned.ts"
import { ModeSql } from "./Sql.ts"
import { type StorageSilent, within } from "./within.ts"

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
  {
    /** Fails with `StorageSilent` once the patience is over. */
    readonly read: (
      question: SnapshotQuestion,
      patienceMs: number
    ) => Effect.Effect<ReadSnapshot, SqlError.SqlError | StorageSilent>
  }
>()("action-risk/storage/BehaviorSnapshots") {
  static readonly layer = Layer.effect(
    BehaviorSnapshots,
    Effect.gen(function* () {
      const readers = { live: yield* readerOf("live"), test: yield* readerOf("test") }
      const read = spanned("BehaviorSnapshots.read")((question: SnapshotQuestion, patienceMs: number) =>
        readers[question.mode](question, patienceMs)
      )
      return BehaviorSnapshots.of({ read })
    })
  )
}

/** Invariant: a snapshot joins a past and a today of one and the same day. */
function readerOf(mode: Mode) {
  return Effect.gen(function* () {
    const sql = (yield* ModeSql).for(mode)
    const pasts = yield* makePasts(({ baseline, organizationId }) =>
      inSharedTime(sql.unsafe<PastRow>(pastStatement, pastParameters(organizationId, baseline))).pipe(
        Effect.map(([row]): Past => pastOfRow(row as PastRow))
      )
    )
    const today = yield* groupedStatement({
      name: "read_behavior",
      batchMax: readTogetherMax,
      lanes: readLanes,
      waitingMax: sharedWaitingMax,
      run: (questions: ReadonlyArray<SnapshotQuestion>) =>
        Effect.map(sql.unsafe<SharingRow>(todayStatement, todayParameters(questions)), (rows) =>
          todaysOf(questions, rows)
        )
    })

    /** Of many that find the same past outdated the first forgets it, and all wait for the next. */
    const again = (question: SnapshotQuestion) => ({
      past: (outdated: Past) => {
        if (pasts.known(question) === outdated) pasts.forget(question)
        return pasts.read(question)
      },
      today: today(question)
    })

    const join = (question: SnapshotQuestion, past: Past, row: TodayRow): ReadSnapshot => ({
      snapshot: assemble(past, row, question.record, question.baseline.windowDays),
      atMicros: row.at_micros
    })

    const settle = (question: SnapshotQuestion, past: Past, row: TodayRow) =>
      Effect.map(ofOneDay([past, row], again(question)), (agreed) => join(question, ...agreed))

    const readBoth = (question: SnapshotQuestion) =>
      Effect.flatMap(Effect.all([pasts.read(question), today(question)], { concurrency: 2 }), ([past, row]) =>
        settle(question, past, row)
      )

    return Effect.fnUntraced(function* (question: SnapshotQuestion, patienceMs: number) {
      const past = pasts.known(question)
      if (past === null) return yield* within(patienceMs, readBoth(question))
      const row = yield* today(question, patienceMs)
      // Nearly every question ends here, without a timer and a fiber of its own.
      if (areOfOneDay(past, row)) return join(question, past, row)
      return yield* within(patienceMs, settle(question, past, row))
    })
  })
}
