/** Sealed evidence in the order of its chain, for whoever verifies it. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { Owner } from "./AssessmentRecord.ts"
import { genesis } from "./evidence/chain.ts"
import type { Head } from "./evidence/walk.ts"
import {
  sealedOfRow,
  type SealedRow,
  selectHead,
  selectSealed,
  selectUnsealed,
  unsealedOfRow,
  type UnsealedRow
} from "./sealedEvidence/read.ts"
import { ModeSql } from "./Sql.ts"

export interface UnsealedPage {
  readonly unsealed: ReadonlyArray<UnsealedRow>
  /** The last id that was looked at; null where there is nothing after it. */
  readonly next: string | null
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class SealedEvidence extends Context.Service<
  SealedEvidence,
  {
    /** In the order of the chain, after a sequence number; at most `rowsMax`. */
    readonly page: (owner: Owner, after: number, rowsMax: number) => Stored<ReadonlyArray<SealedRow>>
    /** Assessments without a seal among at most `rowsMax` of them, oldest first, after the last id of the page before. */
    readonly unsealedPage: (owner: Owner, after: string, rowsMax: number) => Stored<UnsealedPage>
    /** One assessment of those that were erased and have no seal, where there is any. */
    readonly unsealedErasures: (owner: Owner) => Stored<ReadonlyArray<string>>
    readonly head: (owner: Owner) => Stored<Head>
  }
>()("action-risk/storage/SealedEvidence") {
  static readonly layer = Layer.effect(
    SealedEvidence,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const page = Effect.fn("SealedEvidence.page")(function* (owner: Owner, after: number, rowsMax: number) {
        const rows = yield* selectSealed(clients.for(owner.mode), owner.organizationId, after, rowsMax)
        return rows.map((row) => sealedOfRow(owner, row))
      })
      const unsealedPage = Effect.fn("SealedEvidence.unsealedPage")(function* (
        owner: Owner,
        after: string,
        rowsMax: number
      ) {
        const rows = yield* selectUnsealed(clients.for(owner.mode), owner.organizationId, after, rowsMax)
        return {
          unsealed: rows.filter(({ sealed }) => !sealed).map(unsealedOfRow),
          next: rows.length < rowsMax ? null : (rows.at(-1)?.assessment_id ?? null)
        }
      })
      const head = Effect.fn("SealedEvidence.head")(function* ({ mode, organizationId }: Owner) {
        const [row] = yield* selectHead(clients.for(mode), organizationId)
        return { sequence: row?.sequence ?? 0, entryDigest: row?.entry_digest ?? genesis }
      })
      const unsealedErasures = Effect.fn("SealedEvidence.unsealedErasures")(function* (owner: Owner) {
        const rows = yield* clients.for(owner.mode)<{ readonly assessment_id: string }>`
          SELECT assessment_id FROM erasures WHERE organization_id = ${owner.organizationId} AND NOT EXISTS (
            SELECT FROM seals
            WHERE seals.organization_id = erasures.organization_id AND seals.assessment_id = erasures.assessment_id
          ) ORDER BY assessment_id LIMIT 1
        `
        return rows.map((row) => row.assessment_id)
      })
      return SealedEvidence.of({ page, unsealedPage, unsealedErasures, head })
    })
  )
}
