import { describe, expect, it } from "vitest"
import { didYouMean, nearestName } from "../../src/rules/nearestName.ts"
import { factKinds } from "../../src/scoring/Facts.ts"

describe("the nearest name", () => {
  it.each([
    ["entities_afected", "entities_affected"],
    ["entity_affected", "entities_affected"],
    ["enviroment", "environment"],
    ["acton_class", "action_class"],
    ["data_clasification_rank", "data_classification_rank"]
  ])("to %s is %s", (written, meant) => {
    expect(nearestName(written, Object.keys(factKinds))).toBe(meant)
  })

  it("counts two letters swapped as one mistake", () => {
    expect(nearestName("hihg", ["low", "moderate", "high", "critical"])).toBe("high")
    expect(nearestName("abcd", ["badc", "xbcx"])).toBe("badc")
  })

  it("may differ in case, and shares at least one letter", () => {
    expect(nearestName("ENTITIES_AFFECTED", Object.keys(factKinds))).toBe("entities_affected")
    expect(nearestName(">=", ["in", "equal"])).toBeUndefined()
  })

  it("does not exist if no name is near or the name is very long", () => {
    expect(nearestName("moon_phase", Object.keys(factKinds))).toBeUndefined()
    expect(nearestName("x".repeat(1_000_000), Object.keys(factKinds))).toBeUndefined()
    expect(didYouMean("moon_phase", [])).toEqual({ hint: "", suggested: {} })
  })
})
