import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { outdatedReadsMax } from "../../../src/limits.ts"
import { type DayRevision, joinSameDay } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import { classifyDatabaseFailure } from "../../../src/storage/storageErrors.ts"

const friday: DayRevision = { today: "2026-11-20", revision: 3 }
const saturday: DayRevision = { today: "2026-11-21", revision: 3 }
const afterReview: DayRevision = { today: "2026-11-20", revision: 4 }
const atNewYear: DayRevision = { today: "2027-01-01", revision: 3 }

/** The database's time goes on by one moment with every reading; the last moment stays. Gives what was read, too. */
const joining = Effect.fnUntraced(function* (
  past: DayRevision,
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
    joinSameDay([past, today], { past: () => next("past"), today: next("today") })
  )
  return { joined, reads }
})

describe("a snapshot", () => {
  it.effect("whose halves agree is read no further", () =>
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
    it.effect(`whose today was read before ${when} has today read again, and the past not`, () =>
      Effect.gen(function* () {
        const { joined, reads } = yield* joining(later, friday, () => later)
        expect(joined).toMatchObject({ success: [later, later] })
        expect(reads).toEqual(["today"])
      })
    )

    it.effect(`whose past is from before ${when} has the past read again, and today not`, () =>
      Effect.gen(function* () {
        const { joined, reads } = yield* joining(friday, later, () => later)
        expect(joined).toMatchObject({ success: [later, later] })
        expect(reads).toEqual(["past"])
      })
    )
  }

  it.effect("never joins a past of tomorrow with today, when midnight comes between two readings again", () =>
    Effect.gen(function* () {
      const { joined, reads } = yield* joining(friday, afterReview, () => saturday)
      expect(joined).toMatchObject({ success: [saturday, saturday] })
      expect(reads).toEqual(["past", "today"])
    })
  )

  it.effect("fails where something leaves the past at every reading, after a bounded number of them", () =>
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
