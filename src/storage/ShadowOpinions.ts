/** What the shadow release said of assessments, written beside them and read only to be compared. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { Mode } from "../domain/Mode.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { type Shadowed, selectShadowed, shadowedOfRow } from "./shadowOpinions/read.ts"
import { type ShadowOpinion, shadowRows, writeShadows } from "./shadowOpinions/write.ts"
import { ModeSql } from "./Sql.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class ShadowOpinions extends Context.Service<
  ShadowOpinions,
  {
    /** Once for each assessment; what is there already stays. */
    readonly write: (mode: Mode, opinions: ReadonlyArray<ShadowOpinion>) => Stored<void>
    /**
     * A page of the assessments from `from` on and after `after`, oldest first, with what the shadow said of each; none
     * before the first that has a shadow.
     */
    readonly page: (
      owner: Owner,
      from: string,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<Shadowed>>
  }
>()("action-risk/storage/ShadowOpinions") {
  static readonly layer = Layer.effect(
    ShadowOpinions,
    Effect.gen(function* () {
      const clients = yield* ModeSql

      const write = Effect.fn("ShadowOpinions.write")(function* (
        mode: Mode,
        opinions: ReadonlyArray<ShadowOpinion>
      ) {
        yield* clients.for(mode).unsafe(writeShadows, [JSON.stringify(shadowRows(opinions))])
      })

      const page = Effect.fn("ShadowOpinions.page")(function* (
        { mode, organizationId }: Owner,
        from: string,
        after: string | null,
        rowsMax: number
      ) {
        const rows = yield* selectShadowed(clients.for(mode), organizationId, from, after, rowsMax)
        return rows.map(shadowedOfRow)
      })

      return ShadowOpinions.of({ write, page })
    })
  )
}
