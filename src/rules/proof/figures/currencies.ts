/** Which amounts of money count for less than before, and which for more where history has them. */

import { actionClasses } from "../../../domain/ActionType.ts"
import type { Currencies, Currency, Numbers } from "../../../scoring/Model.ts"
import { fromUsd, toUsdCents } from "../../../scoring/money.ts"

/** A unit is worth no less, and amounts round up on a grid no finer: then every amount counts for at least as much. */
const isAsDear = (from: Currency, to: Currency): boolean =>
  to.usdNanos >= from.usdNanos && to.exponent <= from.exponent

/** What a missing value may be taken for, in US dollars. */
const completions = ({ classes }: Numbers): ReadonlyArray<number> =>
  actionClasses.flatMap((name) => {
    const { ceilings, references } = classes[name]
    return [references.production.usd, references.other.usd, ceilings.usd]
  })

/** Through an amount of its currency, which rounds up. */
const worth = (usd: number, currency: Currency): number =>
  usd === 0 ? 0 : toUsdCents(fromUsd(usd, currency), currency)

interface Money {
  readonly numbers: Numbers
  readonly currencies: Currencies
}

const missing = "a missing currency"

/** An unknown or missing currency counts as the dearest. */
const rateOf = ({ dearest, table }: Currencies, code: string): Currency | undefined =>
  table.get(code) ?? table.get(dearest)

const isCheaper = (code: string, from: Money, to: Money): boolean => {
  const [was, is] = [rateOf(from.currencies, code), rateOf(to.currencies, code)]
  if (was === undefined || is === undefined || !isAsDear(was, is)) return true
  const after = completions(to.numbers)
  return completions(from.numbers).some((usd, i) => worth(after[i] ?? 0, is) < worth(usd, was))
}

/** A currency that was not known before no longer is a missing one, however dear. */
export const cheaperCurrencies = (from: Money, to: Money): ReadonlyArray<string> => {
  const known = from.currencies.table
  const added = [...to.currencies.table.keys()].filter((code) => !known.has(code))
  return [...added, ...[...known.keys(), missing].filter((code) => isCheaper(code, from, to))]
}

/** What was spent before counts for more by these, so that what is spent now stands out less beside it. */
export const dearerCurrencies = (from: Money, to: Money): ReadonlyArray<string> =>
  [...from.currencies.table.keys(), missing].filter((code) => {
    const [was, is] = [rateOf(from.currencies, code), rateOf(to.currencies, code)]
    return was !== undefined && is !== undefined && !isAsDear(is, was)
  })

export const isSameMoney = ({ currencies: a }: Money, { currencies: b }: Money): boolean =>
  a.dearest === b.dearest &&
  a.table.size === b.table.size &&
  [...a.table].every(([code, { exponent, usdNanos }]) => {
    const other = b.table.get(code)
    return other?.exponent === exponent && other.usdNanos === usdNanos
  })
