/**
 * The statements of the service on one table of assessments and on the same rows in 36 partitions by month, in turn, with the
 * settings of the service's connections. "Addressed": the statement names the partition, as it could where it knows the month.
 */

import { randomUUID } from "node:crypto"
import type pg from "pg"
import type { Row } from "../Question.ts"
import type { Stage } from "./openStage.ts"
import { rounds } from "./settings.ts"

const months = 36
const rowsInMonth = 1_000
const calls = 150

/** The median and the slowest of a hundred. */
export const medianOf = (subject: string, tookUs: ReadonlyArray<number>): Row => {
  const sorted = tookUs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { subject, medianUs: at(0.5), p99Us: at(0.99) }
}

const columns = `organization_id, assessment_id, action_id, request_id, created_at, complete, response, result_digest, input,
  input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt`

/** Ids that begin with the number of their month: as ordered as real ones. */
const firstId = (month: number): string =>
  `${month.toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`

const make = async (client: pg.PoolClient): Promise<void> => {
  await client.query(`CREATE SCHEMA months;
    CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA months;
    CREATE TABLE months.one (LIKE test.assessments INCLUDING DEFAULTS INCLUDING STORAGE);
    CREATE TABLE months.parts (LIKE test.assessments INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE (assessment_id)`)
  for (let month = 0; month < months; month++) {
    await client.query(`CREATE TABLE months.part_${month} PARTITION OF months.parts
      FOR VALUES FROM ('${firstId(month)}') TO ('${firstId(month + 1)}')`)
  }
  for (const table of ["one", "parts"]) {
    await client.query(`ALTER TABLE months.${table} ADD PRIMARY KEY (organization_id, assessment_id);
      CREATE INDEX ON months.${table} (action_id);
      CREATE INDEX ON months.${table} (request_id);
      CREATE INDEX ON months.${table} USING gin (search months.gin_trgm_ops)`)
  }
  await client.query(`INSERT INTO months.one (${columns})
    SELECT organization_id, (lpad(to_hex(i / ${rowsInMonth}), 8, '0') || '-' || lpad(to_hex((i % ${rowsInMonth}) * 65), 4, '0')
        || '-7000-8000-' || substr(md5(i::text), 1, 12))::uuid,
      gen_random_uuid(), 'req_' || md5(i::text), created_at, complete, response, result_digest, input, input_digest,
      behavior_snapshot, rules_digest, policy_digest, item, search, salt
    FROM generate_series(0, ${months * rowsInMonth - 1}) AS i, (SELECT * FROM test.assessments LIMIT 1) AS template`)
  await client.query(`INSERT INTO months.parts SELECT * FROM months.one`)
  await client.query("VACUUM (ANALYZE) months.one, months.parts")
}

const statements = (table: string): Readonly<Record<string, string>> => ({
  "by id": `SELECT place::int, kept.* FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (organization_id, id, place)
    CROSS JOIN LATERAL (
      SELECT assessment_id, response, input FROM ${table}
      WHERE organization_id = asked.organization_id AND assessment_id = asked.id LIMIT 1
    ) AS kept`,
  "by action_id": `SELECT assessment_id FROM ${table} WHERE organization_id = $1 AND action_id = $2`,
  page: `SELECT assessment_id, item FROM ${table} WHERE organization_id = $1 AND assessment_id < $2
    ORDER BY assessment_id DESC LIMIT 26`,
  insert: `INSERT INTO ${table} (${columns})
    SELECT $1::uuid, $2::uuid, gen_random_uuid(), request_id, created_at, complete, response, result_digest, input, input_digest,
      behavior_snapshot, rules_digest, policy_digest, item, search, salt
    FROM (SELECT * FROM test.assessments WHERE organization_id = $1::uuid ORDER BY assessment_id LIMIT 1) AS template
    ON CONFLICT (organization_id, assessment_id) DO NOTHING`
})

interface Subject {
  readonly name: string
  readonly text: string
  readonly values: () => ReadonlyArray<unknown>
}

const lastMonth = months - 1

/** All in the last month: what is asked for is mostly young. */
const subjectsOf = (organizationId: string, ids: ReadonlyArray<string>, actions: ReadonlyArray<string>) => {
  const pick = (from: ReadonlyArray<string>) => from[Math.floor(Math.random() * from.length)] ?? ""
  const fresh = () => `${firstId(lastMonth).slice(0, 9)}ffff-7${randomUUID().slice(15)}`
  const subject = (of: string, table: string, kind: string): Subject => ({
    name: `${kind}, ${of}`,
    text: statements(table)[kind] ?? "",
    values: {
      "by id": () => [[organizationId], [pick(ids)]],
      "by action_id": () => [organizationId, pick(actions)],
      page: () => [organizationId, pick(ids)],
      insert: () => [organizationId, fresh()]
    }[kind] as Subject["values"]
  })
  return ["by id", "by action_id", "page", "insert"].flatMap((kind) => [
    subject("one table", "months.one", kind),
    subject(`${months} partitions`, "months.parts", kind),
    ...(kind === "by id" ? [subject("addressed", `months.part_${lastMonth}`, kind)] : [])
  ])
}

/** Rows of the statements, and how many times each takes on the partitions. */
export const partitionRows = async ({ database, organizationId }: Stage) => {
  const client = await database.owner.connect()
  try {
    await make(client)
    const { rows } = await client.query<{ assessment_id: string; action_id: string }>(
      `SELECT assessment_id, action_id FROM months.part_${lastMonth} ORDER BY random() LIMIT 200`
    )
    await client.query(
      "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off; SET synchronous_commit = off"
    )
    const subjects = subjectsOf(
      organizationId,
      rows.map(({ assessment_id }) => assessment_id),
      rows.map(({ action_id }) => action_id)
    )
    const took = new Map(subjects.map(({ name }): [string, Array<number>] => [name, []]))
    for (let round = 0; round < 2 * rounds; round++) {
      for (const { name, text, values } of subjects) {
        for (let i = 0; i < calls; i++) {
          const startedAtMs = performance.now()
          await client.query({ name, text, values: [...values()] })
          if (i > 5) took.get(name)?.push((performance.now() - startedAtMs) * 1_000)
        }
      }
    }
    // The fastest tenth: other work on the machine does not reach it.
    const fastUs = (name: string) =>
      took.get(name)?.toSorted((one, other) => one - other)[Math.floor(calls * rounds * 0.2)] ?? Number.NaN
    const times = ["by id", "by action_id", "page", "insert"].map(
      (kind) =>
        `${kind} ${(fastUs(`${kind}, ${months} partitions`) / fastUs(`${kind}, one table`)).toFixed(2)} ×`
    )
    return {
      rows: [...took].map(([name, tookUs]) => medianOf(name, tookUs)),
      notes: [`on ${months} partitions, the fastest tenth: ${times.join(", ")}`]
    }
  } finally {
    client.release(true)
  }
}
