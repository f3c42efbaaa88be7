/** Missing fields: which fields the caller left out, the value of each at each bound, and the action completed with these values. */

import { type DataClassification, reversibilities, type Reversibility } from "../../domain/Action.ts"
import type { Assumption } from "../../domain/Opinion.ts"
import type { Currency } from "../Model.ts"
import { fromUsd, toUsdCents } from "../money.ts"
import { type FieldBound, type FieldBounds, type MissableField, missableFields } from "./FieldBounds.ts"
import type { Completion, Model } from "./Model.ts"
import type { StatedAction } from "./StatedAction.ts"

/** A currency matters only if the value is above zero or could be. */
const currencyMatters = ({ value }: StatedAction, { byBound }: Completions): boolean =>
  value === undefined ? byBound.ceiling.usd > 0 : value > 0

const isMissing: Readonly<
  Record<MissableField, (stated: StatedAction, completions: Completions) => boolean>
> = {
  entities_affected: ({ entities }) => entities === undefined,
  records_affected: ({ records }) => records === undefined,
  financial_value: ({ value }) => value === undefined,
  currency: (stated, completions) => !stated.currencyStated && currencyMatters(stated, completions),
  data_classification: ({ dataClassification }) => dataClassification === undefined,
  reversibility: ({ reversibility }) => reversibility === undefined,
  privilege_change: ({ privilegeChange }) => privilegeChange === undefined,
  production_impact: ({ productionImpact }) => productionImpact === undefined,
  destination: (stated) => stated.destination === undefined && stated.class.egress,
  agent_id: ({ agentId }) => agentId === undefined
}

export const missingFields = (stated: StatedAction, completions: Completions): ReadonlyArray<MissableField> =>
  missableFields.filter((field) => isMissing[field](stated, completions))

/** The values that were assumed for missing fields. A request that states them is valid and has exactly the same score (theorem T1). */
export const assumptionsOf = (
  { assumedValue, byBound: { reference } }: Completions,
  { currencies }: Model,
  missing: ReadonlyArray<MissableField>
): ReadonlyArray<Assumption> => {
  const assumed: Partial<Record<MissableField, string | number | boolean | undefined>> = {
    entities_affected: reference.entities,
    records_affected: reference.records,
    financial_value: assumedValue,
    currency: currencies.dearest,
    data_classification: reference.dataClassification,
    reversibility: reference.reversibility,
    privilege_change: reference.privilegeChange,
    production_impact: reference.productionImpact
  }
  return missing.flatMap((field) => {
    const value = assumed[field]
    return value === undefined ? [] : [{ field, assumed: value }]
  })
}

/** The action with a value for every field: the stated one, or the value at the bound of a missing field. */
export interface ResolvedAction {
  readonly entities: number
  readonly records: number
  readonly usdCents: number
  readonly dataClassification: DataClassification
  /** At least as hard as the floor of the class. */
  readonly reversibility: Reversibility
  readonly privilegeChange: boolean
  readonly productionImpact: boolean
  readonly countsInconsistent: boolean
}

const harder = (a: Reversibility, b: Reversibility): Reversibility =>
  reversibilities.indexOf(a) >= reversibilities.indexOf(b) ? a : b

