/** Pages of what releases are compared on: the stored assessments of an organization, newest first, apart from the connections of assessments. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { ResourceSql } from "../sql/Sql.ts"
import type { Owner, StoredEvidence } from "./AssessmentRecord.ts"

interface HistoryRow {
  readonly assessment_id: string
  readonly response: Uint8Array
  readonly result_digest: Uint8Array
  readonly input: Uint8Array
  readonly input_digest: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
}

interface HistorySpan {
  /** Ids: from the first on, before the second. */
  readonly since: string
  readonly before: string
}

export class HistoryPages extends Context.Service<
  HistoryPages,
  {
    /** At most `rowsMax`; their seals are left out. */
    readonly page: (
      owner: Owner,
      span: HistorySpan,
      rowsMax: number
    ) => Effect.Effect<ReadonlyArray<StoredEvidence>, SqlError.SqlError>
  }
>()("action-risk/storage/HistoryPages") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    HistoryPages,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const page = Effect.fn("HistoryPages.page")(function* (
        owner: Owner,
        { before, since }: HistorySpan,
        rowsMax: number
      ) {
        const rows = yield* clients.inTurn(
          owner,
          clients.for(owner.mode)<HistoryRow>`
            SELECT assessment_id, response, result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest
            FROM assessments
            WHERE organization_id = ${owner.organizationId} AND assessment_id < ${before} AND assessment_id >= ${since}
            ORDER BY assessment_id DESC LIMIT ${rowsMax}
          `
        )
        return rows.map((row): StoredEvidence => ({
          assessmentId: row.assessment_id,
          response: row.response,
          resultDigest: row.result_digest,
          input: row.input,
          inputDigest: row.input_digest,
          behaviorSnapshot: row.behavior_snapshot,
          rulesDigest: row.rules_digest,
          policyDigest: row.policy_digest,
          seal: null
        }))
      })
      return HistoryPages.of({ page })
    })
  )
}
