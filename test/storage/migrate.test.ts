import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migrate, migrations, schemaVersion } from "../../src/storage/migrate.ts"
import { emptyDatabase } from "../support/emptyDatabase.ts"

describe("migrations", () => {
  it("are listed in ascending order with unique numbers", () => {
    const numbers = Object.keys(migrations).map((file) => Number(/^(\d{4})_[a-z0-9_]+$/.exec(file)?.[1]))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(numbers.at(-1)).toBe(schemaVersion)
  })

  it.effect("are applied exactly once, however many processes start at the same moment", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const applied = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate(url)),
        { concurrency: 4 }
      )
      const byAny = applied.flat().map(({ id }) => id)
      expect(byAny.toSorted((a, b) => a - b)).toEqual(
        Object.keys(migrations).map((file) => Number.parseInt(file, 10))
      )
      expect(yield* migrate(url)).toEqual([])
    })
  )
})
