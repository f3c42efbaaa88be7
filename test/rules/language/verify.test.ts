import { describe, expect, it } from "vitest"
import { atomHolds, type Condition } from "../../../src/rules/language/Rule.ts"
import { compileRules } from "../../../src/rules/language/compile.ts"
import { boundaryFacts, verifyRules } from "../../../src/rules/language/verify.ts"
import { model, rules } from "../../support/draft.ts"

describe("verification at load", () => {
  it("finds no difference in the working rules, within 600 ms of processor time", async () => {
    await verifyRules(rules, model.match)
    const before = process.cpuUsage()
    expect(await verifyRules(rules, model.match)).toEqual([])
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(600)
  })

  it("names a threshold that the compiled side has off by one", async () => {
    const moved = rules.factors.map((rule) => {
      const text = JSON.stringify(rule)
      return rule.match.code === "HIGH_RECORD_COUNT"
        ? JSON.parse(text.replace('"value":10000}', '"value":10001}'))
        : rule
    })
    const match = compileRules({ ...rules, factors: moved })
    expect(await verifyRules(rules, match)).toContain("HIGH_RECORD_COUNT")
  })

  it.each(["DATA_DESTRUCTION", "ADMIN_PRIVILEGE", "sensitive-export-to-novel-destination"])(
    "names %s where the compiled side never matches it",
    async (code) => {
      const match: typeof model.match = (facts) => {
        const { factors, typologies } = model.match(facts)
        return {
          factors: factors.filter((factor) => factor.code !== code),
          typologies: typologies.filter(({ name }) => name !== code)
        }
      }
      expect(await verifyRules(rules, match)).toContain(code)
    }
  )
})

describe("facts around the boundaries", () => {
  const everyRule = [...rules.factors, ...rules.typologies].map(({ condition, name }) => ({
    condition,
    name
  }))

  const trueOf = (condition: Condition, facts: ReturnType<typeof boundaryFacts>[number]): boolean => {
    if ("all" in condition) return condition.all.every((term) => trueOf(term, facts))
    if ("any" in condition) return condition.any.some((term) => trueOf(term, facts))
    return atomHolds(condition, facts[condition.fact])
  }

  it.each(everyRule)("of $name make it hold and make it fail", ({ condition }) => {
    const outcomes = new Set(boundaryFacts(condition).map((facts) => trueOf(condition, facts)))
    expect(outcomes).toEqual(new Set([true, false]))
  })
})
