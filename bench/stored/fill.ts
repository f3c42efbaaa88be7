/**
 * Fills an organization's past quickly: assessments of thirty days like those of the load, with their history, and what
 * snapshots are read from written by the function that the service writes with. Their seals are in sequence, but their
 * digests are only of the right length. The texts for searches are made for all at once.
 */

import { setTimeout as pause } from "node:timers/promises"
import { modes } from "../../src/domain/Caller.ts"
import { searchSpanRows } from "../../src/limits.ts"
import { searchTexts } from "../../src/storage/assessments/SearchIndex.ts"
import { leastId } from "../../src/storage/timeOrderedId.ts"
import type pg from "pg"
import type { Stage } from "./openStage.ts"
import { lean } from "./settings.ts"

const rowsTogether = 50_000
const sealLookMs = 100

/** $1 organization, $2 and $3 first and last number, $4 the last of all, $5 how many fill thirty days, $6 the end of the last day. */
const made = `
  SELECT i, stamp, (lpad(to_hex((micros / 1000)::bigint), 12, '0') || '7' || lpad(to_hex(micros % 1000), 3, '0') || '8'
    || substr(md5(i::text), 1, 15))::uuid AS assessment_id
  FROM (
    SELECT i, stamp, (extract(epoch FROM stamp) * 1000000)::bigint AS micros FROM (
      SELECT i, $6::timestamptz - interval '30 days' * (($4::int - i + 1)::float8 / $5::int) AS stamp
      FROM generate_series($2::int, $3::int) AS i
    ) AS stamped
  ) AS timed`

/** Lean rows leave out the columns that only evidence reads: ten million of them fit on a small disk, and lists read the same pages. */
const bytes = (column: string): string => (lean ? `'{}'::bytea AS ${column}` : column)

/** Assessments that one call of the database writes. */
const writtenTogether = 500

/** $7 how many of the oldest assessments are repeated in turn. */
const fillAssessments = `
WITH template AS MATERIALIZED (
  SELECT ${bytes("response")}, result_digest, ${bytes("input")}, input_digest, ${bytes("behavior_snapshot")}, rules_digest, policy_digest,
    item, salt, place
  FROM (
    SELECT *, row_number() OVER (ORDER BY assessment_id) AS place FROM (
      SELECT * FROM assessments WHERE organization_id = $1 ORDER BY assessment_id LIMIT $7
    ) AS oldest
  ) AS placed
)
SELECT write_assessments(
  array_agg($1::uuid), array_agg(NULL::text), array_agg(input_digest::digest), array_agg(assessment_id), array_agg(gen_random_uuid()),
  array_agg('req_' || upper(md5(i::text))), array_agg(stamp), array_agg(true), array_agg(response), array_agg(result_digest::digest),
  array_agg(input), array_agg(behavior_snapshot), array_agg(rules_digest::digest), array_agg(policy_digest::digest), array_agg(item),
  array_agg('crm.records.update' || chr(31) || 'records.update' || chr(31) || 'agent-' || i % 40 || chr(31) || 'table-' || i % 300
    || CASE i % 997 WHEN 1 THEN chr(31) || 'quarterly audit of the heron project' ELSE '' END),
  array_agg(sha256(int4send(i % 700000))::digest), array_agg('type-' || i % 60),
  array_agg((ARRAY['data', 'financial', 'operational'])[i % 3 + 1]), array_agg('update'::text), array_agg(true), array_agg(true),
  array_agg('agent-' || i % 40), array_agg('agent-' || i % 40), array_agg('files-' || i % 150 || '.partner.example'),
  array_agg(translate('files' || i % 150 || 'partnerexample', 'i01', 'lol')), array_agg(((i::bigint * 7919) % 50000)::figure),
  array_agg(((i::bigint * 104729) % 2000000)::figure), array_agg(((i::bigint * 7919) % 50000)::figure),
  array_agg(((i::bigint * 104729) % 2000000)::figure), array_agg(salt::salt), array_agg('low'::text)
)
FROM (${made}) AS made JOIN template ON place = i % (SELECT count(*) FROM template) + 1
GROUP BY i / ${writtenTogether}`

/** $7 the last sequence so far. */
const fillSeals = `
WITH made AS MATERIALIZED (${made}
), sealed AS (
  DELETE FROM unsealed WHERE organization_id = $1 AND assessment_id IN (SELECT assessment_id FROM made)
)
INSERT INTO seals (organization_id, assessment_id, sequence, previous_digest, entry_digest, sealed_at, input_leaf,
  result_leaf, snapshot_leaf)
SELECT $1, assessment_id, $7::bigint + i - $2::int + 1, digest, digest, stamp, digest, digest, digest
FROM made, LATERAL (SELECT sha256(int4send(i)) AS digest) AS hashed`

/** The service seals what it wrote a moment ago: its sequences come before those of the fill. */
const waitForSeals = async ({ database }: Stage): Promise<void> => {
  for (;;) {
    const { rowCount } = await database.owner.query("SELECT FROM test.unsealed LIMIT 1")
    if (rowCount === 0) return
    await pause(sealLookMs)
  }
}

