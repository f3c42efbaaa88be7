/** docs/citus.sql against the schema: no table is forgotten, and each distributed table can have its key. */

import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { readFileSync } from "node:fs"
import { Database } from "../../src/storage/Database.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

interface Table {
  readonly name: string
  /** The columns of each unique index, in order. */
  readonly unique: ReadonlyArray<ReadonlyArray<string>>
  readonly references: ReadonlyArray<string>
  readonly triggers: ReadonlyArray<string>
  readonly notNull: ReadonlyArray<string>
}

const tablesOfSchema = Effect.gen(function* () {
  const { url } = yield* Database
  const sql = yield* PgClient.makeClient({ url })
  return yield* sql<Table>`
    SELECT tables.oid::regclass::text AS name,
      (SELECT coalesce(json_agg((
        SELECT json_agg(attname ORDER BY place) FROM unnest(indkey::int2[]) WITH ORDINALITY AS keys (number, place)
          JOIN pg_attribute ON attrelid = indrelid AND attnum = number
      )), '[]') FROM pg_index WHERE indrelid = tables.oid AND indisunique) AS unique,
      (SELECT coalesce(json_agg(confrelid::regclass::text), '[]') FROM pg_constraint
        WHERE conrelid = tables.oid AND contype = 'f') AS references,
      (SELECT coalesce(json_agg(tgname ORDER BY tgname), '[]') FROM pg_trigger
        WHERE tgrelid = tables.oid AND NOT tgisinternal) AS triggers,
      (SELECT coalesce(json_agg(attname), '[]') FROM pg_attribute
        WHERE attrelid = tables.oid AND attnum > 0 AND attnotnull) AS "notNull"
    FROM pg_class AS tables
    WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text IN ('control', 'live', 'test')
  `
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.provide(TestDatabase.layer))

const text = readFileSync(new URL("../../docs/citus.sql", import.meta.url), "utf8")
const matchesOf = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...groups]) => groups)

const references = matchesOf(/^SELECT create_reference_table\('([a-z._]+)'\);$/gm).map(([name]) => name)
const staying = matchesOf(/^-- Stays on the coordinator: ([a-z._]+), because .+\.$/gm).map(([name]) => name)
const distributed = matchesOf(
  /^SELECT create_distributed_table\('([a-z._]+)', '(\w+)', colocate_with => '([a-z._]+)'\);(?: -- triggers: (.+))?$/gm
).map(([name, key, beside, triggers]) => ({ name, key, beside, triggers: triggers?.split(", ") ?? [] }))

describe("the statements that distribute the tables", () => {
  it.effect("name each table of the schema exactly once", () =>
    Effect.gen(function* () {
      const named = [...references, ...staying, ...distributed.map(({ name }) => name)]
      const tables = yield* tablesOfSchema
      expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
      const statements = text.split("\n").filter((line) => line.startsWith("SELECT"))
      expect(statements).toHaveLength(references.length + distributed.length)
    })
  )

  it.effect("use a key that is never null and begins every unique index, and name the triggers", () =>
    Effect.gen(function* () {
      const tables = new Map((yield* tablesOfSchema).map((table) => [table.name, table]))
      for (const { key, name, triggers } of distributed) {
        const table = tables.get(name ?? "")
        expect([name, table?.notNull]).toEqual([name, expect.arrayContaining([key])])
        expect([name, table?.unique.map(([first]) => first)]).toEqual([name, table?.unique.map(() => key)])
        expect([name, table?.triggers]).toEqual([name, triggers])
      }
    })
  )

  it.effect("keep all tables of a mode together, and foreign keys among tables that every server has", () =>
    Effect.gen(function* () {
      for (const { beside, name = "" } of distributed) {
        const [mode, table] = name.split(".")
        expect([name, beside]).toEqual([name, table === "assessments" ? "none" : `${mode}.assessments`])
      }
      for (const { name, references: to } of yield* tablesOfSchema) {
        if (to.length > 0) expect(references).toEqual(expect.arrayContaining([name, ...to]))
      }
    })
  )
})
