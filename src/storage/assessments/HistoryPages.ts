/** Pages of what releases are compared on: the stored assessments of an organization, newest first, apart from the connections of assessments. */

import { Context, Effect, Layer } from "effect"
import { ResourceSql } from "../sql/Sql.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { assessmentColumns, type EvidenceRow, evidenceOfRow } from "./AssessmentRecords.ts"

interface HistorySpan {
  /** Ids: from the first on, before the second. */
  readonly since: string
  readonly before: string
}

export class HistoryPages extends Context.Service<HistoryPages>()("action-risk/storage/HistoryPages", {
  make: Effect.gen(function* () {
    const clients = yield* ResourceSql
    /** At most `rowsMax`; their seals are left out. */
    const page = Effect.fn("HistoryPages.page")(function* (
      owner: Owner,
      { before, since }: HistorySpan,
      rowsMax: number
    ) {
      const sql = clients.for(owner)
      const rows = yield* clients.inTurn(
        owner,
        sql<EvidenceRow>`
            SELECT ${sql.literal(assessmentColumns)}, NULL AS sequence, NULL AS previous_digest, NULL AS entry_digest, NULL AS sealed_at
            FROM assessments
            WHERE organization_id = ${owner.organizationId} AND assessment_id < ${before} AND assessment_id >= ${since}
            ORDER BY assessment_id DESC LIMIT ${rowsMax}
          `
      )
      return rows.map(evidenceOfRow)
    })
    return { page }
  })
}) {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(HistoryPages, HistoryPages.make)
}
