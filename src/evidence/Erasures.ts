/** Reads erasures and erasable assessments with the role of the mode. `Eraser.ts` erases. */

import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Json } from "../json/json.ts"
import { erasableAfterMs, eraseBatchMax, erasureRetries } from "../limits.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { type IdRange, sealOfEach } from "../storage/assessments/AssessmentRecords.ts"
import { searchText } from "../storage/assessments/listAssessments.ts"
import { decodeRows, rowBeside } from "../storage/sql/rows.ts"
import { ModeSql } from "../storage/sql/Sql.ts"
import { tookTooLong } from "../storage/storageErrors.ts"
import { greatestId, idAtInstant, leastId } from "../storage/timeOrderedId.ts"
import type { Erasure, ErasureReason } from "./Erasure.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class Erasures extends Context.Service<
  Erasures,
  {
    /**
     * Stored assessments with an id between `after` and `before`, oldest first; at most `rowsMax`. A page that takes too long is read
     * again: a command reads thousands of pages while the service is under load, and one of them may be slow.
     */
    readonly candidates: (owner: Owner, page: CandidatePage) => Stored<ReadonlyArray<ErasureCandidate>>
    /** The stored assessments among these ids. */
    readonly named: (owner: Owner, ids: ReadonlyArray<string>) => Stored<ReadonlyArray<ErasureCandidate>>
    /** The erasures within a range of ids, oldest first, after the last id of the previous page; at most `rowsMax`. */
    readonly page: (
      owner: Owner,
      range: IdRange,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<Erasure>>
    /** How many of these ids were erased; without ids, the number of all erasures. */
    readonly count: (owner: Owner, ids?: ReadonlyArray<string>) => Stored<number>
  }
>()("action-risk/evidence/Erasures") {
  static readonly layer = Layer.effect(
    Erasures,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const candidates = Effect.fn("Erasures.candidates")(function* (owner: Owner, page: CandidatePage) {
        return yield* decodeCandidates(selectCandidates(clients.for(owner), owner.organizationId, page)).pipe(
          Effect.retry({ times: erasureRetries, while: tookTooLong })
        )
      })
      const named = Effect.fn("Erasures.named")(function* (owner: Owner, ids: ReadonlyArray<string>) {
        return yield* decodeCandidates(selectNamed(clients.for(owner), owner.organizationId, ids))
      })
      const page = Effect.fn("Erasures.page")(function* (
        owner: Owner,
        range: IdRange,
        after: string | null,
        rowsMax: number
      ) {
        const sql = clients.for(owner)
        const rows = yield* selectErasures(sql, owner.organizationId, range, after, rowsMax)
        return rows.map((row) => erasureOfRow(owner, row))
      })
      const count = Effect.fn("Erasures.count")(function* (owner: Owner, ids?: ReadonlyArray<string>) {
        const sql = clients.for(owner)
        const [row] = yield* decodeRows(Schema.Struct({ count: Schema.Int }))(sql`
          SELECT count(*)::int AS count FROM erasures WHERE organization_id = ${owner.organizationId}
            ${ids === undefined ? sql`` : sql`AND assessment_id = ANY (${ids}::uuid[])`}
        `)
        return row?.count ?? 0
      })
      return Erasures.of({ candidates, named, page, count })
    })
  )
}

interface CandidatePage {
  readonly before: string
  readonly after: string
  readonly rowsMax: number
  /** If false, `input` is null: retention does not look into requests. */
  readonly withInput: boolean
}

/** A stored assessment that can be erased now or soon. */
const CandidateRow = Schema.Struct({
  assessmentId: Schema.String,
  /** The exact bytes of the request. */
  input: Schema.NullOr(Schema.Uint8Array),
  /** True if it is sealed and was stored so long ago that no attempt to store it can still be running. */
  erasable: Schema.Boolean
})

type ErasureCandidate = typeof CandidateRow.Type

const decodeCandidates = decodeRows(CandidateRow)

/** A condition on `assessments` joined with `sealOfEach`. */
export const erasableCondition = `sequence IS NOT NULL AND created_at <= statement_timestamp() - interval '${erasableAfterMs} milliseconds'`

export const selectCandidates = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { after, before, rowsMax, withInput }: CandidatePage
) => sql`
  SELECT assessment_id, ${withInput ? sql`input` : sql`NULL::bytea AS input`}, coalesce(${sql.literal(erasableCondition)}, false) AS erasable
  FROM assessments LEFT JOIN LATERAL ${sql.literal(sealOfEach)} AS seal ON true
  WHERE organization_id = ${organizationId} AND assessment_id > ${after} AND assessment_id < ${before}
  ORDER BY assessment_id LIMIT ${rowsMax}
`

