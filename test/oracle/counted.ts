/** A completed call as it counts: where claims contradict each other or the class, the worse one. */

import { reversibilities } from "../../src/domain/Action.ts"
import { usdCentsOf } from "./money.ts"
import type { Question } from "./Question.ts"
import { rowOf, statedOf, type Taken } from "./taken.ts"

export const countedOf = (question: Question, taken: Taken) => {
  const row = rowOf(question)
  const stated = statedOf(question)
  const { entities, records } = taken
  const noEntities = !row.harmless && entities === 0 && records > 0
  const noRecords = !row.harmless && row.counts_go_together && records === 0 && entities > 0
  const least = reversibilities.indexOf(row.reversibility_floor)
  return {
    entities: noEntities ? records : entities,
    records: noRecords ? entities : records,
    usdCents: usdCentsOf(taken.amount, taken.currency),
    classification: taken.classification,
    reversibility: Math.max(taken.reversibility, least),
    privilegeChange: row.always_changes_privilege || taken.privilegeChange,
    productionImpact: taken.productionImpact,
    contradictions: {
      counts: (noEntities && stated.entities === 0) || (noRecords && stated.records === 0),
      reversibility: stated.reversibility !== undefined && stated.reversibility < least,
      privilege: row.always_changes_privilege && stated.privilegeChange === false
    }
  }
}
export type Counted = ReturnType<typeof countedOf>
