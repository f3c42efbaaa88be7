/** Calls that the oracle answered differently from the scorer, each with the answer that the design gives. */

import { describe, expect, it } from "vitest"
import type { Action } from "../../src/domain/Action.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import type { Reading } from "../../src/scoring/reading/readCall.ts"
import { destinations, firstOpinionOn, noHistory, opineAs, opineAsked, opinionOn } from "../support/opine.ts"

const settled = { ...noHistory, sampleSize: 50, actionTypeSeen: true, agentSeen: true }

const reading: Reading = {
  by: "name",
  provider: undefined,
  verb: "pay",
  object: "payee",
  type: "payee.pay",
  class: "transact",
  others: [],
  impact: "moderate",
  extent: "single",
  holds: "internal",
  kind: "record",
  anywhere: false,
  remote: false,
  credential: false,
  weakens: false,
  soft: false,
  admin: false,
  hinted: false,
  hosted: false,
  everything: false,
  takesCommand: false,
  unread: false,
  alsoExports: false,
  contradicted: false,
  environment: "production"
}

const readAs = (words: Partial<Reading>, stated: Partial<Action> = {}): Opinion =>
  opineAs(
    {
      action: { actionType: "payee.pay", environment: "production", agentId: "agent-7", ...stated },
      behavior: settled,
      policies: []
    },
    { ...reading, ...words }
  )

const assumedIn = ({ assumptions }: Opinion, field: string) =>
  assumptions.find((one) => one.field === field)?.assumed

const boundsIn = ({ missingInformation }: Opinion, field: string) =>
  missingInformation.find((one) => one.field === field)

describe("counts keep their proportion", () => {
  it("in whole numbers: eleven of five things with 25 records have 55, and not 56", () => {
    expect(assumedIn(readAs({ extent: "list" }, { entitiesAffected: 11 }), "records_affected")).toBe(55)
  })

  it("and never exceed the largest count", () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(assumedIn(readAs({ extent: "everything" }, { entitiesAffected: most }), "records_affected")).toBe(
      most
    )
  })
})

describe("the mildest plausible count together with a stated one", () => {
  it("is never a zero, which would contradict that one and count as much", () => {
    const words = { class: "delete", extent: "everything", holds: "confidential" } as const
    const rangeFrom = (recordsAffected: number): number =>
      readAs(words, { recordsAffected }).actionRisk.range.low
    const fullyStated = readAs(words, { recordsAffected: 100, entitiesAffected: 1 })
    expect(rangeFrom(100)).toBe(fullyStated.actionRisk.range.low)
    expect(rangeFrom(100)).toBeLessThanOrEqual(rangeFrom(99_999))
  })
})

describe("an assumed reversibility", () => {
  it("is never easier than the class allows, so that stating it contradicts nothing", () => {
    const words = { class: "export", soft: true } as const
    const left = readAs(words)
    expect(assumedIn(left, "reversibility")).toBe("partially_reversible")
    const { actionRisk, riskFactors } = readAs(words, { reversibility: "partially_reversible" })
    expect(actionRisk.score).toBe(left.actionRisk.score)
    expect(riskFactors.map(({ code }) => code)).not.toContain("REVERSIBILITY_CLAIM_INCONSISTENT")
  })
})

describe("the amount at which the next level begins", () => {
  const paying = (stated: Partial<Action>): Opinion =>
    opineAs(
      {
        action: {
          actionType: "payee.pay",
          environment: "development",
          reversibility: "irreversible",
          destination: "new-payee",
          ...stated
        },
        behavior: { ...settled, destination: destinations.novel },
        policies: []
      },
      { ...reading, environment: "development" }
    )
  const levelAt = (financialValue: number): string =>
    paying({ financialValue, currency: "USD" }).actionRisk.level
  const from = (currency: string): unknown => boundsIn(paying({ currency }), "financial_value")?.higher?.from

  it("is the amount of the rule, and not the next smaller figure of two digits", () => {
    expect([levelAt(99_999.99), levelAt(100_000)]).toEqual(["low", "critical"])
    expect(from("USD")).toBe(100_000)
  })

  it("is exact in a currency without minor units too", () => {
    expect(from("JPY")).toBe(15_000_000)
  })
})

