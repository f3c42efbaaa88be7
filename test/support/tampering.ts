/** Changes that a superuser can make to sealed evidence, and the row that a verification must name for it. */

import fc from "fast-check"
import type { SqlClient, SqlError } from "effect/sql"
import { Effect } from "effect"

/** The chain's length; sequence numbers are 1 to this. */
export const entries = 24

export interface Tampering {
  readonly what: string
  /** Run in the schema of the mode, with triggers off. */
  readonly statements: ReadonlyArray<string>
  /** The row that must be named: its place in the chain, or `unsealed`. */
  readonly named: number | "unsealed"
  /** Only a signed checkpoint reveals it, because the rest is a valid chain. */
  readonly needsCheckpoint?: true
}

const at = (sequence: number): string => `(SELECT assessment_id FROM chain WHERE sequence = ${sequence})`
export const row = (sequence: number): string => `assessment_id = ${at(sequence)}`

/** Flips one bit of a column's value, counted from its start and wrapping around; creates a value if there is none. */
export const flip = (column: string, bit: number): string => {
  const value = `coalesce(${column}, '\\x00')`
  const place = `${bit} % (octet_length(${value}) * 8)`
  return `${column} = set_bit(${value}, ${place}, 1 - get_bit(${value}, ${place}))`
}

const sha = (bytes: string): string => `sha256(${bytes})`
const hexOf = (bytes: string): string => `encode(${bytes}, 'hex')`