/** Their keys come in no order: a large table is filled faster without them. */
const unordered = ["assessments_by_action_id", "assessments_by_request_id"]

const openSession = async ({ database }: Stage) => {
  const client = await database.owner.connect()
  await client.query("SET search_path = test; SET synchronous_commit = off")
  await client.query("SET work_mem = '256MB'; SET maintenance_work_mem = '1GB'")
  return client
}

/** $1 organization. Every so many ids in their order begin a span, as where they had come in one by one. */
const fillSpans = `
WITH numbered AS (
  SELECT assessment_id, row_number() OVER (ORDER BY assessment_id) AS place FROM assessments WHERE organization_id = $1
)
INSERT INTO search_spans (organization_id, after_id, rows, sequence, known_to)
SELECT $1, after_id, ${searchSpanRows}, (SELECT max(sequence) FROM seals WHERE organization_id = $1),
  (SELECT assessment_id FROM numbered ORDER BY place DESC LIMIT 1)
FROM (
  SELECT '${leastId}'::uuid AS after_id UNION ALL SELECT assessment_id FROM numbered WHERE place % ${searchSpanRows} = 0
) AS begun`

const fillTexts = `
INSERT INTO search_texts (organization_id, assessment_id, span, search)
SELECT organization_id, assessment_id, span, search FROM assessments CROSS JOIN LATERAL (
  SELECT span FROM search_spans WHERE search_spans.organization_id = $1 AND after_id < assessment_id
  ORDER BY after_id DESC LIMIT 1
) AS of_id
WHERE organization_id = $1 ORDER BY assessment_id`

/** Makes the index of searches again; meanwhile the service puts nothing in. */
const fillSearches = async ({ organizationId }: Stage, client: pg.PoolClient): Promise<void> => {
  const lock = [searchTexts.lockSpace, modes.indexOf("test")]
  await client.query("SELECT pg_advisory_lock($1, $2)", lock)
  const { rows } = await client.query<{ definition: string }>(
    "SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'test' AND indexname = 'search_texts_by_gram'"
  )
  await client.query("TRUNCATE search_texts, search_spans; DROP INDEX search_texts_by_gram")
  await client.query(fillSpans, [organizationId])
  await client.query(fillTexts, [organizationId])
  await client.query(rows[0]?.definition ?? "")
  await client.query("SELECT pg_advisory_unlock($1, $2)", lock)
}

interface Numbers {
  readonly from: number
  readonly to: number
  /** How many of such numbers are thirty days. */
  readonly inThirtyDays: number
  readonly end: Date
  /** Without it the indexes are filled row by row, as by the service. */
  readonly indexAfterwards: boolean
  /** How many of the oldest assessments are repeated in turn. */
  readonly templates: number
}

/** Adds assessments with these numbers to what is stored; gives the seconds that it took. */
const fill = async (stage: Stage, numbers: Numbers): Promise<number> => {
  const { end, from, inThirtyDays, indexAfterwards, templates, to } = numbers
  await waitForSeals(stage)
  const startedAtMs = performance.now()
  const client = await openSession(stage)
  try {
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      "SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'test' AND indexname = ANY ($1)",
      [indexAfterwards ? unordered : []]
    )
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    for (let first = from; first <= to; first += rowsTogether) {
      const last = Math.min(to, first + rowsTogether - 1)
      const values = [stage.organizationId, first, last, to, inThirtyDays, end]
      const sequences = await client.query("SELECT coalesce(max(sequence), 0) AS last FROM seals")
      await client.query("BEGIN")
      await client.query(fillAssessments, [...values, templates])
      await client.query(fillSeals, [...values, sequences.rows[0].last])
      await client.query("COMMIT")
    }
    for (const { definition } of indexes) await client.query(definition)
    await fillSearches(stage, client)
    // As autovacuum would within a minute: the index by age knows nothing of new pages until then.
    await client.query("VACUUM (ANALYZE)")
    await client.query("CHECKPOINT")
  } finally {
    // The session's settings end with it.
    client.release(true)
  }
  return (performance.now() - startedAtMs) / 1_000
}

/** Until `size` assessments are stored, like the oldest `templates` in turn; gives the seconds that it took. */
export const fillUpTo = async (stage: Stage, size: number, templates = 1): Promise<number> =>
  fill(stage, {
    from: (await stage.database.countStored()) + 1,
    to: size,
    inThirtyDays: size,
    end: new Date(),
    indexAfterwards: true,
    templates
  })

/** The assessments of one month, numbered from 0 for the oldest; `end` is when it ends. */
export const fillMonth = async (stage: Stage, month: number, rows: number, end: Date): Promise<number> =>
  fill(stage, {
    from: month * rows + 1,
    to: (month + 1) * rows,
    inThirtyDays: rows,
    end,
    indexAfterwards: false,
    templates: 1
  })
