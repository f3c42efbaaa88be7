/** Exact money: decimal strings, whole minor units and US cents, by the dated table of the rules. */

import file from "../../rules/currencies.json" with { type: "json" }

const currencies: Readonly<
  Record<string, { exponent: number; usd_per_unit: string; not_circulating?: boolean }>
> = file.currencies

/** `numerator / 10^digits` as a decimal number is written in JSON, exponents included. */
const fractionOf = (decimal: string): { numerator: bigint; digits: number } => {
  const [mantissa = "0", exponent = "0"] = decimal.toLowerCase().split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  const digits = fraction.length - Number(exponent)
  const numerator = BigInt(whole + fraction)
  return digits < 0 ? { numerator: numerator * 10n ** BigInt(-digits), digits: 0 } : { numerator, digits }
}

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

const priced = Object.entries(currencies).map(([code, { exponent, not_circulating, usd_per_unit }]) => ({
  code,
  circulates: not_circulating !== true,
  minorDigits: exponent,
  usd: fractionOf(usd_per_unit)
}))
type Row = (typeof priced)[number]
const byWorth = priced.toSorted((a, b) => {
  const difference =
    a.usd.numerator * 10n ** BigInt(b.usd.digits) - b.usd.numerator * 10n ** BigInt(a.usd.digits)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
})
const circulating = byWorth.filter(({ circulates }) => circulates)
const dearest = circulating.at(-1)
if (dearest === undefined) throw new Error("the currency table is empty")

/** Every currency that can be stated, the cheapest first. */
export const codesByWorth = byWorth.map(({ code }) => code)
export const dearestCode = dearest.code

const rows = new Map(priced.map((row) => [row.code, row]))
const find = (code: string | undefined) => (code === undefined ? undefined : rows.get(code.toUpperCase()))
export const isKnownCurrency = (code: string | undefined): boolean => find(code) !== undefined
/** Digits after the decimal point. */
export const minorDigitsOf = (code: string | undefined): number => (find(code) ?? dearest).minorDigits

/** Larger amounts count as this one: a hundred thousand million dollars. */
const centsMax = 10n ** 13n

const convert = (decimal: string, { usd, minorDigits }: Row): number => {
  const amount = fractionOf(decimal)
  const minor = ceilDivide(amount.numerator * 10n ** BigInt(minorDigits), 10n ** BigInt(amount.digits))
  const cents = ceilDivide(100n * minor * usd.numerator, 10n ** BigInt(minorDigits + usd.digits))
  return Number(cents < centsMax ? cents : centsMax)
}

/** One question converts the same amount dozens of times. */
const converted = new Map<string, number>()

/** US cents that `decimal` of a currency, or else of the dearest, is worth: up to its minor unit, then up to the cent. */
export const usdCentsOf = (decimal: string, code: string | undefined): number => {
  const row = find(code) ?? dearest
  const name = `${decimal} ${row.code}`
  const known = converted.get(name) ?? convert(decimal, row)
  converted.set(name, known)
  return known
}

/** The smallest amount in whole minor units that is worth at least so many US dollars. */
export const amountWorth = (dollars: number, code: string | undefined): string => {
  if (dollars === 0) return "0"
  const { usd, minorDigits } = find(code) ?? dearest
  const minor = ceilDivide(BigInt(dollars) * 10n ** BigInt(minorDigits + usd.digits), usd.numerator)
  return minorDigits === 0 ? String(minor) : `${minor}e-${minorDigits}`
}
