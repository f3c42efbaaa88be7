/** Sealed assessments in the order of their chain, as lists show them: what a stream of events reads. */

import { Context, Effect, Layer, Schema } from "effect"
import { decodeRows } from "../sql/rows.ts"
import { ResourceSql } from "../sql/Sql.ts"
import type { Owner } from "./AssessmentRecord.ts"

export interface SealedItem {
  /** Without gaps and in the order in which assessments were sealed, which ids are not. */
  readonly sequence: number
  /** JSON without a line break. Null where the assessment was erased. */
  readonly itemJson: string | null
}

export class SealedItems extends Context.Service<SealedItems>()("action-risk/storage/SealedItems", {
  make: Effect.gen(function* () {
    const clients = yield* ResourceSql
    /** At most `rowsMax` after a sequence. */
    const after = Effect.fn("SealedItems.after")((owner: Owner, sequence: number, rowsMax: number) =>
      clients.inTurn(
        owner,
        decodeItems(clients.for(owner)`
            SELECT sequence::float8 AS sequence, item::text AS "itemJson"
            FROM (
              SELECT sequence, assessment_id FROM seals
              WHERE organization_id = ${owner.organizationId} AND sequence > ${sequence}
              ORDER BY sequence LIMIT ${rowsMax}
            ) AS sealed LEFT JOIN LATERAL (
              SELECT item FROM assessments
              WHERE organization_id = ${owner.organizationId} AND assessments.assessment_id = sealed.assessment_id
              LIMIT 1
            ) AS assessed ON true
            ORDER BY sequence
          `)
      )
    )
    /** The last sequence; 0 before the first seal. */
    const head = Effect.fn("SealedItems.head")(function* (owner: Owner) {
      const [row] = yield* clients.inTurn(
        owner,
        decodeHead(clients.for(owner)`
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
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(SealedItems, SealedItems.make)
}

const decodeItems = decodeRows(
  Schema.Struct({ sequence: Schema.Finite, itemJson: Schema.NullOr(Schema.String) })
)

const decodeHead = decodeRows(Schema.Struct({ sequence: Schema.Finite }))
