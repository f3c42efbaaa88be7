/** Verifies the chain of outcome events: each is as sealed, and only erased ones are missing. */

import { Effect, Schema } from "effect"
import { outcomeEventTypes } from "../domain/OutcomeEvent.ts"
import { evidencePageRows } from "../limits.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { firstOutcomeDigest, outcomeEntryDigest, outcomeLeaf } from "../storage/outcomeSeal.ts"
import { withOutcomesOf } from "../storage/OutcomeRecords.ts"
import { decodeRows } from "../storage/sql/rows.ts"
import { ModeSql } from "../storage/sql/Sql.ts"
import { sameBytes } from "./chain.ts"
import { eventOfSeal } from "./outcomeHistory.ts"

export interface OutcomesVerification {
  /** The number of entries from the start of the chain to the first break. */
  readonly sealed: number
  /** How many of them belong to events that were erased with their assessment. */
  readonly erased: number
  /** The first broken row; null if no row is broken. */
  readonly broken: {
    readonly sequence: number | null
    readonly assessmentId: string
    readonly problem: string
  } | null
}

const Row = Schema.Struct({
  sequence: Schema.Finite,
  assessmentId: Schema.String,
  eventId: Schema.String,
  leaf: Schema.Uint8Array,
  previousDigest: Schema.Uint8Array,
  entryDigest: Schema.Uint8Array,
  /** Null if the event is missing, like the columns down to `independent`. */
  document: Schema.NullOr(Schema.Uint8Array),
  salt: Schema.NullOr(Schema.Uint8Array),
  type: Schema.NullOr(Schema.Literals(outcomeEventTypes)),
  independent: Schema.NullOr(Schema.Boolean),
  erased: Schema.Boolean
})

const decodeSealed = decodeRows(Row)
const decodeIds = decodeRows(Schema.Struct({ assessmentId: Schema.String }))

/** $1 is the organization, $2 the last sequence number of the previous page. */
const selectSealed = `SELECT sequence::float8, assessment_id, event_id, leaf, previous_digest, entry_digest, document, salt, type,
    independent, EXISTS (SELECT FROM erasures WHERE erasures.organization_id = outcome_seals.organization_id
      AND erasures.assessment_id = outcome_seals.assessment_id) AS erased
  FROM outcome_seals LEFT JOIN LATERAL ${eventOfSeal} AS event ON true
  WHERE organization_id = $1::uuid AND sequence > $2::float8::bigint
  ORDER BY outcome_seals.sequence LIMIT ${evidencePageRows}`

const selectUnsealed = `SELECT assessment_id FROM outcome_events WHERE organization_id = $1::uuid AND NOT EXISTS (
    SELECT FROM outcome_seals WHERE outcome_seals.organization_id = outcome_events.organization_id
      AND outcome_seals.event_id = outcome_events.event_id)
  ORDER BY assessment_id LIMIT 1`

const rowProblem = (
  { mode, organizationId }: Owner,
  row: typeof Row.Type,
  after: number,
  previousDigest: Uint8Array
): string | null => {
  if (row.sequence !== after + 1) return `entry ${after + 1} before it is missing`
  if (!sameBytes(row.previousDigest, previousDigest))
    return "it does not follow the entry before it: that entry was replaced, or this one was moved"
  if (!sameBytes(outcomeEntryDigest({ ...row, organizationId, mode }), row.entryDigest))
    return "its entry digest does not match its entry: an id, a digest or a leaf was changed"
  if (row.document === null || row.salt === null)
    return row.erased ? null : "it has a seal but no event: its row was deleted"
  if (row.erased) return "its assessment was erased, but the event is still stored"
  if (!sameBytes(outcomeLeaf(row.salt, row.document), row.leaf)) return "it differs from what was sealed"
  const { id, independent, type } = JSON.parse(Buffer.from(row.document).toString())
  return id === row.eventId && type === row.type && independent === row.independent
    ? null
    : "one of its columns differs from its sealed text"
}

/** Reads page by page, so that memory and statements do not grow with the data. */
export const verifyOutcomes = Effect.fn("verifyOutcomes")(function* (owner: Owner) {
  const sql = (yield* ModeSql).for(owner)
  const { organizationId } = owner
  let sealed = 0
  let erased = 0
  let previousDigest = firstOutcomeDigest
  const found = (broken: OutcomesVerification["broken"]): OutcomesVerification => ({
    sealed,
    erased,
    broken
  })
  for (;;) {
    const rows = yield* withOutcomesOf(
      sql,
      organizationId,
      decodeSealed(sql.unsafe(selectSealed, [organizationId, sealed]))
    )
    for (const row of rows) {
      const problem = rowProblem(owner, row, sealed, previousDigest)
      if (problem !== null) return found({ sequence: row.sequence, assessmentId: row.assessmentId, problem })
      sealed = row.sequence
      previousDigest = row.entryDigest
      if (row.document === null) erased++
    }
    if (rows.length < evidencePageRows) break
  }
  const [unsealed] = yield* withOutcomesOf(
    sql,
    organizationId,
    decodeIds(sql.unsafe(selectUnsealed, [organizationId]))
  )
  return found(
    unsealed === undefined
      ? null
      : {
          sequence: null,
          assessmentId: unsealed.assessmentId,
          problem: "it has no seal: its seal was deleted, or it was inserted by hand"
        }
  )
})
