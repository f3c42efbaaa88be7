/** Money in whole US cents, exact to the minor unit and rounded up; no float takes part in a conversion. */

import type { Currency } from "./Model.ts"

const usdCentsPerNano = 10_000_000n
/** Every amount above this counts as this much: beyond all scales, and its products stay below 2^53. */
const amountCapUsdCents = 10n ** 13n

/** The powers that currencies and everyday decimals need. */
const powers = Array.from({ length: 25 }, (_, n) => 10n ** BigInt(n))

const pow10 = (n: number): bigint => powers[n] ?? 10n ** BigInt(n)

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** A finite number ≥ 0 in minor units of a currency, rounded up, from the shortest decimal that reads back as it. */
const toMinorUnits = (value: number, exponent: number): bigint => {
  const [mantissa = "0", power = "0"] = String(value).split("e")
  const [integer = "0", fraction = ""] = mantissa.split(".")
  const digits = BigInt(integer + fraction)
  const shift = exponent + Number(power) - fraction.length
  return shift >= 0 ? digits * pow10(shift) : ceilDiv(digits, pow10(-shift))
}

const minorUnitsToUsdCents = (minor: bigint, currency: Currency): number => {
  const cents = ceilDiv(minor * currency.usdNanos, pow10(currency.exponent) * usdCentsPerNano)
  return Number(cents < amountCapUsdCents ? cents : amountCapUsdCents)
}

/** `value` in units of `currency` as US cents, rounded up. */
export const toUsdCents = (value: number, currency: Currency): number =>
  minorUnitsToUsdCents(toMinorUnits(value, currency.exponent), currency)

/** The smallest amount of `currency`, as a number of its units, that is worth at least `usd` whole US dollars. */
export const fromUsd = (usd: number, currency: Currency): number => {
  const minor = ceilDiv(BigInt(usd) * 1_000_000_000n * pow10(currency.exponent), currency.usdNanos)
  const digits = minor.toString().padStart(currency.exponent + 1, "0")
  const split = digits.length - currency.exponent
  return Number(`${digits.slice(0, split)}.${digits.slice(split)}`)
}
