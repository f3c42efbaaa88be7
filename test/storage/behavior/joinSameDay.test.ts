import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { outdatedReadsMax } from "../../../src/limits.ts"
import { type DayRevision, joinSameDay } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import { classifyDatabaseFailure } from "../../../src/storage/storageErrors.ts"

const friday: DayRevision = { until: "2026-11-20", revision: 3 }
const saturday: DayRevision = { until: "2026-11-21", revision: 3 }
const afterReview: DayRevision = { until: "2026-11-20", revision: 4 }
const atNewYear: DayRevision = { until: "2027-01-01", revision: 3 }

/** Joins the two halves. Every further read returns what `further` says. Returns the result, and which halves were read. */
const joining = Effect.fnUntraced(function* (
  window: DayRevision,
  today: DayRevision,
  further: (read: number) => DayRevision
) {
  const reads: Array<string> = []
  const next = (what: string) =>
    Effect.sync(() => {
      reads.push(what)
      return further(reads.length)
    })
  const joined = yield* Effect.result(
    joinSameDay([window, today], { window: () => next("window"), today: next("today") })
  )
  return { joined, reads }
})

describe("a snapshot", () => {
  it.effect("whose halves agree is not read again", () =>
    Effect.gen(function* () {
      const { joined, reads } = yield* joining(friday, { ...friday }, () => saturday)
      expect(joined).toMatchObject({ success: [friday, friday] })
      expect(reads).toEqual([])
    })
  )

  for (const [when, later] of [
    ["the day ends", saturday],
    ["the year ends", atNewYear],
    ["a review takes something out", afterReview]
  ] as const) {
    it.effect(`whose today was read before ${when} reads only today again`, () =>
      Effect.gen(function* () {
        const { joined, reads } = yield* joining(later, friday, () => later)
        expect(joined).toMatchObject({ success: [later, later] })
        expect(reads).toEqual(["today"])
      })
    )

    it.effect(`whose window was read before ${when} reads only the window again`, () =>
      Effect.gen(function* () {
        const { joined, reads } = yield* joining(friday, later, () => later)
        expect(joined).toMatchObject({ success: [later, later] })
        expect(reads).toEqual(["window"])
      })
    )
  }

  it.effect(
    "never joins the window of one day with the activity of another, also when midnight comes during the second read",
    () =>
      Effect.gen(function* () {
        const { joined, reads } = yield* joining(friday, afterReview, () => saturday)
        expect(joined).toMatchObject({ success: [saturday, saturday] })
        expect(reads).toEqual(["window", "today"])
      })
  )

  it.effect("fails after a bounded number of reads where every read finds another revision", () =>
    Effect.gen(function* () {
      const { joined, reads } = yield* joining(friday, afterReview, (read) => ({
        ...friday,
        revision: 4 + read
      }))
      expect(Result.isFailure(joined) && classifyDatabaseFailure(joined.failure)).toBe("conflict")
      expect(reads).toHaveLength(outdatedReadsMax)
    })
  )
})
