/** Reads sealed evidence in chain order, for verification and checkpoints. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Json } from "../json/json.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { ModeSql } from "../storage/sql/Sql.ts"
import { decodeRows, rowBeside } from "../storage/sql/rows.ts"
import type { Erasure } from "./Erasure.ts"
import { type ErasedColumns, erasureOfRow } from "./Erasures.ts"
import { type ChainHead, genesis, type SealedLink } from "./chain.ts"

interface UnsealedPage {
  readonly unsealed: ReadonlyArray<UnsealedRow>
  /** The last id on the page, with or without a seal; null on the last page. */
  readonly next: string | null
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class SealedEvidence extends Context.Service<
  SealedEvidence,
  {
    /** Rows in chain order after a sequence number; at most `rowsMax`. */
    readonly page: (owner: Owner, after: number, rowsMax: number) => Stored<ReadonlyArray<SealedRow>>
    /** Reads at most `rowsMax` assessments, oldest first, after the last id of the previous page, and returns those without a seal. */
    readonly unsealedPage: (owner: Owner, after: string, rowsMax: number) => Stored<UnsealedPage>
    /** Assessments that wait for a seal: their number, counted up to `rowsMax`, and how long the oldest has waited. */
    readonly waiting: (owner: Owner, rowsMax: number) => Stored<Waiting>
    /** At most one id, of an assessment that was erased and has no seal. */
    readonly unsealedErasures: (owner: Owner) => Stored<ReadonlyArray<string>>
    readonly head: (owner: Owner) => Stored<ChainHead>
    /** The last verification of all entries and the last one of a part of them, newest first. */
    readonly verifications: (owner: Owner) => Stored<ReadonlyArray<NotedVerification>>
    /** Stores the result, so that the console can show when the chain was last verified. It proves nothing. */
    readonly noteVerification: (owner: Owner, found: FoundByVerification) => Stored<void>
  }
>()("action-risk/evidence/SealedEvidence") {
  static readonly layer = Layer.effect(
    SealedEvidence,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const page = Effect.fn("SealedEvidence.page")(function* (owner: Owner, after: number, rowsMax: number) {
        const rows = yield* selectChainPage(clients.for(owner), owner.organizationId, after, rowsMax)
        return rows.map((row) => sealedOfRow(owner, row))
      })
      const unsealedPage = Effect.fn("SealedEvidence.unsealedPage")(function* (
        owner: Owner,
        after: string,
        rowsMax: number
      ) {
        const rows = yield* selectUnsealed(clients.for(owner), owner.organizationId, after, rowsMax)
        return {
          unsealed: rows.filter(({ sealed }) => !sealed).map(unsealedOfRow),
          next: rows.length < rowsMax ? null : (rows.at(-1)?.assessment_id ?? null)
        }
      })
      const head = Effect.fn("SealedEvidence.head")(function* (owner: Owner) {
        const [row] = yield* selectChainHead(clients.for(owner), owner.organizationId)
        return { sequence: row?.sequence ?? 0, entryDigest: row?.entry_digest ?? genesis }
      })
      const unsealedErasures = Effect.fn("SealedEvidence.unsealedErasures")(function* (owner: Owner) {
        const rows = yield* clients.for(owner)<{ readonly assessment_id: string }>`
          SELECT assessment_id FROM erasures WHERE organization_id = ${owner.organizationId} AND NOT EXISTS (
            SELECT FROM seals
            WHERE seals.organization_id = erasures.organization_id AND seals.assessment_id = erasures.assessment_id
          ) ORDER BY assessment_id LIMIT 1
        `
        return rows.map((row) => row.assessment_id)
      })
      const waiting = Effect.fn("SealedEvidence.waiting")(function* (owner: Owner, rowsMax: number) {
        const [row] = yield* selectWaiting(clients.for(owner), owner.organizationId, rowsMax)
        return { count: row?.count ?? 0, oldestMs: Math.max(0, row?.oldest_ms ?? 0) }
      })
      const verifications = Effect.fn("SealedEvidence.verifications")((owner: Owner) =>
        decodeVerifications(clients.for(owner)`
          SELECT whole, first::float8, last::float8, problem, verified_at FROM verifications
          WHERE organization_id = ${owner.organizationId} ORDER BY verified_at DESC
        `)
      )
      const noteVerification = Effect.fn("SealedEvidence.noteVerification")(
        (owner: Owner, { first, last, problem, whole }: FoundByVerification) =>
          Effect.asVoid(clients.for(owner)`
            INSERT INTO verifications (organization_id, whole, first, last, problem, verified_at)
            VALUES (${owner.organizationId}, ${whole}, ${first}, ${last}, ${problem}, statement_timestamp())
            ON CONFLICT (organization_id, whole) DO UPDATE SET first = excluded.first, last = excluded.last,
              problem = excluded.problem, verified_at = excluded.verified_at
          `)
      )
      return SealedEvidence.of({
        page,
        unsealedPage,
        waiting,
        unsealedErasures,
        head,
        verifications,
        noteVerification
      })
    })
  )
}

