/** What was erased and what could be, read as the role of the mode; nothing here erases. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { Owner } from "./AssessmentRecord.ts"
import type { Stretch } from "./assessmentRecords/read.ts"
import {
  type Candidate,
  candidateOfRow,
  erasureOfRow,
  selectCandidates,
  selectErasures,
  selectNamed
} from "./erasures/read.ts"
import type { Erasure } from "./evidence/Erasure.ts"
import { ModeSql } from "./Sql.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class Erasures extends Context.Service<
  Erasures,
  {
    /** Stored assessments with an id after one and before another, oldest first; at most `rowsMax`. */
    readonly candidates: (
      owner: Owner,
      before: string,
      after: string,
      rowsMax: number
    ) => Stored<ReadonlyArray<Candidate>>
    /** Those of the ids that are stored. */
    readonly named: (owner: Owner, ids: ReadonlyArray<string>) => Stored<ReadonlyArray<Candidate>>
    /** Erased assessments of a stretch, oldest first, after the last id of the page before; at most `rowsMax`. */
    readonly page: (
      owner: Owner,
      stretch: Stretch,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<Erasure>>
    /** How many of these ids were erased; of all where no ids are given. */
    readonly count: (owner: Owner, ids?: ReadonlyArray<string>) => Stored<number>
  }
>()("action-risk/storage/Erasures") {
  static readonly layer = Layer.effect(
    Erasures,
    Effect.gen(function* () {
      const clients = yield* ModeSql
      const candidates = Effect.fn("Erasures.candidates")(function* (
        { mode, organizationId }: Owner,
        before: string,
        after: string,
        rowsMax: number
      ) {
        const rows = yield* selectCandidates(clients.for(mode), organizationId, before, after, rowsMax)
        return rows.map(candidateOfRow)
      })
      const named = Effect.fn("Erasures.named")(function* (
        { mode, organizationId }: Owner,
        ids: ReadonlyArray<string>
      ) {
        return (yield* selectNamed(clients.for(mode), organizationId, ids)).map(candidateOfRow)
      })
      const page = Effect.fn("Erasures.page")(function* (
        owner: Owner,
        stretch: Stretch,
        after: string | null,
        rowsMax: number
      ) {
        const sql = clients.for(owner.mode)
        const rows = yield* selectErasures(sql, owner.organizationId, stretch, after, rowsMax)
        return rows.map((row) => erasureOfRow(owner, row))
      })
      const count = Effect.fn("Erasures.count")(function* (
        { mode, organizationId }: Owner,
        ids?: ReadonlyArray<string>
      ) {
        const sql = clients.for(mode)
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM erasures WHERE organization_id = ${organizationId}
            ${ids === undefined ? sql`` : sql`AND assessment_id = ANY (${ids}::uuid[])`}
        `
        return row?.count ?? 0
      })
      return Erasures.of({ candidates, named, page, count })
    })
  )
}
