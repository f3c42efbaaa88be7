import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { ControlSql, ModeSql } from "../../../src/storage/sql/Sql.ts"
import { LiveSql, TestSql } from "../../support/modeSql.ts"
import { sqlState } from "../../../src/storage/storageErrors.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const webhookTables = ["webhook_endpoints", "webhook_answers", "webhook_events", "webhook_deliveries"]

const clients = Effect.gen(function* () {
  return { control: yield* ControlSql, live: yield* LiveSql, test: yield* TestSql }
})

layer(TestDatabase.layer, { excludeTestServices: true })("Sql", (it) => {
  it.effect("each client works as its own role on its own schema, in UTC and under time limits", () =>
    Effect.gen(function* () {
      for (const [schema, sql] of Object.entries(yield* clients)) {
        const [row] = yield* sql`
          SELECT current_user AS role, current_schema AS schema, current_setting('timezone') AS zone,
            current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
            current_setting('idle_in_transaction_session_timeout') AS idle
        `
        expect(row).toEqual({
          role: `action_risk_${schema}`,
          schema,
          zone: "UTC",
          statement: "2s",
          lock: "1500ms",
          idle: "5s"
        })
      }
    })
  )

  it.effect("the client of a mode is that mode's", () =>
    Effect.gen(function* () {
      const modes = yield* ModeSql
      expect([modes.for("live"), modes.for("test")]).toEqual([yield* LiveSql, yield* TestSql])
    })
  )

  it.effect("no role reads or writes a table of another role's schema, whatever role it asks for", () =>
    Effect.gen(function* () {
      const all = yield* clients
      for (const [schema, sql] of Object.entries(all)) {
        for (const other of Object.keys(all).filter((name) => name !== schema)) {
          const tables = yield* tablesOf(all.control, other)
          const expected = other === "control" ? ["api_keys"] : ["assessments", "reviews", ...webhookTables]
          expect(tables).toEqual(expect.arrayContaining(expected.map((name) => `${other}.${name}`)))
          for (const table of tables) {
            for (const statement of [`SELECT 1 FROM ${table}`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
              for (const way of ["RESET ROLE", "SET ROLE NONE", "SET SESSION AUTHORIZATION DEFAULT"]) {
                const attempt = sql.withTransaction(Effect.andThen(sql.unsafe(way), sql.unsafe(statement)))
                expect([statement, sqlState(yield* Effect.flip(attempt))]).toEqual([statement, "42501"])
              }
            }
          }
        }
      }
    })
  )

  it.effect("no session of a role becomes the owner or another role", () =>
    Effect.gen(function* () {
      for (const [schema, sql] of Object.entries(yield* clients)) {
        for (const role of ["action_risk", "action_risk_control", "action_risk_live", "action_risk_test"]) {
          if (role === `action_risk_${schema}`) continue
          for (const way of [`SET ROLE ${role}`, `SET SESSION AUTHORIZATION ${role}`]) {
            const refused = yield* Effect.flip(sql.withTransaction(sql.unsafe(way)))
            expect([way, sqlState(refused)]).toEqual([way, "42501"])
          }
        }
      }
    })
  )

  it.effect("a setting made inside a transaction does not reach the connection's next user", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      yield* sql.withTransaction(sql`SELECT set_config('statement_timeout', '10ms', true)`)
      const seen = yield* Effect.forEach(Array(12).keys(), () => sql`SHOW statement_timeout`, {
        concurrency: 12
      })
      expect(new Set(seen.map(([row]) => row?.["statement_timeout"]))).toEqual(new Set(["2s"]))
    })
  )
})

const tablesOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string) {
  const rows = yield* sql<{ readonly name: string }>`
    SELECT format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${schema} AND c.relkind IN ('r', 'p')
  `
  return rows.map(({ name }) => name)
})