/** Columns that are not sealed, because they are derived from the sealed bytes. */
export interface DerivedColumns {
  readonly actionId: string
  readonly requestId: string
  readonly complete: boolean
  readonly item: Json
  readonly search: string
}

export interface SealedRow extends Pick<
  SealedLink,
  "sequence" | "previousDigest" | "entryDigest" | "assessmentId"
> {
  /** Null if there is no such assessment, or if its seal has no leaves. */
  readonly link: SealedLink | null
  readonly derived: DerivedColumns | null
  /** Null if it was not erased. */
  readonly erasure: Erasure | null
}

export interface UnsealedRow {
  readonly assessmentId: string
  readonly createdAt: string
  readonly ageMs: number
  /** Whether it is in the table of assessments to be sealed. */
  readonly queued: boolean
}

const VerificationRow = Schema.Struct({
  /** Whether it covered every entry, from the first to the last one at that time. */
  whole: Schema.Boolean,
  first: Schema.Finite,
  last: Schema.Finite,
  /** Null if every entry was as sealed. */
  problem: Schema.NullOr(Schema.String),
  verifiedAt: Schema.Date
})

export type NotedVerification = typeof VerificationRow.Type

type FoundByVerification = Omit<NotedVerification, "verifiedAt">

const decodeVerifications = decodeRows(VerificationRow)

interface Waiting {
  readonly count: number
  /** 0 if nothing is waiting. */
  readonly oldestMs: number
}

interface Seal {
  readonly sequence: number
  readonly assessment_id: string
  readonly previous_digest: Uint8Array
  readonly entry_digest: Uint8Array
}

interface SealRow extends Seal {
  readonly input_leaf: Uint8Array
  readonly result_leaf: Uint8Array
  readonly snapshot_leaf: Uint8Array
  /** Null if there is no such assessment, like all columns down to `search`. */
  readonly created_at: string | null
  readonly salt: Uint8Array
  readonly input: Uint8Array
  readonly input_digest: Uint8Array
  readonly response: Uint8Array
  readonly result_digest: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
  readonly action_id: string
  readonly request_id: string
  readonly complete: boolean
  readonly item: Json
  readonly search: string
  /** Null if it was not erased, like all columns below. */
  readonly erased_at: string | null
  readonly erased_created_at: ErasedColumns["created_at"]
  readonly erased_rules_digest: ErasedColumns["rules_digest"]
  readonly erased_policy_digest: ErasedColumns["policy_digest"]
  readonly reason: ErasedColumns["reason"]
  readonly public_key: ErasedColumns["public_key"]
  readonly signature: ErasedColumns["signature"]
}

const micros = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export const selectChainPage = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  after: number,
  rowsMax: number
) =>
  sql<SealRow>`
    SELECT chained.sequence::float8, chained.assessment_id, previous_digest, entry_digest, input_leaf, result_leaf,
      snapshot_leaf, ${sql.literal(micros("assessed.created_at"))} AS created_at, salt, input, input_digest, response,
      result_digest, behavior_snapshot, assessed.rules_digest, assessed.policy_digest, action_id, request_id, complete, item,
      search, ${sql.literal(micros("erased.created_at"))} AS erased_created_at, erased.rules_digest AS erased_rules_digest,
      erased.policy_digest AS erased_policy_digest,
      to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at, reason, public_key, signature
    FROM (
      SELECT * FROM seals WHERE organization_id = ${organizationId} AND sequence > ${after}
      ORDER BY sequence LIMIT ${rowsMax}
    ) AS chained
      LEFT JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "chained" }))} AS assessed ON true
      LEFT JOIN LATERAL ${sql.literal(rowBeside({ table: "erasures", of: "chained" }))} AS erased ON true
    ORDER BY chained.sequence
  `

