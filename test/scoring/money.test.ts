import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromUsd, makeCurrency, toUsdCents } from "../../src/scoring/money.ts"
import { tries } from "../support/depth.ts"

const usd = makeCurrency(2, 1_000_000_000n)
const jpy = makeCurrency(0, 6_600_000n)
const kwd = makeCurrency(3, 3_260_000_000n)

describe("money", () => {
  it("is exact to the minor unit and rounds the rest up", () => {
    expect(toUsdCents(0.1 + 0.2, usd)).toBe(31)
    expect(toUsdCents(0.3, usd)).toBe(30)
    expect(toUsdCents(1e-7, usd)).toBe(1)
    expect(toUsdCents(10.5, jpy)).toBe(8)
    expect(toUsdCents(1.0005, kwd)).toBe(327)
  })

  it("whole dollars are a hundred cents each", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), (dollars) => {
        expect(toUsdCents(dollars, usd)).toBe(dollars * 100)
      })
    )
  })

  it("an everyday amount is worth what its digits say", () => {
    const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b
    fc.assert(
      fc.property(
        fc.nat(10 ** 7),
        fc.nat(99_999),
        fc.constantFrom(usd, jpy, kwd),
        (whole, hundredThousandths, currency) => {
          const text = `${whole}.${String(hundredThousandths).padStart(5, "0")}`
          const minor = ceilDiv(BigInt(text.replace(".", "")), 10n ** BigInt(5 - currency.exponent))
          const cents = ceilDiv(minor * currency.usdNanos, 10n ** BigInt(currency.exponent) * 10_000_000n)
          expect(toUsdCents(Number(text), currency)).toBe(Number(cents))
        }
      ),
      { numRuns: tries(20_000) }
    )
  })

  it("the largest number a body can carry is capped, not overflowed", () => {
    expect(toUsdCents(Number.MAX_VALUE, usd)).toBe(10 ** 13)
  })

  it("a larger value is never worth less", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, noNaN: true }),
        fc.double({ min: 0, noNaN: true }),
        fc.constantFrom(usd, jpy, kwd),
        (a, b, currency) => {
          fc.pre(Number.isFinite(a) && Number.isFinite(b))
          const [low, high] = a <= b ? [a, b] : [b, a]
          expect(toUsdCents(low, currency)).toBeLessThanOrEqual(toUsdCents(high, currency))
        }
      )
    )
  })

  it("an amount taken from dollars is worth at least those dollars, and one minor unit less is not", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 7 }),
        fc.constantFrom(usd, jpy, kwd),
        (dollars, currency) => {
          const amount = fromUsd(dollars, currency)
          const minor = 1 / 10 ** currency.exponent
          expect(toUsdCents(amount, currency)).toBeGreaterThanOrEqual(dollars * 100)
          const less = Number((amount - minor).toFixed(currency.exponent))
          const nanos = BigInt(Math.round(less * 10 ** currency.exponent)) * currency.usdNanos
          expect(nanos < BigInt(dollars) * 1_000_000_000n * 10n ** BigInt(currency.exponent)).toBe(true)
        }
      )
    )
  })
})
