/** `rules/currencies.json`: the value of each currency's unit on one date. */

import { Schema, SchemaTransformation } from "effect"
import type { Currencies, Currency } from "../../scoring/Model.ts"
import { makeCurrency } from "../../scoring/money.ts"
import { fileStruct, IsoDate, Sentence } from "./vocabulary.ts"

const fractionDigits = 9

/** Dollars per unit as decimal text, such as `"1.0834"`, so that no floating-point number comes between the file and a score. */
const UsdPerUnit = Schema.String.check(
  Schema.isPattern(/^(0|[1-9]\d{0,5})(\.\d{1,9})?$/u, {
    message: "expected dollars per unit as a decimal string with at most 9 places"
  }),
  Schema.makeFilter((text: string) => /[1-9]/.test(text) || "expected a rate above zero")
)

const UsdNanos = UsdPerUnit.pipe(
  Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform({
      decode: (text: string) => {
        const [integer = "", fraction = ""] = text.split(".")
        return BigInt(integer + fraction.padEnd(fractionDigits, "0"))
      },
      encode: (nanos: bigint) => {
        const digits = nanos.toString().padStart(fractionDigits + 1, "0")
        const fraction = digits.slice(-fractionDigits).replace(/0+$/, "")
        return digits.slice(0, -fractionDigits) + (fraction === "" ? "" : `.${fraction}`)
      }
    })
  )
)

const CurrencyCode = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/u, { message: "expected an ISO 4217 code" })
)

const RowFile = fileStruct({
  exponent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
  usdPerUnit: UsdNanos,
  /** A metal or a unit of account: stated amounts are converted, but it is never assumed for a missing currency. */
  notCirculating: Schema.optionalKey(Schema.Literal(true))
})

export const CurrenciesFile = fileStruct({
  asOf: IsoDate,
  source: Sentence,
  currencies: Schema.Record(CurrencyCode, RowFile).check(
    Schema.makeFilter(
      (rows: Readonly<Record<string, { readonly usdPerUnit: bigint }>>) =>
        rows["USD"]?.usdPerUnit === 10n ** BigInt(fractionDigits) || "expected USD at exactly 1"
    )
  )
})

/** The table, and the dearest and cheapest currencies in circulation, which bound an amount without a currency. */
export const toCurrencies = (file: typeof CurrenciesFile.Type): Currencies => {
  const table = new Map<string, Currency>(
    Object.entries(file.currencies).map(([code, row]) => [code, makeCurrency(row.exponent, row.usdPerUnit)])
  )
  const ascending = Object.entries(file.currencies)
    .filter(([, row]) => row.notCirculating !== true)
    .toSorted(([, a], [, b]) => (a.usdPerUnit < b.usdPerUnit ? -1 : 1))
  return {
    asOf: file.asOf,
    table,
    dearest: ascending.at(-1)?.[0] ?? "USD",
    cheapest: ascending[0]?.[0] ?? "USD"
  }
}