describe("history that could not be read", () => {
  const opinion = opineAsked({
    action: { actionType: "list_issues", environment: "production" },
    behavior: "unavailable",
    policies: []
  })

  it("is told as a fault and not as an assumption, of an ordinary read too", () => {
    expect(opinion.riskFactors[0]).toMatchObject({ code: "ASSESSMENT_DEGRADED", severity: "high" })
    expect(opinion.riskFactors[0]).not.toHaveProperty("assumed")
  })

  it("recommends to escalate, and gives the fault as the reason", () => {
    expect(opinion.recommendations).toContain("ESCALATE_TO_HUMAN")
    expect(opinion.recommendedControl.because[0]).toBe(opinion.riskFactors[0]?.message)
  })
})

describe("a destination that is not stated", () => {
  const action: Action = {
    actionType: "export_contacts",
    environment: "sandbox",
    agentId: "agent-7",
    dataClassification: "confidential"
  }
  /** All that a destination can say of an export, by itself and together. */
  const said = ["everyone", "a journalist", "alice@gmail.com", "anyone with the link"]
  const names = ["named", ...said, said.join(", ")].flatMap((name) => [name, `prod ${name}`])
  const scoresTo = (destination: (typeof destinations)[keyof typeof destinations]): ReadonlyArray<number> =>
    names.map((name) => opinionOn({ ...action, destination: name }, destination).actionRisk.score)

  it("could raise to what the worst real one would give, and lower to what the best would", () => {
    const warmedUpAndAlike = {
      ...destinations.warmedUp,
      lookalike: true,
      largestEntities: 0,
      largestUsdCents: 0
    }
    const scores = [...Object.values(destinations), warmedUpAndAlike].flatMap(scoresTo)
    expect(boundsIn(opinionOn(action), "destination")).toMatchObject({
      couldRaiseTo: Math.max(...scores),
      couldLowerTo: Math.min(...scores)
    })
  })

  it("moves nothing merely by its name where there is no history, because any would be new", () => {
    const opinion = firstOpinionOn(action)
    const behavior = { ...noHistory, destination: destinations.novel }
    const scoreTo = (destination: string) =>
      opineAsked({ action: { ...action, destination }, behavior, policies: [] }).actionRisk.score
    expect(scoreTo("named")).toBe(opinion.actionRisk.score)
    expect(boundsIn(opinion, "destination")).toMatchObject({
      couldRaiseTo: Math.max(...names.map(scoreTo)),
      couldLowerTo: opinion.actionRisk.score
    })
  })
})

describe("a currency that is not stated", () => {
  it("could be gold, which is dearer than any that circulates", () => {
    const stated = { financialValue: 300, destination: "new-payee" }
    const bounds = boundsIn(readAs({}, stated), "currency")
    expect(bounds?.couldRaiseTo).toBe(readAs({}, { ...stated, currency: "XAU" }).actionRisk.score)
    expect(bounds?.couldLowerTo).toBe(readAs({}, { ...stated, currency: "IRR" }).actionRisk.score)
  })
})

describe("a small act that a person is asked to look at", () => {
  it("tells what it rests on, because the level does", () => {
    const opinion = firstOpinionOn({
      actionType: "Microsoft.Resources/subscriptions/resourceGroups/exportTemplate/action",
      environment: "production",
      targetSystem: "azure"
    })
    const told = opinion.riskFactors.flatMap(({ assumed, code }) => (assumed === true ? [code] : []))
    expect([opinion.reading.impact, opinion.actionRisk.level]).toEqual(["low", "moderate"])
    expect(told).toContain("SENSITIVE_DATA_EXPORT")
  })

  it("tells no assumption where no person is asked", () => {
    const { actionRisk, riskFactors } = firstOpinionOn({
      actionType: "chat.postMessage",
      environment: "production"
    })
    expect(actionRisk.level).toBe("low")
    expect(riskFactors.filter(({ assumed }) => assumed === true)).toEqual([])
  })
})