export const complete = (
  stated: StatedAction,
  completions: Completions,
  bounds: FieldBounds
): ResolvedAction => {
  const { byBound, usdCents } = completions
  const entities = stated.entities ?? byBound[bounds.entities_affected].entities
  const records = stated.records ?? byBound[bounds.records_affected].records
  // Records without entities contradict each other in every class but `read`, entities without records only where a class counts both.
  const disagree =
    stated.normalized.class !== "read" &&
    ((entities === 0 && records > 0) || (stated.class.countsGoTogether && records === 0 && entities > 0))
  // A stated zero contradicts the other count. The worse one counts, so the zero becomes that other count.
  // A zero that was not stated is only the least bound, and the least that fits a positive count is one.
  const zeroWasStated = entities === 0 ? stated.entities === 0 : stated.records === 0
  return {
    entities: disagree && entities === 0 ? (zeroWasStated ? records : 1) : entities,
    records: disagree && records === 0 ? (zeroWasStated ? entities : 1) : records,
    countsInconsistent: disagree && zeroWasStated,
    usdCents: usdCents[stated.value === undefined ? bounds.financial_value : bounds.currency],
    dataClassification: stated.dataClassification ?? byBound[bounds.data_classification].dataClassification,
    reversibility: harder(
      stated.reversibility ?? byBound[bounds.reversibility].reversibility,
      stated.class.reversibilityFloor
    ),
    privilegeChange:
      stated.class.alwaysChangesPrivilege ||
      (stated.privilegeChange ?? byBound[bounds.privilege_change].privilegeChange),
    productionImpact: stated.productionImpact ?? byBound[bounds.production_impact].productionImpact
  }
}

/** The values of missing fields at each bound, computed once for all evaluations of an action. */
export interface Completions {
  readonly byBound: Readonly<Record<FieldBound, Completion>>
  /** The reference of a missing value, in units of the stated currency or else the dearest. Undefined if a value was stated. */
  readonly assumedValue: number | undefined
  /** The value in US cents: for a stated value by the bound of its currency, else by the bound of the value. */
  readonly usdCents: Readonly<Record<FieldBound, number>>
}

/** The mildest value of every field. */
const leastCompletion: Completion = {
  entities: 0,
  records: 0,
  usd: 0,
  dataClassification: "public",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false
}

/** Lowers the counts of a completion to `counts`, for verbs that touch one thing. It never raises a count. */
const atMost = (
  completion: Completion,
  counts: { readonly entities: number; readonly records: number }
): Completion => ({
  ...completion,
  entities: Math.min(completion.entities, counts.entities),
  records: Math.min(completion.records, counts.records)
})

const completionByBound = (stated: StatedAction, { numbers }: Model): Completions["byBound"] => {
  const { ceilings, references } = stated.class
  const reference = stated.production ? references.production : references.other
  // An action on everything touches more than one thing, even if its verb says one.
  const single = stated.normalized.extent === "single" && !stated.namesEverything
  const ceiling = single ? atMost(ceilings, numbers.single.ceilings) : ceilings
  return {
    reference: single ? atMost(reference, numbers.single.references) : reference,
    least: leastCompletion,
    ceiling,
    open: ceiling
  }
}

/** The dearest currency if none is stated or the stated one is unknown. At the least bound, the cheapest if none is stated. */
const currencyOf = (stated: StatedAction, { currencies }: Model, bound: "least" | "reference"): Currency => {
  const { cheapest, dearest, table } = currencies
  const least = bound === "least" && !stated.currencyStated
  const currency = stated.currency ?? table.get(least ? cheapest : dearest)
  // Invariant: loading refuses a release whose table lacks one of the two codes.
  if (currency === undefined) throw new Error("the currency table lacks its own extremes")
  return currency
}

export const completionsOf = (stated: StatedAction, model: Model): Completions => {
  const byBound = completionByBound(stated, model)
  const currency = currencyOf(stated, model, "reference")
  if (stated.value !== undefined) {
    const worth = toUsdCents(stated.value, currency)
    const least = stated.currencyStated ? worth : toUsdCents(stated.value, currencyOf(stated, model, "least"))
    return {
      byBound,
      assumedValue: undefined,
      usdCents: { reference: worth, least, ceiling: worth, open: worth }
    }
  }
  // Converted to an amount that a request can state and back, so that stating the assumption gives exactly the same score.
  const assumedValue = fromUsd(byBound.reference.usd, currency)
  const ceiling = toUsdCents(fromUsd(byBound.ceiling.usd, currency), currency)
  return {
    byBound,
    assumedValue,
    usdCents: { reference: toUsdCents(assumedValue, currency), least: 0, ceiling, open: ceiling }
  }
}
