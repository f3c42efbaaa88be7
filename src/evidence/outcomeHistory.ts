/** Reads outcome events page by page: each with its seal, or grouped by assessment. */

import { Effect, Option, Schema, Stream } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type OutcomeEventType, outcomeEventTypes } from "../domain/OutcomeEvent.ts"
import { evidencePageRows } from "../limits.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { withOutcomesOf } from "../storage/OutcomeRecords.ts"
import { hex } from "../storage/sha256.ts"
import { decodeRows, rowBeside } from "../storage/sql/rows.ts"
import { ModeSql } from "../storage/sql/Sql.ts"
import { idAtInstant, leastId } from "../storage/timeOrderedId.ts"

const pages = <A, K>(
  first: K,
  read: (sql: SqlClient.SqlClient, after: K) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
  keyOf: (last: A) => K,
  owner: Owner
) =>
  Stream.unwrap(
    ModeSql.useSync((clients) => {
      const sql = clients.for(owner)
      return Stream.paginate<K, A, SqlError.SqlError>(first, (after) =>
        Effect.map(read(sql, after), (rows) => {
          const last = rows.length < evidencePageRows ? undefined : rows.at(-1)
          return [rows, last === undefined ? Option.none() : Option.some(keyOf(last))]
        })
      )
    })
  )

const Sealed = Schema.Struct({
  sequence: Schema.Finite,
  assessmentId: Schema.String,
  eventId: Schema.String,
  /** Null if the event was erased with its assessment, like its salt. */
  document: Schema.NullOr(Schema.Uint8Array),
  salt: Schema.NullOr(Schema.Uint8Array),
  leaf: Schema.Uint8Array,
  previousDigest: Schema.Uint8Array,
  entryDigest: Schema.Uint8Array
})

const decodeSealed = decodeRows(Sealed)

/** The event of each row of `outcome_seals`, for a LATERAL join. */
export const eventOfSeal = rowBeside({
  table: "outcome_events",
  of: "outcome_seals",
  columns: "document, salt, type, independent",
  by: ["organization_id", "assessment_id", "event_id"]
})

/** $1 is the organization, $2 the last sequence number of the previous page. */
const selectSealed = `SELECT sequence::float8, assessment_id, event_id, document, salt, leaf, previous_digest, entry_digest
  FROM outcome_seals LEFT JOIN LATERAL ${eventOfSeal} AS event ON true
  WHERE organization_id = $1::uuid AND sequence > $2::float8::bigint
  ORDER BY outcome_seals.sequence LIMIT ${evidencePageRows}`

/** One line per chain entry, in order: the event byte for byte, then its seal. `event` is null if it was erased. */
export const exportOutcomes = (owner: Owner) =>
  pages(
    0,
    (sql, after) =>
      withOutcomesOf(
        sql,
        owner.organizationId,
        decodeSealed(sql.unsafe(selectSealed, [owner.organizationId, after]))
      ),
    ({ sequence }) => sequence,
    owner
  ).pipe(Stream.map((row) => exportLine(owner, row)))

const exportLine = ({ mode, organizationId }: Owner, row: typeof Sealed.Type): Uint8Array => {
  const seal = {
    organization_id: organizationId,
    mode,
    sequence: row.sequence,
    assessment_id: row.assessmentId,
    event_id: row.eventId,
    salt: row.salt === null ? null : hex(row.salt),
    leaf: hex(row.leaf),
    previous_digest: hex(row.previousDigest),
    entry_digest: hex(row.entryDigest)
  }
  return Buffer.concat([
    Buffer.from('{"event":'),
    row.document ?? Buffer.from("null"),
    Buffer.from(`,"seal":${JSON.stringify(seal)}}`)
  ])
}

/** An assessment with at least one reported event. */
export interface ToldAssessment {
  readonly assessmentId: string
  /** The exact bytes of the request and of the answer. */
  readonly input: Uint8Array
  readonly response: Uint8Array
  readonly types: ReadonlyArray<OutcomeEventType>
  /** Whether an event raised the sums, because more was observed than assessed. */
  readonly understated: boolean
}

const decodeTold = decodeRows(
  Schema.Struct({
    assessmentId: Schema.String,
    input: Schema.Uint8Array,
    response: Schema.Uint8Array,
    types: Schema.Array(Schema.Literals(outcomeEventTypes)),
    understated: Schema.Boolean
  })
)

/** $1 is the organization, $2 the last id of the previous page. */
const selectTold = `SELECT assessment_id, input, response, types, understated FROM (
    SELECT organization_id, assessment_id, array_agg(DISTINCT type) AS types,
      bool_or(convert_from(document, 'UTF8')::json ->> 'sums' = 'raised') AS understated
    FROM outcome_events WHERE organization_id = $1::uuid AND assessment_id > $2::uuid
    GROUP BY organization_id, assessment_id ORDER BY assessment_id LIMIT ${evidencePageRows}
  ) AS told JOIN LATERAL ${rowBeside({ table: "assessments", of: "told", columns: "input, response" })} AS assessed ON true
  ORDER BY assessment_id`

/** Oldest first. `since`: an RFC 3339 date-time for the assessment; null for all. */
export const toldAssessments = (owner: Owner, since: string | null) =>
  pages(
    (since === null ? undefined : idAtInstant(since)) ?? leastId,
    (sql, after): Effect.Effect<ReadonlyArray<ToldAssessment>, SqlError.SqlError> =>
      withOutcomesOf(
        sql,
        owner.organizationId,
        decodeTold(sql.unsafe(selectTold, [owner.organizationId, after]))
      ),
    ({ assessmentId }) => assessmentId,
    owner
  )
