/** Money in whole US cents, exact to the minor unit and rounded up. Conversions never use the fractional part of a float. */

import type { Currency, Rate } from "./Model.ts"

/** US cents in a US dollar. */
export const centsPerUsd = 100
const usdCentsPerNano = 10_000_000n
/** Larger amounts are capped to this. It is above every scale, and products with it stay below 2^53. */
const amountCapUsdCents = 10n ** 13n

/** The powers of ten that currencies and common decimals need. */
const powers = Array.from({ length: 25 }, (_, n) => 10n ** BigInt(n))

const pow10 = (n: number): bigint => powers[n] ?? 10n ** BigInt(n)

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/**
 * Converts a finite number ≥ 0 to minor units of a currency, rounded up. Its exact value is taken to be the shortest decimal that parses to
 * the number.
 */
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

/** Minor units per unit, indexed by the currency's exponent. */
const minorPerUnit = powers.slice(0, 5).map(Number)
/** Decimals with at most this many digits are unambiguous: no two of them parse to the same number. */
const minorMax = Number(pow10(15))

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))

const toRate = (exponent: number, usdNanos: bigint): Rate => {
  const nanos = pow10(exponent) * usdCentsPerNano
  const divisor = greatestDivisor(usdNanos, nanos)
  return {
    usdNanos: Number(usdNanos),
    scale: minorPerUnit[exponent] ?? 0,
    cents: Number(usdNanos / divisor),
    minor: Number(nanos / divisor)
  }
}

/** A currency with its rate computed in advance, because an opinion converts many amounts. */
export const makeCurrency = (exponent: number, usdNanos: bigint): Currency => ({
  exponent,
  usdNanos,
  rate: toRate(exponent, usdNanos)
})

/**
 * US cents of an everyday amount, without BigInt. Null if an intermediate result would reach 2^53. If `minor / scale` gives the amount
 * back, `minor` is exact, because no other decimal with so few digits parses to the same number.
 */
const everydayUsdCents = (value: number, rate: Rate): number | null => {
  const minor = Math.round(value * rate.scale)
  if (minor >= minorMax || minor / rate.scale !== value) return null
  const part = minor * rate.cents
  return part <= Number.MAX_SAFE_INTEGER ? Math.min(amountCap, Math.ceil(part / rate.minor)) : null
}

const amountCap = Number(amountCapUsdCents)
/** Twice the cap, in billionths of a cent. A rounded product this large is above the cap in exact arithmetic too. */
const surelyCappedNanos = 2 * Number(amountCapUsdCents * usdCentsPerNano)

/** `value` in units of `currency` as US cents, rounded up. */
export const toUsdCents = (value: number, currency: Currency): number => {
  const { rate } = currency
  if (value * rate.usdNanos >= surelyCappedNanos) return amountCap
  return (
    everydayUsdCents(value, rate) ?? minorUnitsToUsdCents(toMinorUnits(value, currency.exponent), currency)
  )
}

const usdNanosOfUsd = 1_000_000_000n

/** The smallest amount of `currency`, in its units, that is worth at least `usd` whole US dollars. */
export const fromUsd = (usd: number, currency: Currency): number => {
  if (usd === 0 || currency.usdNanos === usdNanosOfUsd) return usd
  const minor = ceilDiv(BigInt(usd) * usdNanosOfUsd * pow10(currency.exponent), currency.usdNanos)
  const digits = minor.toString().padStart(currency.exponent + 1, "0")
  const split = digits.length - currency.exponent
  return Number(`${digits.slice(0, split)}.${digits.slice(split)}`)
}
