/**
 * What do months that come and go cost, and would partitions by month cost less?
 *
 * Method, first part: four months of assessments are stored, and then six times the oldest is erased by
 * `action-risk evidence erase --older-than`, as retention does it every night, and one is added. A second database is compared, in which
 * the last four months were stored and nothing was ever erased. On both, in turn: a page and a rare search, also far back, as
 * PostgreSQL runs them for the service, and the bytes of the tables. Autovacuum is stood in for by a VACUUM after each month.
 * The part of erasing that deletes rows is timed separately: dropping a partition would save only that part.
 *
 * Second part (stored/monthlyPartitions.ts): the service's reads and its insert on one table and on 36 partitions.
 *
 * Goals: the pages that each of these reads touches, and bytes, within 1.2 × those of the database that never erased.
 * BENCH_MONTH sets the assessments of a month.
 */

import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import type pg from "pg"
import { searchedFirstRows, searchedInTurnMax, searchedOnRows } from "../src/limits.ts"
import { greatestId, idAtInstant } from "../src/storage/timeOrderedId.ts"
import type { Answer, Question, Row } from "./Question.ts"
import { fillMonth } from "./stored/fill.ts"
import { medianOf, partitionRows } from "./stored/monthlyPartitions.ts"
import { openStage, type Stage } from "./stored/openStage.ts"
import { assessRequest } from "./stored/requests.ts"
import { monthRows, rounds } from "./stored/settings.ts"

const monthsKept = 4
const monthsErased = 6
const monthsInAll = monthsKept + monthsErased
const timesMax = 1.2
const calls = 60
const facetsLookMs = 500
const daysInMonth = 30
const monthMs = daysInMonth * 24 * 3_600 * 1_000
const evidenceKey = Buffer.alloc(32, "months").toString("base64")

const main = join(import.meta.dirname, "../bin/action-risk.js")
const run = promisify(execFile)

/** The month that ends now is the last of all. */
const endOf = (month: number): Date => new Date(Date.now() - (monthsInAll - 1 - month) * monthMs)

/** Retention finds assessments that are months old, whose filter columns exist. An assessment of today wakes the maker of these columns. */
const addMonth = async (stage: Stage, month: number): Promise<void> => {
  await fillMonth(stage, month, monthRows, endOf(month))
  const { body = "", headers, method, path } = assessRequest("month", month, stage.service.key)
  await fetch(`${stage.service.url}${path}`, { method, headers, body })
  for (;;) {
    const { rowCount } = await stage.database.owner.query(`
      SELECT FROM test.facets_made JOIN test.seals USING (organization_id)
      WHERE seals.sequence > high
        OR seals.sequence > (SELECT max(sequence) FROM test.search_spans AS spans WHERE spans.organization_id = seals.organization_id)
      LIMIT 1
    `)
    if (rowCount === 0) return
    await pause(facetsLookMs)
  }
}

/** The number that the command erased, and its duration in milliseconds. */
const runErase = async ({ database }: Stage, days: number) => {
  const startedAtMs = performance.now()
  const { stdout } = await run(
    process.execPath,
    [main, "evidence", "erase", "--org", "demo", "--mode", "test", "--older-than", `${days}d`, "--json"],
    {
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        KEY_PEPPER: readFileSync(join(database.dataDirectory, "key-pepper"), "utf8").trim(),
        EVIDENCE_KEY: evidenceKey
      }
    }
  )
  const { erased }: { readonly erased: number } = JSON.parse(stdout)
  return { erased, tookMs: performance.now() - startedAtMs }
}

/** Microseconds of each assessment. A run that finds nothing tells what the start of the command takes. */
const eraseMonth = async (stage: Stage, month: number): Promise<number> => {
  const nothing = await runErase(stage, 100 * monthsInAll * daysInMonth)
  const { erased, tookMs } = await runErase(stage, (monthsInAll - 1 - month) * daysInMonth)
  if (Math.abs(erased - monthRows) > 1) throw new Error(`${erased} erased in place of ${monthRows}`)
  await stage.database.owner.query("VACUUM (ANALYZE)")
  return ((tookMs - nothing.tookMs) * 1_000) / erased
}

/** Microseconds of each assessment, of the statements that a drop would do without. Nothing is deleted in the end. */
const timeDeleting = async ({ database, organizationId }: Stage): Promise<number> => {
  const client = await database.owner.connect()
  try {
    await client.query("SET search_path = test")
    await client.query("BEGIN")
    await client.query(`CREATE TEMPORARY TABLE going ON COMMIT DROP AS
      SELECT assessment_id, created_at FROM assessments ORDER BY assessment_id LIMIT ${monthRows}`)
    await client.query(`INSERT INTO erasures (organization_id, assessment_id, created_at, rules_digest, policy_digest, erased_at,
        reason, public_key, signature)
      SELECT organization_id, assessment_id, created_at, rules_digest, policy_digest, created_at, 'retention', '', rules_digest || rules_digest
      FROM assessments JOIN going USING (assessment_id, created_at)`)
    const startedAtMs = performance.now()
    await client.query(
      "DELETE FROM history USING going WHERE organization_id = $1 AND history.created_at = going.created_at AND history.assessment_id = going.assessment_id",
      [organizationId]
    )
    for (const table of ["facets", "assessments"]) {
      await client.query(
        `DELETE FROM ${table} WHERE organization_id = $1 AND assessment_id IN (SELECT assessment_id FROM going)`,
        [organizationId]
      )
    }
    return ((performance.now() - startedAtMs) * 1_000) / monthRows
  } finally {
    await client.query("ROLLBACK")
    client.release(true)
  }
}

