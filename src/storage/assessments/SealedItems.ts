/** Sealed assessments in chain order, as shown in lists, for event streams. */

import { Context, Effect, Layer, Schema } from "effect"
import { decodeRows, rowBeside } from "../sql/rows.ts"
import { ResourceSql } from "../sql/Sql.ts"
import type { Owner } from "./AssessmentRecord.ts"

const SealedItem = Schema.Struct({
  /** Without gaps and in the order of sealing, neither of which holds for ids. */
  sequence: Schema.Finite,
  /** JSON without a line break. Null if the assessment was erased. */
  itemJson: Schema.NullOr(Schema.String)
})

export type SealedItem = typeof SealedItem.Type

const decodeItems = decodeRows(SealedItem)

export class SealedItems extends Context.Service<SealedItems>()("action-risk/storage/SealedItems", {
  make: Effect.gen(function* () {
    const { inTurn } = yield* ResourceSql
    /** At most `rowsMax` items after a sequence number. */
    const after = Effect.fn("SealedItems.after")((owner: Owner, sequence: number, rowsMax: number) =>
      inTurn(owner, (sql) =>
        decodeItems(sql`
          SELECT sequence::float8 AS sequence, item::text AS item_json
          FROM (
            SELECT organization_id, sequence, assessment_id FROM seals
            WHERE organization_id = ${owner.organizationId} AND sequence > ${sequence}
            ORDER BY sequence LIMIT ${rowsMax}
          ) AS sealed LEFT JOIN LATERAL ${sql.literal(itemOfSeal)} AS assessed ON true
          ORDER BY sequence
        `)
      )
    )
    /** The last sequence number; 0 before the first seal. */
    const head = Effect.fn("SealedItems.head")(function* (owner: Owner) {
      const [row] = yield* inTurn(owner, (sql) =>
        decodeHead(sql`
          SELECT sequence::float8 AS sequence FROM (
            SELECT seals.sequence FROM seals WHERE organization_id = ${owner.organizationId}
            ORDER BY seals.sequence DESC LIMIT 1
          ) AS last
        `)
      )
      return row?.sequence ?? 0
    })
    return { after, head }
  })
}) {
  static readonly layer = Layer.effect(SealedItems, SealedItems.make)
}

const itemOfSeal = rowBeside({ table: "assessments", of: "sealed", columns: "item" })

const decodeHead = decodeRows(Schema.Struct({ sequence: Schema.Finite }))
