/**
 * How many bytes an assessment takes once it is sealed: on disk, table by table with its indexes, and as write-ahead log.
 * Not part of `npm run bench`: `npm run bench:bytes [assessments]`, 5,000 unless told, of the benches' own requests,
 * 16 at once. Prints one line for each table; docs/operations.md quotes them.
 */

import { setTimeout as sleep } from "node:timers/promises"
import { openStage, type Stage } from "./stored/openStage.ts"
import { assessRequest } from "./stored/requests.ts"

const assessments = Number(process.argv[2] ?? 5_000)
const atOnce = 16

const assessAll = async ({ service: { key, url } }: Stage): Promise<void> => {
  let next = 0
  const ask = async () => {
    while (next < assessments) {
      const { body = "", headers, method, path } = assessRequest("bytes", next++, key)
      const response = await fetch(url + path, { method, headers, body })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
}

const tableSizes = `
  SELECT relname AS name, pg_table_size(c.oid)::float8 AS table, pg_indexes_size(c.oid)::float8 AS indexes,
    (SELECT count(*) FROM pg_index WHERE indrelid = c.oid)::int AS index_count
  FROM pg_class c WHERE relnamespace = 'test'::regnamespace AND relkind = 'r' ORDER BY relname`

interface Size {
  readonly name: string
  readonly table: number
  readonly indexes: number
  readonly index_count: number
}

await using stage = await openStage()
const { owner } = stage.database
const number = async (query: string): Promise<number> => {
  const { rows } = await owner.query<{ value: number }>(query)
  return Number(rows[0]?.value)
}
const walBytes = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS value"

await owner.query("CHECKPOINT")
const walBefore = await number(walBytes)
await assessAll(stage)
const unfinished = `SELECT (SELECT count(*) FROM test.unsealed) + (SELECT count(*) FROM test.assessments)
  - (SELECT count(*) FROM test.search_texts) AS value`
while ((await number(unfinished)) > 0) await sleep(200)
const wal = (await number(walBytes)) - walBefore
const responseBytes = await number(
  "SELECT avg(octet_length(response))::float8 AS value FROM test.assessments"
)
await owner.query("VACUUM (ANALYZE)")

const { rows } = await owner.query<Size>(tableSizes)
const each = (bytes: number) =>
  Math.round(bytes / assessments)
    .toLocaleString("en-US")
    .padStart(8)
console.log(`${"table".padEnd(24)}${"rows".padStart(8)}${"indexes".padStart(9)}   bytes of each assessment`)
for (const { index_count, indexes, name, table } of rows) {
  if (table + indexes < 20 * assessments) continue
  console.log(`${name.padEnd(24)}${each(table)}${each(indexes)}   ${index_count} indexes`)
}
const all = rows.reduce((sum, { indexes, table }) => sum + indexes + table, 0)
console.log(`${"all".padEnd(24)}${each(all)}`)
console.log(`${"write-ahead log".padEnd(24)}${each(wal)}`)
console.log(`${"response".padEnd(24)}${Math.round(responseBytes).toLocaleString("en-US").padStart(8)}`)
