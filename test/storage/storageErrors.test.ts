import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Fiber, Logger, Option } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { backgroundRetryMs, faultLogMs } from "../../src/limits.ts"
import {
  classifyDatabaseFailure,
  makeFaultLog,
  retryOnceOrLog,
  sqlState
} from "../../src/storage/storageErrors.ts"

const answered = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error("no"), { code }),
      message: "no",
      operation: "query"
    })
  })

const lost = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: Object.assign(new Error("no"), { code }),
      message: "no",
      operation: "query"
    })
  })

describe("the log of a fault that many requests meet", () => {
  it.effect("has a line a second for each kind, which says how many are left out", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = makeFaultLog(Effect.logError)
      const logged = (error: unknown, times = 1) =>
        Effect.repeat(log("asked in vain", Cause.die(error)), { times: times - 1 })
      yield* Effect.gen(function* () {
        yield* logged(answered("08006"), 500)
        yield* logged(answered("53300"))
        yield* TestClock.adjust(faultLogMs)
        yield* logged(answered("08006"), 2)
        yield* TestClock.adjust(faultLogMs)
        yield* logged(answered("53300"))
      }).pipe(Effect.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])))
      const told = lines.map((line) => {
        const { annotations, message } = JSON.parse(line)
        return [message[1].sqlState, annotations.left_out]
      })
      expect(told).toEqual([
        ["08006", undefined],
        ["53300", undefined],
        ["08006", 499],
        ["53300", undefined]
      ])
    })
  )
})

describe("a database failure", () => {
  it.each([
    ...[
      "08006",
      "25006",
      "28P01",
      "53100",
      "53300",
      "55P03",
      "57014",
      "57P01",
      "57P03",
      "58030",
      "XX001"
    ].map((code) => [code, "unavailable"] as const),
    ["40001", "conflict"],
    ["40P01", "conflict"],
    ["23505", "unique"],
    ["23503", "fault"],
    ["42501", "fault"],
    ["42601", "fault"],
    ["25001", "fault"]
  ] as const)("with the SQLSTATE %s is %s", (code, kind) => {
    expect([sqlState(answered(code)), classifyDatabaseFailure(answered(code))]).toEqual([code, kind])
  })

  it.each(["EPIPE", "ECONNREFUSED", "ECONNRESET", "ENOENT"])(
    "of the socket, %s, is no SQLSTATE and unavailable",
    (code) => {
      expect([sqlState(lost(code)), classifyDatabaseFailure(lost(code))]).toEqual([null, "unavailable"])
    }
  )

  it("that does not come from the database is a fault", () => {
    for (const defect of [new TypeError("x"), "57P01", null, undefined, { reason: 1 }]) {
      expect(classifyDatabaseFailure(defect)).toBe("fault")
    }
  })
})

/** Runs work that fails this often in the background. Returns its result and what was logged. */
const runInBackground = (failures: number, failure: Effect.Effect<never, string> = Effect.fail("away")) => {
  const logged: Array<unknown> = []
  let times = 0
  const work = Effect.suspend(() => (times++ < failures ? failure : Effect.succeed("done")))
  return Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(retryOnceOrLog("count", work))
    yield* TestClock.adjust(2 * backgroundRetryMs)
    return { found: Option.getOrNull(yield* Fiber.join(fiber)), logged, times }
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => logged.push(message))])))
}

describe("work in the background", () => {
  it.effect("is retried once before its failure is logged", () =>
    Effect.gen(function* () {
      expect(yield* runInBackground(0)).toEqual({ found: "done", logged: [], times: 1 })
      expect(yield* runInBackground(1)).toEqual({ found: "done", logged: [], times: 2 })
      expect(yield* runInBackground(2)).toEqual({ found: null, logged: [["could not count"]], times: 2 })
    })
  )

  it.effect("survives a defect, which is logged at once", () =>
    Effect.gen(function* () {
      expect(yield* runInBackground(1, Effect.die(new Error("broken")))).toEqual({
        found: null,
        logged: [["could not count"]],
        times: 1
      })
    })
  )
})
