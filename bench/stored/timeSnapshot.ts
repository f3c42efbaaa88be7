/** The statements that a behaviour snapshot is read with, as PostgreSQL times them. */

import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { createHash } from "node:crypto"
import { selectBaselineWindow } from "../../src/storage/behavior/BaselineWindow.ts"
import { todayStatement } from "../../src/storage/behavior/todaysActivity.ts"
import { destinationSummedUnder } from "../../src/scoring/HistoryRecord.ts"
import type { Row } from "../Question.ts"
import { model } from "../situations.ts"
import type { Stage } from "./openStage.ts"

/** The counts of the days before today; a process holds them for a minute. */
export const readOnceAMinute = "snapshot, past"

const times = 40
const baseline = model.numbers.behavior
/** Its statements are compiled here and run by the client of the bench. */
const sql = Statement.make(Effect.die("not run"), PgClient.makeCompiler(), [], undefined)
/** The benches ask only about changes. */
const changesOnly = true

export const timeSnapshot = async ({ database, organizationId }: Stage): Promise<ReadonlyArray<Row>> => {
  const client = await database.owner.connect()
  const timed = async (subject: string, statement: string, values: ReadonlyArray<unknown>): Promise<Row> => {
    const tookUs: Array<number> = []
    for (let i = 0; i < times; i++) {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`, [...values])
      tookUs.push(rows[0]["QUERY PLAN"][0]["Execution Time"] * 1_000)
    }
    const sorted = tookUs.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
    return { subject, medianUs: at(0.5), p99Us: at(0.99) }
  }
  try {
    await client.query("SET search_path = test; SET enable_seqscan = off")
    const fingerprint = createHash("sha256").update("an action that nobody asked about").digest()
    const past = selectBaselineWindow(sql, { organizationId, production: true, changesOnly, baseline })
    return [
      await timed("snapshot, today", todayStatement, [
        [organizationId],
        [fingerprint],
        ["type-7"],
        ["agent-7"],
        ["files-7.partner.example"],
        [baseline.windowDays],
        ["agent-7"],
        [true],
        [baseline.evidenceHoursMin],
        [changesOnly],
        [null],
        [null],
        [destinationSummedUnder("files-7.partner.example")]
      ]),
      await timed(readOnceAMinute, ...past.compile())
    ]
  } finally {
    client.release(true)
  }
}