export const selectChainHead = (sql: SqlClient.SqlClient, organizationId: string) => sql<
  Pick<SealRow, "sequence" | "entry_digest">
>`
  SELECT sequence::float8, entry_digest FROM seals WHERE organization_id = ${organizationId}
  ORDER BY seals.sequence DESC LIMIT 1
`

interface UnsealedCheckRow {
  readonly assessment_id: string
  readonly created_at: string
  readonly age_ms: number
  readonly sealed: boolean
  readonly queued: boolean
}

export const selectUnsealed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  after: string,
  rowsMax: number
) =>
  sql<UnsealedCheckRow>`
    SELECT looked.assessment_id, ${sql.literal(micros("created_at"))} AS created_at,
      sealed.assessment_id IS NOT NULL AS sealed, queue.assessment_id IS NOT NULL AS queued,
      (extract(epoch FROM statement_timestamp() - created_at) * 1000)::float8 AS age_ms
    FROM (
      SELECT organization_id, assessment_id, created_at FROM assessments
      WHERE organization_id = ${organizationId} AND assessment_id > ${after}
      ORDER BY assessment_id LIMIT ${rowsMax}
    ) AS looked
      LEFT JOIN LATERAL ${sql.literal(rowBeside({ table: "seals", of: "looked" }))} AS sealed ON true
      LEFT JOIN LATERAL ${sql.literal(rowBeside({ table: "unsealed", of: "looked" }))} AS queue ON true
    ORDER BY looked.assessment_id
  `

interface WaitingRow {
  readonly count: number
  readonly oldest_ms: number | null
}

/** Reads the sealer's queue, which is short. */
export const selectWaiting = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  rowsMax: number
) => sql<WaitingRow>`
  SELECT count(*)::int AS count,
    (extract(epoch FROM statement_timestamp() - min(created_at)) * 1000)::float8 AS oldest_ms
  FROM (
    SELECT organization_id, assessment_id FROM unsealed WHERE organization_id = ${organizationId}
    ORDER BY assessment_id LIMIT ${rowsMax}
  ) AS waiting CROSS JOIN LATERAL ${sql.literal(rowBeside({ table: "assessments", of: "waiting" }))} AS assessed
`

const unsealedOfRow = (row: UnsealedCheckRow): UnsealedRow => ({
  assessmentId: row.assessment_id,
  createdAt: row.created_at,
  ageMs: row.age_ms,
  queued: row.queued
})

const sealedOfRow = (owner: Owner, row: SealRow): SealedRow => {
  const { mode, organizationId } = owner
  const entry = {
    sequence: row.sequence,
    assessmentId: row.assessment_id,
    previousDigest: row.previous_digest,
    entryDigest: row.entry_digest
  }
  const { created_at, erased_at, input_leaf, result_leaf, snapshot_leaf } = row
  const erasure =
    erased_at === null
      ? null
      : erasureOfRow(owner, {
          ...row,
          erased_at,
          input_leaf,
          result_leaf,
          snapshot_leaf,
          created_at: row.erased_created_at,
          rules_digest: row.erased_rules_digest,
          policy_digest: row.erased_policy_digest
        })
  if (created_at === null) return { ...entry, link: null, derived: null, erasure }
  return {
    ...entry,
    erasure,
    link: {
      ...entry,
      organizationId,
      mode,
      createdAt: created_at,
      inputLeaf: input_leaf,
      resultLeaf: result_leaf,
      snapshotLeaf: snapshot_leaf,
      salt: row.salt,
      input: row.input,
      inputDigest: row.input_digest,
      response: row.response,
      resultDigest: row.result_digest,
      snapshot: row.behavior_snapshot,
      rulesDigest: row.rules_digest,
      policyDigest: row.policy_digest
    },
    derived: {
      actionId: row.action_id,
      requestId: row.request_id,
      complete: row.complete,
      item: row.item,
      search: row.search
    }
  }
}
