import { describe, expect, it } from "vitest"
import { renderMessage } from "../../src/scoring/renderMessage.ts"
import { plainFacts } from "../support/plainFacts.ts"

describe("renderMessage", () => {
  it("groups counts by thousands", () => {
    const facts = plainFacts({ entities_affected: 1_234_567 })
    expect(renderMessage("It affects {entities_affected} entities.", facts)).toBe(
      "It affects 1,234,567 entities."
    )
  })

  it("writes money as people do", () => {
    const inUsd = (cents: number) =>
      renderMessage("{financial_value_usd_cents}", plainFacts({ financial_value_usd_cents: cents }))
    expect([25_000_000, 100_050, 1].map(inUsd)).toEqual(["250,000 USD", "1,000.50 USD", "0.01 USD"])
  })

  it("writes multipliers as decimals and ranks as words", () => {
    const facts = plainFacts({ velocity_multiplier_x100: 350, reversibility_rank: 3 })
    expect(renderMessage("{velocity_multiplier_x100} times, {reversibility_rank}", facts)).toBe(
      "3.5 times, difficult to reverse"
    )
  })

  it("says that an unstated figure is assumed", () => {
    const facts = plainFacts({ entities_affected: 1_000, entities_missing: true })
    expect(renderMessage("It affects {entities_affected} entities.", facts)).toBe(
      "It affects an assumed 1,000 entities."
    )
  })

  it("groups from the first thousand on", () => {
    const said = (count: number) =>
      renderMessage("{records_affected}", plainFacts({ records_affected: count }))
    expect([0, 999, 1_000, 99_999, 100_000, Number.MAX_SAFE_INTEGER].map(said)).toEqual([
      "0",
      "999",
      "1,000",
      "99,999",
      "100,000",
      "9,007,199,254,740,991"
    ])
  })

  it("leaves braces that name no fact as they are", () => {
    const facts = plainFacts({ entities_affected: 7 })
    expect(renderMessage("{no} {} { {x{entities_affected}} {entities_affected", facts)).toBe(
      "{no} {} { {x7} {entities_affected"
    )
    expect(renderMessage("never closed: {entities_affected.", facts)).toBe(
      "never closed: {entities_affected."
    )
  })
})
