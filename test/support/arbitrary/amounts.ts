/** Numbers at the thresholds of scales and rules: each threshold, one below, one above, nothing, and far too much. */

import fc from "fast-check"

const decades = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const around = (thresholds: ReadonlyArray<number>, step: number): ReadonlyArray<number> =>
  thresholds.flatMap((at) => [at, at - step, at + step])

/** Entities or records. */
export const count = (): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...around(decades, 1)) },
    { weight: 2, arbitrary: fc.nat(200) },
    { weight: 2, arbitrary: fc.nat(2_000_000) },
    { weight: 1, arbitrary: fc.maxSafeNat() }
  )

const dollars = [0.01, 1, 99.99, 100, 1_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000]

/** In units of some currency: whole and fractional, below a minor unit, and up to the largest number in JSON. */
export const money = (): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, ...dollars, ...around(dollars.slice(3), 0.01)) },
    { weight: 2, arbitrary: fc.nat(300_000_000).map((minor) => minor / 1_000) },
    { weight: 1, arbitrary: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }) }
  )

/** Known ones of every size and exponent, in any case, and unknown codes. */
export const currency = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant("USD") },
    { weight: 4, arbitrary: fc.constantFrom("EUR", "GBP", "JPY", "KWD", "IDR", "usd", "Eur", "CLF", "IRR") },
    { weight: 1, arbitrary: fc.constantFrom("XXX", "ZZZ", "qqq") }
  )

/** US cents, as history sums them. */
export const usdCents = (): fc.Arbitrary<number> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        0,
        ...around(
          dollars.slice(2).map((usd) => usd * 100),
          1
        )
      )
    },
    { weight: 1, arbitrary: fc.nat(2_000_000_000) }
  )
