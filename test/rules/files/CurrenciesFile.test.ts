import * as dinero from "dinero.js/currencies"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import file from "../../../rules/currencies.json" with { type: "json" }
import { CurrenciesFile, toCurrencies } from "../../../src/rules/files/CurrenciesFile.ts"
import { decodeFile } from "../../../src/rules/files/decodeFile.ts"
import { packageRoot, readRuleTree } from "../../../src/rules/files/readTree.ts"
import { fromUsd, makeCurrency, toUsdCents } from "../../../src/scoring/money.ts"
import { read } from "../../support/read.ts"

const currencies = toCurrencies(
  read(Result.flatMap(readRuleTree(packageRoot), (files) => decodeFile(CurrenciesFile, files.currencies)))
)

/** Digits after the point. dinero.js counts the ariary and the ouguiya in fifths; ISO 4217 gives both two digits. */
const isoExponents = new Map<string, number>(
  Object.values(dinero).map(({ base, code, exponent }) => [code, base === 10 ? exponent : 2])
)

/** Priced in the table, although not used for payments. */
const units = Object.entries(file.currencies).flatMap(([code, row]) =>
  "not_circulating" in row ? [code] : []
)

/** Units of account, funds and test codes, and the lev, which gave way to the euro on 1 January 2026. */
const notCirculating = new Set("BGN BOV CHE CHW CLF COU MXV USN UYI UYW XAD".split(" "))

describe("the currency table", () => {
  it("has every circulating currency of ISO 4217, and also metals and units of account", () => {
    const circulating = [...isoExponents.keys()].filter((code) => !notCirculating.has(code))
    expect(units).toEqual("CLF XAG XAU XDR XPD XPT".split(" "))
    expect([...currencies.table.keys()].toSorted()).toEqual([...circulating, ...units].toSorted())
  })

  it("prices an ounce of gold above the dearest currency, and gold is not the dearest currency", () => {
    const cents = (code: string) => toUsdCents(1, currencies.table.get(code) ?? makeCurrency(0, 0n))
    expect(cents("XAU")).toBe(401_200)
    expect(cents("XAU")).toBeGreaterThan(cents(currencies.dearest))
  })

  it("has the exponents of ISO 4217, which gives none for metals and drawing rights", () => {
    const given = [...currencies.table].filter(([code]) => isoExponents.has(code))
    expect(given.map(([code, { exponent }]) => [code, exponent])).toEqual(
      given.map(([code]) => [code, isoExponents.get(code)])
    )
  })

  it("has the Kuwaiti dinar as dearest and the rial as cheapest circulating currency, and a date", () => {
    expect([currencies.dearest, currencies.cheapest, currencies.asOf]).toEqual(["KWD", "IRR", "2026-11-02"])
  })

  it("keeps pegs exact", () => {
    const nanos = (code: string) => currencies.table.get(code)?.usdNanos
    expect(nanos("USD")).toBe(1_000_000_000n)
    expect(nanos("NAD")).toBe(nanos("ZAR"))
    expect(nanos("XAF")).toBe(nanos("XOF"))
    expect(nanos("FKP")).toBe(nanos("GBP"))
  })

  it("never converts an amount back to less than it was", () => {
    for (const currency of currencies.table.values()) {
      expect(toUsdCents(fromUsd(1_000, currency), currency)).toBeGreaterThanOrEqual(100_000)
    }
  })
})
