/** Completes the claims: every missing field is taken at its reference, its least or its ceiling, never left out. */

import { type DataClassification, type Reversibility, reversibilities } from "../domain/Action.ts"
import type { Claims } from "./Claims.ts"
import type { Completions } from "./completions.ts"
import type { Readings } from "./Reading.ts"

export interface Completed {
  readonly entities: number
  readonly records: number
  readonly usdCents: number
  readonly dataClassification: DataClassification
  /** Never easier than the floor of the class. */
  readonly reversibility: Reversibility
  readonly privilegeChange: boolean
  readonly productionImpact: boolean
  readonly countsInconsistent: boolean
}

const harder = (a: Reversibility, b: Reversibility): Reversibility =>
  reversibilities.indexOf(a) >= reversibilities.indexOf(b) ? a : b

export const complete = (claims: Claims, completions: Completions, readings: Readings): Completed => {
  const { of, usdCents } = completions
  const entities = claims.entities ?? of[readings.entities_affected].entities
  const records = claims.records ?? of[readings.records_affected].records
  // No class has records without entities; entities without records are at odds only where the class counts both.
  const disagree =
    claims.normalized.class !== "read" &&
    ((entities === 0 && records > 0) || (claims.class.countsGoTogether && records === 0 && entities > 0))
  // A stated zero contradicts the other count, and the worse reading counts: it is taken for that other count.
  // A zero that nobody stated is only the least reading, and the least that goes with a positive count is one.
  const zeroWasStated = entities === 0 ? claims.entities === 0 : claims.records === 0
  return {
    entities: disagree && entities === 0 ? (zeroWasStated ? records : 1) : entities,
    records: disagree && records === 0 ? (zeroWasStated ? entities : 1) : records,
    countsInconsistent: disagree && zeroWasStated,
    usdCents: usdCents[claims.value === undefined ? readings.financial_value : readings.currency],
    dataClassification: claims.dataClassification ?? of[readings.data_classification].dataClassification,
    reversibility: harder(
      claims.reversibility ?? of[readings.reversibility].reversibility,
      claims.class.reversibilityFloor
    ),
    privilegeChange:
      claims.class.alwaysChangesPrivilege ||
      (claims.privilegeChange ?? of[readings.privilege_change].privilegeChange),
    productionImpact: claims.productionImpact ?? of[readings.production_impact].productionImpact
  }
}
