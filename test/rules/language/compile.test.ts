import { describe, expect, it } from "vitest"
import type { Severity } from "../../../src/domain/Opinion.ts"
import { type Condition, factKind, type FactorRule } from "../../../src/rules/language/Rule.ts"
import { compileRules } from "../../../src/rules/language/compile.ts"
import { boundaryFacts } from "../../../src/rules/language/verify.ts"
import { factKinds, type FactName, type Facts } from "../../../src/scoring/Facts.ts"

const rule = (condition: Condition, severity: Severity = "low", hazardBp = 0): FactorRule => ({
  name: severity,
  condition,
  match: { code: "A", category: "volume", severity, message: "", recommendations: [], hazardBp }
})

const quiet = boundaryFacts({ fact: "data_store", operator: "equal", value: false })[0]

const facts = (differing: Partial<Facts>): Facts => {
  if (quiet === undefined) throw new Error("there are facts around every boundary")
  return { ...quiet, ...differing }
}

const severityOf = (rules: ReadonlyArray<FactorRule>, differing: Partial<Facts>) =>
  compileRules({ factors: rules, typologies: [] })(facts(differing)).factors[0]?.severity ?? "none"

const factNames = Object.keys(factKinds).filter((name): name is FactName => name in factKinds)

describe("compiled rules", () => {
  it.each(factNames)("test %s on its own value and no other", (fact) => {
    const { kind, ...rest } = factKind(fact)
    const atom: Condition =
      kind === "count" || kind === "rank"
        ? { fact, operator: "greaterThan", value: 0 }
        : { fact, operator: "notEqual", value: facts({})[fact] as string | boolean }
    const others = factNames.filter((name) => name !== fact)
    const raised = (name: FactName): Partial<Facts> => {
      const { kind } = factKind(name)
      if (kind === "flag") return { [name]: true }
      if (kind === "text") return { [name]: "other.pay" }
      return { [name]: kind === "name" ? "unknown" : 1 }
    }
    const nameOf = "names" in rest ? rest.names.at(-1) : undefined
    expect(severityOf([rule(atom)], nameOf === undefined ? raised(fact) : { [fact]: nameOf })).toBe("low")
    expect(others.filter((other) => severityOf([rule(atom)], raised(other)) !== "none")).toEqual([])
  })

  it("give the highest severity that matches, with that rule's hazard", () => {
    const atLeast = (value: number): Condition => ({
      all: [{ fact: "entities_affected", operator: "greaterThanInclusive", value }]
    })
    const rules = [
      rule(atLeast(10), "moderate", 1),
      rule(atLeast(1_000), "critical", 9),
      rule(atLeast(100), "high", 5)
    ]
    const matched = (entities_affected: number) =>
      compileRules({ factors: rules, typologies: [] })(facts({ entities_affected })).factors.map(
        ({ hazardBp, severity }) => [severity, hazardBp]
      )
    expect([9, 10, 99, 100, 999, 1_000].map(matched)).toEqual([
      [],
      [["moderate", 1]],
      [["moderate", 1]],
      [["high", 5]],
      [["high", 5]],
      [["critical", 9]]
    ])
  })

  it("with equal severity give the larger hazard, whatever their order", () => {
    const always: Condition = { all: [{ fact: "data_store", operator: "equal", value: false }] }
    const rules = [rule(always, "high", 1), rule(always, "high", 7)]
    for (const factors of [rules, rules.toReversed()]) {
      expect(
        compileRules({ factors, typologies: [] })(facts({})).factors.map((match) => match.hazardBp)
      ).toEqual([7])
    }
  })

  it("give the same result whatever the order of a record's keys", () => {
    const condition: Condition = { all: [{ fact: "admin_named", operator: "equal", value: true }] }
    const turned = Object.fromEntries(
      Object.entries(facts({ admin_named: true })).toReversed()
    ) as unknown as Facts
    expect(compileRules({ factors: [rule(condition)], typologies: [] })(turned).factors).toHaveLength(1)
  })
})
