import * as dinero from "dinero.js/currencies"
import { describe, expect, it } from "vitest"
import { fromUsd, toUsdCents } from "../../src/scoring/money.ts"
import { model } from "../support/draft.ts"

const { currencies } = model

/** Digits after the point. dinero.js counts the ariary and the ouguiya in fifths; ISO 4217 gives both two digits. */
const isoExponents = new Map<string, number>(
  Object.values(dinero).map(({ base, code, exponent }) => [code, base === 10 ? exponent : 2])
)

/** Units of account, funds and test codes, and the lev, which gave way to the euro on 1 January 2026. */
const notCirculating = new Set("BGN BOV CHE CHW CLF COU MXV USN UYI UYW XAD".split(" "))

describe("the currency table", () => {
  it("has every circulating currency of ISO 4217 and no other", () => {
    const circulating = [...isoExponents.keys()].filter((code) => !notCirculating.has(code))
    expect([...currencies.table.keys()].toSorted()).toEqual(circulating.toSorted())
  })

  it("has the exponents of ISO 4217", () => {
    for (const [code, { exponent }] of currencies.table)
      expect([code, exponent]).toEqual([code, isoExponents.get(code)])
  })

  it("ends with the Kuwaiti dinar and the rial, and is dated", () => {
    expect([currencies.dearest, currencies.cheapest, currencies.asOf]).toEqual(["KWD", "IRR", "2026-11-02"])
  })

  it("keeps pegs exact", () => {
    const nanos = (code: string) => currencies.table.get(code)?.usdNanos
    expect(nanos("USD")).toBe(1_000_000_000n)
    expect(nanos("NAD")).toBe(nanos("ZAR"))
    expect(nanos("XAF")).toBe(nanos("XOF"))
    expect(nanos("FKP")).toBe(nanos("GBP"))
  })

  it("never shows an amount as worth less than it was made from", () => {
    for (const currency of currencies.table.values()) {
      expect(toUsdCents(fromUsd(1_000, currency), currency)).toBeGreaterThanOrEqual(100_000)
    }
  })
})
