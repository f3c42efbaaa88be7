import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { migrate, schemaVersion } from "../../src/storage/migrate.ts"
import { migrations } from "../../src/storage/migrations.ts"
import { onCluster } from "../support/TestDatabase.ts"
import { urlOfDatabase } from "../support/testCluster.ts"

const emptyDatabase = Effect.acquireRelease(
  Effect.suspend(() => {
    const name = `empty_${randomBytes(8).toString("hex")}`
    return Effect.as(
      onCluster((sql) => sql`CREATE DATABASE ${sql(name)}`),
      name
    )
  }),
  (name) => Effect.orDie(onCluster((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
).pipe(Effect.map((name) => Redacted.make(urlOfDatabase(inject("clusterUrl"), name))))

describe("migrations", () => {
  it("are listed in order, each under a number of its own", () => {
    const numbers = Object.keys(migrations).map((file) => Number(/^(\d{4})_[a-z0-9_]+$/.exec(file)?.[1]))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(numbers.at(-1)).toBe(schemaVersion)
  })

  it.effect("are applied exactly once however many processes begin at the same moment", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const applied = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate(url)),
        { concurrency: 4 }
      )
      const [all, ...none] = applied.toSorted((one, other) => other.length - one.length)
      expect([all?.length, none]).toEqual([Object.keys(migrations).length, [[], [], []]])
      expect(yield* migrate(url)).toEqual([])
    })
  )
})
