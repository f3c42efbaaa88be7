/** Completes the claims: every missing field is taken at its reference, its least or its ceiling, never left out. */

import { type DataClassification, type Reversibility, reversibilities } from "../domain/Action.ts"
import type { Claims } from "./Claims.ts"
import type { Completion, Currency, Model } from "./Model.ts"
import { fromUsd, toUsdCents } from "./money.ts"
import { atCeiling, type Reading, type Readings } from "./Reading.ts"

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

/** The least that a missing field can hide: nothing at all. */
const nothing: Completion = {
  entities: 0,
  records: 0,
  usd: 0,
  dataClassification: "public",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false
}

/** The whole completion that one reading takes its values from. */
export const completionOf = (claims: Claims, model: Model, reading: Reading): Completion => {
  if (reading === "least") return nothing
  const ceiling = atCeiling(reading)
  const references = claims.class.references
  const completion = ceiling
    ? claims.class.ceilings
    : claims.production
      ? references.production
      : references.other
  if (claims.normalized.extent !== "single") return completion
  // A verb that touches one thing is not treated as if it might touch a million, nor where the class counts none.
  const { ceilings, references: singles } = model.numbers.single
  const counts = ceiling ? ceilings : singles
  return {
    ...completion,
    entities: Math.min(completion.entities, counts.entities),
    records: Math.min(completion.records, counts.records)
  }
}

/** The currency that a value is read in: of a missing or unknown one the dearest; of a missing one at the least the cheapest. */
export const currencyOf = (claims: Claims, model: Model, reading: Reading): Currency => {
  const { cheapest, dearest, table } = model.currencies
  const least = reading === "least" && !claims.currencyStated
  const currency = claims.currency ?? table.get(least ? cheapest : dearest)
  // Invariant: a release is refused at load unless its table holds both codes.
  if (currency === undefined) throw new Error("the currency table lacks its own extremes")
  return currency
}

const valueOf = (claims: Claims, model: Model, readings: Readings): number => {
  if (claims.value !== undefined) {
    return claims.value === 0 ? 0 : toUsdCents(claims.value, currencyOf(claims, model, readings.currency))
  }
  const { usd } = completionOf(claims, model, readings.financial_value)
  if (usd === 0) return 0
  // Through an amount that the request would accept, so that stating the assumption scores exactly the same.
  const currency = currencyOf(claims, model, "reference")
  return toUsdCents(fromUsd(usd, currency), currency)
}

const harder = (a: Reversibility, b: Reversibility): Reversibility =>
  reversibilities.indexOf(a) >= reversibilities.indexOf(b) ? a : b

interface Counts {
  readonly entities: number
  readonly records: number
  readonly countsInconsistent: boolean
}

const countsOf = (claims: Claims, model: Model, readings: Readings): Counts => {
  const entities = claims.entities ?? completionOf(claims, model, readings.entities_affected).entities
  const records = claims.records ?? completionOf(claims, model, readings.records_affected).records
  if (!claims.class.countsGoTogether || (entities === 0) === (records === 0)) {
    return { entities, records, countsInconsistent: false }
  }
  const zeroWasStated = entities === 0 ? claims.entities === 0 : claims.records === 0
  // A stated zero contradicts the other count, and the worse reading counts: it is taken for that other count.
  // A zero that nobody stated is only the least reading, and the least that goes with a positive count is one.
  return zeroWasStated
    ? { entities: entities || records, records: records || entities, countsInconsistent: true }
    : { entities: entities || 1, records: records || 1, countsInconsistent: false }
}

export const complete = (claims: Claims, model: Model, readings: Readings): Completed => ({
  ...countsOf(claims, model, readings),
  usdCents: valueOf(claims, model, readings),
  dataClassification:
    claims.dataClassification ?? completionOf(claims, model, readings.data_classification).dataClassification,
  reversibility: harder(
    claims.reversibility ?? completionOf(claims, model, readings.reversibility).reversibility,
    claims.class.reversibilityFloor
  ),
  privilegeChange:
    claims.class.alwaysChangesPrivilege ||
    (claims.privilegeChange ?? completionOf(claims, model, readings.privilege_change).privilegeChange),
  productionImpact:
    claims.productionImpact ?? completionOf(claims, model, readings.production_impact).productionImpact
})
