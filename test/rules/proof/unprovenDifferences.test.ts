/** A currency that is not listed as cheaper counts every amount for at least as much as before. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cheaperCurrencies } from "../../../src/rules/proof/unprovenDifferences.ts"
import type { Currency } from "../../../src/scoring/Model.ts"
import { makeCurrency, toUsdCents } from "../../../src/scoring/money.ts"
import { money } from "../../support/arbitrary/amounts.ts"
import { seed, tries } from "../../support/depth.ts"
import { workingBook } from "../../support/rulebooks.ts"

const { currencies, numbers } = workingBook.release.model

const rate: fc.Arbitrary<Currency> = fc
  .tuple(
    fc.constantFrom(0, 2, 3),
    fc.constantFrom(1n, 6_520_000n, 999_999_999n, 1_000_000_000n, 1_168_800_000n)
  )
  .map(([exponent, usdNanos]) => makeCurrency(exponent, usdNanos))

const dear = makeCurrency(2, 2_000_000_000n)

/** A table of one or two currencies. The first one counts for a missing currency. */
const withRate = (currency?: Currency) => ({
  numbers,
  currencies: {
    ...currencies,
    dearest: "XTS",
    cheapest: "XTS",
    table: new Map([["XTS", dear], ...(currency === undefined ? [] : [["EUR", currency] as const])])
  }
})

describe(`exchange rates (seed ${seed})`, () => {
  it("let no amount count for less, unless the currency is listed", () => {
    fc.assert(
      fc.property(rate, rate, money(), (was, is, amount) => {
        const named = cheaperCurrencies(withRate(was), withRate(is)).includes("EUR")
        const [before, after] = [toUsdCents(amount, was), toUsdCents(amount, is)]
        expect(named ? before : Math.max(before, after)).toBe(named ? before : after)
      }),
      { seed, numRuns: tries(2_000) }
    )
  })

  it("are listed if they fall, and only then", () => {
    const half = makeCurrency(2, 500_000_000n)
    const [whole, finer] = [makeCurrency(2, 1_000_000_000n), makeCurrency(3, 500_000_000n)]
    expect(cheaperCurrencies(withRate(half), withRate(whole))).toEqual([])
    expect(cheaperCurrencies(withRate(whole), withRate(half))).toEqual(["EUR"])
    // Amounts round up to a smaller unit, and so to less.
    expect(cheaperCurrencies(withRate(half), withRate(finer))).toEqual(["EUR"])
  })

  it("are listed if the currency was unknown before: it counted as the dearest one", () => {
    const euro = makeCurrency(2, 1_000_000_000n)
    expect(cheaperCurrencies(withRate(), withRate(euro))).toEqual(["EUR"])
    expect(cheaperCurrencies(withRate(euro), withRate())).toEqual([])
  })
})