const readStatements = {
  page: `SELECT assessment_id, item FROM assessments WHERE organization_id = $1 AND assessment_id < $2
    ORDER BY assessment_id DESC LIMIT 26`,
  "rare search": `SELECT items_json, last_id FROM search_assessments($1, $2, '%heron%', 'heron', NULL, NULL, 25,
    ${searchedFirstRows}, ${searchedOnRows}, ${searchedInTurnMax})`
} as const

/** The statement, and the id from which it reads backwards. The last page of a search is months old. */
const reads = {
  page: { statement: "page", before: () => greatestId },
  "rare search": { statement: "rare search", before: () => greatestId },
  "search months back": {
    statement: "rare search",
    before: () => idAtInstant(endOf(monthsErased).toISOString()) ?? greatestId
  }
} as const
type Read = keyof typeof reads

const openReader = async ({ database }: Stage): Promise<pg.PoolClient> => {
  const client = await database.owner.connect()
  await client.query(
    "SET search_path = test; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan"
  )
  return client
}

const timeRead = async (client: pg.PoolClient, { organizationId }: Stage, read: Read) => {
  const { before, statement } = reads[read]
  const values = [organizationId, before()]
  const tookUs: Array<number> = []
  for (let i = 0; i < calls; i++) {
    const startedAtMs = performance.now()
    await client.query({ name: statement, text: readStatements[statement], values })
    tookUs.push((performance.now() - startedAtMs) * 1_000)
  }
  return tookUs
}

/** Pages that a read touches, which no other work on the machine changes. */
const pagesTouched = async (
  client: pg.PoolClient,
  { organizationId }: Stage,
  read: Read
): Promise<number> => {
  const { before, statement } = reads[read]
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${readStatements[statement]}`,
    [organizationId, before()]
  )
  const { Plan: plan } = rows[0]["QUERY PLAN"][0]
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
}

const bytesOf = async ({ database }: Stage): Promise<number> => {
  const { rows } = await database.owner.query<{ bytes: number }>(`
    SELECT sum(pg_total_relation_size(format('test.%I', name)))::float8 AS bytes
    FROM unnest(ARRAY['assessments', 'history', 'facets']) AS name`)
  return rows[0]?.bytes ?? Number.NaN
}

const readBoth = async (cycled: Stage, fresh: Stage) => {
  const clients = [await openReader(cycled), await openReader(fresh)] as const
  const rows: Array<Row> = []
  const goals: Array<Answer["goals"][number]> = []
  try {
    for (const read of Object.keys(reads) as ReadonlyArray<Read>) {
      const took: readonly [Array<number>, Array<number>] = [[], []]
      for (let round = 0; round < 2 * rounds; round++) {
        took[0].push(...(await timeRead(clients[0], cycled, read)))
        took[1].push(...(await timeRead(clients[1], fresh, read)))
      }
      const [after, without] = [
        medianOf(`${read}, retained`, took[0]),
        medianOf(`${read}, never erased`, took[1])
      ]
      rows.push(after, without)
      const pages: readonly [number, number] = [
        await pagesTouched(clients[0], cycled, read),
        await pagesTouched(clients[1], fresh, read)
      ]
      // Pages and not microseconds: what else the machine does changes no number of pages.
      const times = pages[0] / pages[1]
      goals.push({
        says: `${read}: at most ${timesMax} × the pages of a database that never erased (${pages.join(" and ")})`,
        met: times <= timesMax
      })
    }
  } finally {
    for (const client of clients) client.release(true)
  }
  return { rows, goals }
}

const answer = async (): Promise<Answer> => {
  await using cycled = await openStage()
  await using fresh = await openStage()
  const erasedUs: Array<number> = []
  let deletingUs = Number.NaN
  for (let month = 0; month < monthsInAll; month++) {
    const old = month - monthsKept
    if (old === monthsErased - 1) deletingUs = await timeDeleting(cycled)
    if (old >= 0) erasedUs.push(await eraseMonth(cycled, old))
    await addMonth(cycled, month)
  }
  for (let month = monthsErased; month < monthsInAll; month++) await addMonth(fresh, month)
  const { goals, rows } = await readBoth(cycled, fresh)
  const times = (await bytesOf(cycled)) / (await bytesOf(fresh))
  const erasing = medianOf("erase one assessment", erasedUs)
  const deleting = { subject: "of it deleting its rows", medianUs: deletingUs, p99Us: deletingUs }
  const partitions = await partitionRows(fresh)
  return {
    rows: [erasing, deleting, ...rows, ...partitions.rows],
    notes: [
      `erased: ${Math.round(1e6 / erasing.medianUs)} a second, of months of ${monthRows.toLocaleString("en-US")}`,
      `a drop would save ${Math.round((100 * deletingUs) / erasing.medianUs)} % of erasing`,
      ...partitions.notes
    ],
    goals: [
      ...goals,
      { says: `bytes at most ${timesMax} × as many (${times.toFixed(2)})`, met: times <= timesMax }
    ]
  }
}

export const monthsQuestion: Question = {
  name: "months",
  asks: "Months that come and go, and partitions by month",
  answer
}