const selectNamed = (sql: SqlClient.SqlClient, organizationId: string, ids: ReadonlyArray<string>) => sql`
  SELECT assessment_id, input, coalesce(${sql.literal(erasableCondition)}, false) AS erasable
  FROM assessments LEFT JOIN LATERAL ${sql.literal(sealOfEach)} AS seal ON true
  WHERE organization_id = ${organizationId} AND assessment_id = ANY (${ids}::uuid[])
  ORDER BY assessment_id
`

/** The columns of an erasure, without those of its seal. */
export interface ErasedColumns {
  readonly created_at: string
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
  readonly erased_at: string
  readonly reason: ErasureReason
  readonly public_key: Uint8Array
  readonly signature: Uint8Array
}

interface SealColumns {
  readonly assessment_id: string
  readonly sequence: number
  readonly previous_digest: Uint8Array
  readonly entry_digest: Uint8Array
  readonly input_leaf: Uint8Array
  readonly result_leaf: Uint8Array
  readonly snapshot_leaf: Uint8Array
}

const sealOfErasure = rowBeside({
  table: "seals",
  of: "erasures",
  columns: "sequence, previous_digest, entry_digest, input_leaf, result_leaf, snapshot_leaf"
})

/** Skips erasures without a seal. Every erasure made by `Eraser.ts` has one. */
export const selectErasures = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, from }: IdRange,
  after: string | null,
  rowsMax: number
) => sql<ErasedColumns & SealColumns>`
  SELECT assessment_id, sequence::float8, previous_digest, entry_digest, input_leaf, result_leaf, snapshot_leaf,
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at, rules_digest, policy_digest,
    to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at, reason, public_key, signature
  FROM erasures JOIN LATERAL ${sql.literal(sealOfErasure)} AS seal ON true
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from} AND assessment_id < ${before}
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id LIMIT ${rowsMax}
`

export const erasureOfRow = ({ mode, organizationId }: Owner, row: ErasedColumns & SealColumns): Erasure => ({
  organizationId,
  mode,
  sequence: row.sequence,
  previousDigest: row.previous_digest,
  entryDigest: row.entry_digest,
  assessmentId: row.assessment_id,
  createdAt: row.created_at,
  inputLeaf: row.input_leaf,
  resultLeaf: row.result_leaf,
  snapshotLeaf: row.snapshot_leaf,
  rulesDigest: row.rules_digest,
  policyDigest: row.policy_digest,
  erasedAt: row.erased_at,
  reason: row.reason,
  publicKey: row.public_key,
  signature: row.signature
})

/** The assessments that an operator wants to erase. An assessment must meet every condition that is not null. */
export interface ErasureSelection {
  /** An RFC 3339 date-time: assessed before this time. */
  readonly before: string | null
  /** Its `agent_id` equals this. */
  readonly agent: string | null
  /** Some value or name anywhere in its request, including metadata and context, contains this text, ignoring case. */
  readonly containing: string | null
}

const containsText = (json: Json, folded: string): boolean => {
  if (json === null || typeof json === "boolean") return false
  if (typeof json !== "object") return searchText([String(json)]).includes(folded)
  if (Array.isArray(json)) return json.some((item) => containsText(item, folded))
  return Object.entries(json).some(
    ([name, value]) => searchText([name]).includes(folded) || containsText(value as Json, folded)
  )
}

const looksIntoRequests = ({ agent, containing }: ErasureSelection): boolean =>
  agent !== null || containing !== null

/** Names at the root are field names of this service and are not searched. Names below the root come from the caller. */
const isSelected = ({ input }: ErasureCandidate, selection: ErasureSelection): boolean => {
  if (!looksIntoRequests(selection)) return true
  if (input === null) return false
  const { agent, containing } = selection
  const request: Readonly<Record<string, Json>> = JSON.parse(Buffer.from(input).toString())
  if (agent !== null && request["agent_id"] !== agent) return false
  if (containing === null) return true
  const folded = searchText([containing])
  return Object.values(request).some((value) => containsText(value, folded))
}

/** Oldest first. An assessment that is stored in the meantime may or may not be included. */
export const selectErasable = (owner: Owner, selection: ErasureSelection) =>
  Stream.unwrap(
    Erasures.useSync(({ candidates }) => {
      const withInput = looksIntoRequests(selection)
      const before = (selection.before === null ? undefined : idAtInstant(selection.before)) ?? greatestId
      return Stream.paginate(
        leastId,
        Effect.fnUntraced(function* (after: string) {
          const rows = yield* candidates(owner, { before, after, rowsMax: eraseBatchMax, withInput })
          const last = rows.length < eraseBatchMax ? undefined : rows.at(-1)?.assessmentId
          const selected = rows.filter((row) => isSelected(row, selection))
          const page = selected.map(({ assessmentId, erasable }) => ({ assessmentId, erasable }))
          return [page, Option.fromUndefinedOr(last)] as const
        })
      )
    })
  )
