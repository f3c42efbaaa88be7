/** What each reading takes the missing fields for, worked out once for all evaluations of a case. */

import type { Claims } from "./Claims.ts"
import type { Completion, Currency, Model } from "./Model.ts"
import { fromUsd, toUsdCents } from "./money.ts"
import type { Reading } from "./Reading.ts"

export interface Completions {
  readonly of: Readonly<Record<Reading, Completion>>
  /** What a missing value is taken to be, in units of the stated currency, else of the dearest; none where one was stated. */
  readonly assumedValue: number | undefined
  /** The value in US cents, by the reading of its currency where it was stated, else by its own reading. */
  readonly usdCents: Readonly<Record<Reading, number>>
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

/** A verb that touches one thing is not treated as if it might touch a million, nor where its class counts none. */
const atMost = (
  completion: Completion,
  counts: { readonly entities: number; readonly records: number }
): Completion => ({
  ...completion,
  entities: Math.min(completion.entities, counts.entities),
  records: Math.min(completion.records, counts.records)
})

const byReading = (claims: Claims, { numbers }: Model): Completions["of"] => {
  const { ceilings, references } = claims.class
  const reference = claims.production ? references.production : references.other
  // What is aimed at everything touches more than one thing, whatever its verb.
  const single = claims.normalized.extent === "single" && !claims.namesEverything
  const ceiling = single ? atMost(ceilings, numbers.single.ceilings) : ceilings
  return {
    reference: single ? atMost(reference, numbers.single.references) : reference,
    least: nothing,
    ceiling,
    open: ceiling
  }
}

/** Of a missing or unknown currency the dearest; of a missing one at the least the cheapest. */
const currencyOf = (claims: Claims, { currencies }: Model, reading: "least" | "reference"): Currency => {
  const { cheapest, dearest, table } = currencies
  const least = reading === "least" && !claims.currencyStated
  const currency = claims.currency ?? table.get(least ? cheapest : dearest)
  // Invariant: a release is refused at load unless its table holds both codes.
  if (currency === undefined) throw new Error("the currency table lacks its own extremes")
  return currency
}

export const completionsOf = (claims: Claims, model: Model): Completions => {
  const of = byReading(claims, model)
  const currency = currencyOf(claims, model, "reference")
  if (claims.value !== undefined) {
    const worth = toUsdCents(claims.value, currency)
    const least = claims.currencyStated ? worth : toUsdCents(claims.value, currencyOf(claims, model, "least"))
    return { of, assumedValue: undefined, usdCents: { reference: worth, least, ceiling: worth, open: worth } }
  }
  // Through an amount that the request would accept, so that stating the assumption scores exactly the same.
  const assumedValue = fromUsd(of.reference.usd, currency)
  const ceiling = toUsdCents(fromUsd(of.ceiling.usd, currency), currency)
  return {
    of,
    assumedValue,
    usdCents: { reference: toUsdCents(assumedValue, currency), least: 0, ceiling, open: ceiling }
  }
}
