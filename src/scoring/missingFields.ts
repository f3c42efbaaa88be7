/** The missing fields: which fields the caller left out, what each bound takes them for, and the action completed with them. */

import { type DataClassification, reversibilities, type Reversibility } from "../domain/Action.ts"
import type { Assumption } from "../domain/Opinion.ts"
import { type FieldBound, type FieldBounds, type MissableField, missableFields } from "./FieldBounds.ts"
import type { Completion, Currency, Model } from "./Model.ts"
import type { StatedAction } from "./StatedAction.ts"
import { fromUsd, toUsdCents } from "./money.ts"

/** A currency matters only beside a value that is, or could be, above zero. */
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

/** Values that the request would accept in the missing fields and that score exactly the same (theorem T1). */
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

/** Completes the stated: every missing field is taken at its reference, its least or its ceiling, never left out. */
export interface ResolvedAction {
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

export const complete = (
  stated: StatedAction,
  completions: Completions,
  bounds: FieldBounds
): ResolvedAction => {
  const { byBound, usdCents } = completions
  const entities = stated.entities ?? byBound[bounds.entities_affected].entities
  const records = stated.records ?? byBound[bounds.records_affected].records
  // No class has records without entities; entities without records are at odds only where the class counts both.
  const disagree =
    stated.normalized.class !== "read" &&
    ((entities === 0 && records > 0) || (stated.class.countsGoTogether && records === 0 && entities > 0))
  // A stated zero contradicts the other count, and the worse reading counts: it is taken for that other count.
  // A zero that nobody stated is only the least reading, and the least that goes with a positive count is one.
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

/** What each reading takes the missing fields for, worked out once for all evaluations of a case. */
export interface Completions {
  readonly byBound: Readonly<Record<FieldBound, Completion>>
  /** What a missing value is taken to be, in units of the stated currency, else of the dearest; none where one was stated. */
  readonly assumedValue: number | undefined
  /** The value in US cents, by the reading of its currency where it was stated, else by its own reading. */
  readonly usdCents: Readonly<Record<FieldBound, number>>
}

/** The least that a missing field can hide: nothing at all. */
const leastCompletion: Completion = {
  entities: 0,
  records: 0,
  usd: 0,
  dataClassification: "public",
  reversibility: "fully_reversible",
  privilegeChange: false,
  productionImpact: false
}

/** A verb that touches one thing is not treated as if it might touch a million, nor where its class counts none. */
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
  // What is aimed at everything touches more than one thing, whatever its verb.
  const single = stated.normalized.extent === "single" && !stated.namesEverything
  const ceiling = single ? atMost(ceilings, numbers.single.ceilings) : ceilings
  return {
    reference: single ? atMost(reference, numbers.single.references) : reference,
    least: leastCompletion,
    ceiling,
    open: ceiling
  }
}

/** Of a missing or unknown currency the dearest; of a missing one at the least the cheapest. */
const currencyOf = (stated: StatedAction, { currencies }: Model, bound: "least" | "reference"): Currency => {
  const { cheapest, dearest, table } = currencies
  const least = bound === "least" && !stated.currencyStated
  const currency = stated.currency ?? table.get(least ? cheapest : dearest)
  // Invariant: a release is refused at load unless its table holds both codes.
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
  // Through an amount that the request would accept, so that stating the assumption scores exactly the same.
  const assumedValue = fromUsd(byBound.reference.usd, currency)
  const ceiling = toUsdCents(fromUsd(byBound.ceiling.usd, currency), currency)
  return {
    byBound,
    assumedValue,
    usdCents: { reference: toUsdCents(assumedValue, currency), least: 0, ceiling, open: ceiling }
  }
}