/** The work of the sealer, written again in SQL: for careful tampering. */
const seal = (from: number): string => `
DO $$
DECLARE one record; previous bytea;
BEGIN
  FOR one IN SELECT a.*, s.sequence, s.previous_digest FROM assessments a JOIN seals s USING (organization_id, assessment_id)
    WHERE s.sequence >= ${from} ORDER BY s.sequence LOOP
    UPDATE seals SET
      input_leaf = ${sha("one.salt || one.input_digest")},
      result_leaf = ${sha("one.salt || one.result_digest")},
      snapshot_leaf = ${sha(`one.salt || ${sha("coalesce(one.behavior_snapshot, '')")}`)},
      previous_digest = coalesce(previous, one.previous_digest)
    WHERE seals.sequence = one.sequence;
    UPDATE seals SET entry_digest = ${sha(`convert_to(
      '{"assessment_id":"' || one.assessment_id || '","created_at":"' ||
      to_char(one.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ||
      '","input_leaf":"' || ${hexOf("input_leaf")} || '","mode":"test","organization_id":"' || one.organization_id ||
      '","policy_digest":"' || ${hexOf("one.policy_digest")} || '","previous_digest":"' || ${hexOf("previous_digest")} ||
      '","result_leaf":"' || ${hexOf("result_leaf")} || '","rules_digest":"' || ${hexOf("one.rules_digest")} ||
      '","sequence":' || one.sequence || ',"snapshot_leaf":"' || ${hexOf("snapshot_leaf")} || '"}', 'UTF8')`)}
    WHERE seals.sequence = one.sequence RETURNING entry_digest INTO previous;
    EXIT WHEN SINGLE;
  END LOOP;
END $$`

const sealOnly = (sequence: number): string => seal(sequence).replace("SINGLE", "true")
const sealOnwards = (sequence: number): string => seal(sequence).replace("SINGLE", "false")

/** Another answer, with all digests in the row recomputed. */
const rewrite = (sequence: number): string =>
  `UPDATE assessments SET response = convert_to(replace(convert_from(response, 'UTF8'), '"data"', '"code"'), 'UTF8'),
     result_digest = ${sha("convert_to(replace(convert_from(response, 'UTF8'), '\"data\"', '\"code\"'), 'UTF8')")},
     item = replace(item::text, '"data"', '"code"')::json
   WHERE ${row(sequence)}`

export const sequences = fc.integer({ min: 1, max: entries })
export const bits = fc.integer({ min: 0, max: 100_000 })
const two = fc
  .tuple(sequences, sequences)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

const assessmentBytes = [
  "input",
  "input_digest",
  "response",
  "result_digest",
  "behavior_snapshot",
  "rules_digest",
  "policy_digest",
  "salt"
]
export const sealBytes = ["previous_digest", "entry_digest", "input_leaf", "result_leaf", "snapshot_leaf"]
const otherColumns = [
  "created_at = created_at + interval '1 microsecond'",
  "action_id = gen_random_uuid()",
  "request_id = request_id || '0'",
  "complete = NOT complete",
  "item = replace(item::text, 'staging', 'sandbox')::json",
  "search = search || 'x'",
  "organization_id = gen_random_uuid()",
  "assessment_id = gen_random_uuid()"
]

export const copied = `INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
  result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt)
  SELECT organization_id, '00000000-0000-7000-8000-000000000001', action_id, request_id, created_at, complete, response,
  result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt
  FROM assessments`

const sealed = (sequence: number, of: number): string => `INSERT INTO seals (organization_id,
  assessment_id, sequence, previous_digest, entry_digest, sealed_at, input_leaf, result_leaf, snapshot_leaf)
  SELECT organization_id, '00000000-0000-7000-8000-000000000001', ${sequence}, previous_digest, entry_digest, sealed_at,
  input_leaf, result_leaf, snapshot_leaf FROM chain WHERE sequence = ${of}`

const withoutUnique = "ALTER TABLE seals DROP CONSTRAINT seals_organization_id_sequence_key"

export const tamperings: fc.Arbitrary<Tampering> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom(...assessmentBytes), sequences, bits).map(([column, i, bit]) => ({
      what: `a bit of ${column} of entry ${i}`,
      statements: [`UPDATE assessments SET ${flip(column, bit)} WHERE ${row(i)}`],
      named: i
    }))
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...sealBytes), sequences, bits).map(([column, i, bit]) => ({
      what: `a bit of the seal's ${column} of entry ${i}`,
      statements: [`UPDATE seals SET ${flip(column, bit)} WHERE sequence = ${i}`],
      named: i
    }))
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...otherColumns), sequences).map(([change, i]) => ({
      what: `${change} of entry ${i}`,
      statements: [`UPDATE assessments SET ${change} WHERE ${row(i)}`],
      named: i
    }))
  },
  sequences.map((i) => ({
    what: `assessment of entry ${i} deleted`,
    statements: [`DELETE FROM assessments WHERE ${row(i)}`],
    named: i
  })),
  sequences.map((i) => ({
    what: `seal of entry ${i} deleted`,
    statements: [`DELETE FROM seals WHERE sequence = ${i}`],
    named: i === entries ? ("unsealed" as const) : i
  })),
  fc.integer({ min: 1, max: entries - 1 }).map((i) => ({
    what: `entry ${i} deleted`,
    statements: [`DELETE FROM assessments WHERE ${row(i)}`, `DELETE FROM seals WHERE sequence = ${i}`],
    named: i
  })),
  fc.integer({ min: 1, max: entries - 1 }).map((i) => ({
    what: `entry ${i} deleted and those behind it moved up`,
    statements: [
      `DELETE FROM assessments WHERE ${row(i)}`,
      `DELETE FROM seals WHERE sequence = ${i}`,
      "UPDATE seals SET sequence = sequence + 1000",
      `UPDATE seals SET sequence = sequence - 1000 - (sequence > ${1000 + i})::int`
    ],
    named: i
  })),
  two.map(([a, b]) => ({
    what: `entries ${a} and ${b} swapped`,
    statements: [
      `UPDATE seals SET sequence = 1000 WHERE sequence = ${a}`,
      `UPDATE seals SET sequence = ${a} WHERE sequence = ${b}`,
      `UPDATE seals SET sequence = ${b} WHERE sequence = 1000`
    ],
    named: a
  })),
  two.map(([a, b]) => ({
    what: `answers of entries ${a} and ${b} swapped`,
    statements: [
      `UPDATE assessments AS a SET response = b.response, result_digest = b.result_digest FROM assessments AS b
       WHERE a.assessment_id = ${at(a)} AND b.assessment_id = ${at(b)}
         OR a.assessment_id = ${at(b)} AND b.assessment_id = ${at(a)}`
    ],
    named: a
  })),
  sequences.map((i) => ({
    what: `copy of entry ${i} put in without a seal`,
    statements: [`${copied} WHERE ${row(i)}`],
    named: "unsealed" as const
  })),
  sequences.map((i) => ({
    what: `copy of entry ${i} put in as the last entry`,
    statements: [`${copied} WHERE ${row(i)}`, sealed(entries + 1, i)],
    named: entries + 1
  })),
  sequences.map((i) => ({
    what: `copy of entry ${i} put in beside it`,
    statements: [withoutUnique, `${copied} WHERE ${row(i)}`, sealed(i, i)],
    named: i
  })),
  sequences.map((i) => ({
    what: `entry ${i} written anew with its seal, and not what follows`,
    statements: [rewrite(i), sealOnly(i)],
    named: Math.min(entries, i + 1),
    ...(i === entries ? { needsCheckpoint: true as const } : {})
  })),
  sequences.map((i) => ({
    what: `entry ${i} written anew with all seals from there on`,
    statements: [rewrite(i), sealOnwards(i)],
    named: entries,
    needsCheckpoint: true as const
  })),
  sequences.map((i) => ({
    what: `everything from entry ${i} on cut off`,
    statements: [
      `DELETE FROM assessments WHERE assessment_id IN (SELECT assessment_id FROM chain WHERE sequence >= ${i})`,
      `DELETE FROM seals WHERE sequence >= ${i}`
    ],
    named: i,
    needsCheckpoint: true as const
  })),
  sequences.map((i) => ({
    what: `seals from entry ${i} on deleted, to be made again`,
    statements: [
      `INSERT INTO unsealed SELECT organization_id, assessment_id FROM chain WHERE sequence >= ${i}`,
      `DELETE FROM seals WHERE sequence >= ${i}`
    ],
    named: i,
    needsCheckpoint: true as const
  }))
)

/** As a superuser, without triggers. */
export const tamper = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { statements }: Tampering
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(
    [
      "SET LOCAL session_replication_role = replica",
      // The rows belong to no one else, so that the statements need not name whose they mean.
      ...["assessments", "seals", "unsealed", "erasures"].map(
        (table) => `DELETE FROM ${table} WHERE organization_id <> '${organizationId}'`
      ),
      "CREATE TEMPORARY TABLE chain ON COMMIT DROP AS SELECT * FROM seals",
      ...statements
    ],
    (statement) => sql.unsafe(statement),
    { discard: true }
  )
