import { describe, expect, it } from "vitest"
import type { ActionRiskLevel, FactorCategory, RiskFactor, Severity } from "../../../src/domain/Opinion.ts"
import type { PolicyRuleMatch, TypologyMatch } from "../../../src/scoring/Model.ts"
import { recommendControl } from "../../../src/scoring/edition1/control.ts"
import { plainFacts } from "../../support/plainFacts.ts"

const factor = (severity: Severity, category: FactorCategory = "data"): RiskFactor => ({
  code: `${severity}_${category}`.toUpperCase(),
  category,
  severity,
  message: `A ${severity} reason.`
})

const control = (
  level: ActionRiskLevel,
  factors: ReadonlyArray<RiskFactor> = [],
  more: {
    complete?: boolean
    confidencePercent?: number
    typologies?: ReadonlyArray<TypologyMatch>
    policies?: ReadonlyArray<PolicyRuleMatch>
  } = {}
) =>
  recommendControl({
    complete: more.complete ?? true,
    level,
    confidencePercent: more.confidencePercent ?? 90,
    sufficientPercent: 50,
    factors,
    evaluation: {
      facts: plainFacts(),
      matches: {
        rules: { factors: [], typologies: more.typologies ?? [] },
        policies: { matched: more.policies ?? [], incomplete: false }
      }
    }
  })

describe("the recommended control is the strongest that applies", () => {
  it.each([
    ["low, confident, nothing above low", control("low", [factor("low")]), "NO_ADDITIONAL_CONTROL", "low"],
    ["low with a moderate factor", control("low", [factor("moderate")]), "ENHANCED_LOGGING", "low"],
    [
      "low and not confident",
      control("low", [factor("moderate")], { confidencePercent: 49 }),
      "CONTEXT_COMPLETION",
      "moderate"
    ],
    [
      "moderate by volume",
      control("moderate", [factor("moderate", "volume")]),
      "STAGED_EXECUTION",
      "moderate"
    ],
    [
      "moderate by operations",
      control("moderate", [factor("moderate", "operational")]),
      "STAGED_EXECUTION",
      "moderate"
    ],
    ["moderate otherwise", control("moderate", [factor("moderate")]), "HUMAN_CONFIRMATION", "moderate"],
    [
      "moderate by volume with a high factor",
      control("moderate", [factor("high", "volume")]),
      "HUMAN_CONFIRMATION",
      "moderate"
    ],
    ["high", control("high", [factor("high")]), "HUMAN_REVIEW", "high"],
    ["any critical factor", control("high", [factor("critical")]), "SECONDARY_APPROVAL", "high"],
    [
      "a typology",
      control("high", [], { typologies: [{ name: "t", message: "A known pattern.", floor: 90 }] }),
      "SECONDARY_APPROVAL",
      "high"
    ],
    ["critical", control("critical", [factor("high")]), "SECONDARY_APPROVAL", "critical"],
    ["incomplete", control("critical", [], { complete: false }), "HUMAN_ESCALATION", "critical"]
  ] as const)("%s", (_, recommended, type, priority) => {
    expect(recommended.type).toBe(`${type}_RECOMMENDED`)
    expect(recommended.priority).toBe(priority)
  })

  it("a policy can ask for a stronger control and says so", () => {
    const asked = control("low", [], {
      policies: [
        {
          policy: "starter",
          rule: "four-eyes",
          effect: "require_control",
          control: "SECONDARY_APPROVAL_RECOMMENDED",
          recommendations: []
        }
      ]
    })
    expect(asked.type).toBe("SECONDARY_APPROVAL_RECOMMENDED")
    expect(asked.because).toEqual(["Policy starter, rule four-eyes, requires this control."])
  })

  it("a policy that asks for a weaker control changes nothing", () => {
    const asked = control("high", [factor("high")], {
      policies: [
        {
          policy: "starter",
          rule: "log",
          effect: "require_control",
          control: "ENHANCED_LOGGING_RECOMMENDED",
          recommendations: []
        }
      ]
    })
    expect(asked).toEqual(control("high", [factor("high")]))
  })
})

describe("because", () => {
  it("names the factors that forced the step, strongest first", () => {
    const grave = [factor("critical"), factor("high")]
    expect(control("critical", grave).because).toEqual(["A critical reason."])
    expect(control("high", [factor("high"), factor("moderate")]).because).toEqual(["A high reason."])
  })

  it("has at most five reasons", () => {
    const many = Array.from({ length: 9 }, () => factor("high"))
    expect(control("high", many).because).toHaveLength(5)
  })

  it("names level and confidence where no factor forced the step", () => {
    expect(control("moderate").because).toEqual(["Action risk is moderate at 90 % confidence."])
  })
})
