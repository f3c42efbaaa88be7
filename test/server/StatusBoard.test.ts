/** The status is read from memory and follows the database within one refresh. */

import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { statusProbeMs, statusRefreshMs } from "../../src/limits.ts"
import { StatusBoard } from "../../src/server/StatusBoard.ts"
import { WritingHealth } from "../../src/storage/assessments/AssessmentRecords.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { withSettableClock } from "../support/settableClock.ts"

/** The database in the state that the test sets. */
const database = {
  answer: Effect.void as Effect.Effect<unknown>,
  commit: Effect.void as Effect.Effect<unknown, Error>,
  asked: 0,
  takesWrites: true,
  failsToWrite: false
}

const board = StatusBoard.layer.pipe(
  Layer.provide([
    Layer.succeed(ControlSql, ((strings: TemplateStringsArray) =>
      Effect.suspend(() => {
        database.asked++
        if (strings.some((text) => text.includes("pg_logical_emit_message"))) return database.commit
        return Effect.as(database.answer, [{ takesWrites: database.takesWrites }])
      })) as unknown as SqlClient.SqlClient),
    Layer.succeed(WritingHealth, {
      fails: () => database.failsToWrite,
      forget: () => {
        database.failsToWrite = false
      }
    }),
    Layer.succeed(Scorer, { riskEngineVersion: "1.0.0+1.0.0.00000000" } as Scorer["Service"]),
    Logger.layer([])
  ])
)

describe("the status board", () => {
  it.effect("follows the database within one refresh, and sends no query in between", () =>
    Effect.gen(function* () {
      const { read } = yield* StatusBoard
      yield* TestClock.adjust(1)
      expect(read()).toMatchObject({ status: "operational", risk_engine_version: "1.0.0+1.0.0.00000000" })
      const { asked } = database
      for (let i = 0; i < 1_000; i++) read()
      expect(database.asked).toBe(asked)

      database.answer = Effect.die(new Error("away"))
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().status).toBe("major_outage")
      expect(read().components).toContainEqual({ name: "database", status: "major_outage" })
      expect(read().components).toContainEqual({ name: "api", status: "operational" })

      database.answer = Effect.sleep(statusProbeMs + 1)
      yield* TestClock.adjust(statusRefreshMs + statusProbeMs + 1)
      expect(read().status).toBe("degraded_performance")

      database.answer = Effect.void
      yield* TestClock.adjust(statusRefreshMs)
      expect(read()).toMatchObject({ status: "operational", updated_at: expect.stringMatching(/Z$/) })
    }).pipe(Effect.provide(board))
  )

  it.effect("calls a database that answers and takes no writes, such as a standby, out of order", () =>
    Effect.gen(function* () {
      const { read } = yield* StatusBoard
      database.answer = Effect.void
      database.takesWrites = false
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().components).toContainEqual({ name: "database", status: "major_outage" })
      database.takesWrites = true
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().status).toBe("operational")
    }).pipe(Effect.provide(board))
  )

  it.effect("says that nothing is stored where a commit ends and assessments cannot be written", () =>
    Effect.gen(function* () {
      const { read } = yield* StatusBoard
      database.failsToWrite = true
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().components).toContainEqual({ name: "database", status: "partial_outage" })
      database.failsToWrite = false
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().status).toBe("operational")
    }).pipe(Effect.provide(board))
  )

  it.effect("says that nothing is stored where the database answers and no commit ends", () =>
    Effect.gen(function* () {
      const { read } = yield* StatusBoard
      database.answer = Effect.void
      database.commit = Effect.fail(new Error("the standby is away"))
      yield* TestClock.adjust(statusRefreshMs)
      expect(read()).toMatchObject({ status: "partial_outage" })
      expect(read().components).toContainEqual({ name: "database", status: "partial_outage" })

      database.commit = Effect.sleep(statusProbeMs + 1)
      yield* TestClock.adjust(statusRefreshMs + statusProbeMs + 1)
      expect(read().status).toBe("degraded_performance")
      database.commit = Effect.void
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().status).toBe("operational")
    }).pipe(Effect.provide(board))
  )

  it.effect("is well again with the database, although no assessment was stored since it was down", () =>
    Effect.gen(function* () {
      const { read } = yield* StatusBoard
      database.commit = Effect.fail(new Error("the standby is away"))
      database.failsToWrite = true
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().status).toBe("partial_outage")
      database.commit = Effect.void
      yield* TestClock.adjust(statusRefreshMs)
      expect(read().status).toBe("operational")
    }).pipe(Effect.provide(board))
  )

  it.effect("calls a slow database degraded when the machine's clock is set back meanwhile", () =>
    withSettableClock((setBack) =>
      Effect.gen(function* () {
        const { read } = yield* StatusBoard
        database.answer = Effect.andThen(Effect.sleep(statusProbeMs + 1), setBack(60_000))
        yield* TestClock.adjust(statusRefreshMs + statusProbeMs + 1)
        expect(read().status).toBe("degraded_performance")
      }).pipe(Effect.provide(board))
    )
  )
})
