/** Which of the factors that its rules raise an opinion reports, and which count without being reported. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { rules } from "../../support/draft.ts"
import { destinations, firstOpinionOn, opineAsked, opinionOn } from "../../support/opine.ts"

const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

const labelled: ReadonlyArray<Action> = readFileSync(join(packageRoot, "test/labels/calls.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const { request } = JSON.parse(line) as { readonly request: Record<string, unknown> }
    return Object.fromEntries(
      Object.entries(request).map(([key, value]) => [camelCase(key), value])
    ) as unknown as Action
  })

const subjects = new Map(rules.factors.map(({ match }) => [match.code, match.about]))

const tells = (action: Action, code: string) =>
  firstOpinionOn(action).riskFactors.find((factor) => factor.code === code)

describe("an opinion", () => {
  it("reports at most one factor about each subject, whatever the call", () => {
    const twice = labelled.filter((action) => {
      const told = firstOpinionOn(action).riskFactors.flatMap(({ code }) => subjects.get(code) ?? [])
      return new Set(told).size < told.length
    })
    expect(twice).toEqual([])
  })

  it("says `assumed` in every message that rests on an assumption", () => {
    const silent = labelled
      .flatMap((action) => firstOpinionOn(action).riskFactors)
      .filter(({ assumed, message }) => assumed === true && !/assumed/i.test(message))
    expect(silent).toEqual([])
  })

  it("gives recommendations for a factor that it does not report", () => {
    const action: Action = {
      actionType: "ticket.update",
      environment: "staging",
      reversibility: "irreversible"
    }
    const { recommendations, riskFactors } = opinionOn(action)
    const codes = riskFactors.map(({ code }) => code)
    expect(codes).toContain("IRREVERSIBLE_ACTION")
    expect(codes).not.toContain("DIFFICULT_TO_REVERSE")
    expect(recommendations).toContain("PREPARE_ROLLBACK_PLAN")
  })

  it("recommends stages for a mailing whose size it reports as recipients", () => {
    const { recommendedControl, riskFactors } = opinionOn({
      actionType: "email.send",
      environment: "production",
      entitiesAffected: 150,
      dataClassification: "public",
      destination: "customers"
    })
    expect(riskFactors.map(({ code }) => code)).not.toContain("HIGH_ENTITY_COUNT")
    expect(recommendedControl.type).toBe("STAGED_EXECUTION_RECOMMENDED")
  })

  it("reports no contradiction between statements that the caller did not make", () => {
    const publish: Action = {
      actionType: "Bash",
      environment: "development",
      targetResource: "npm publish"
    }
    const { riskFactors, recommendations } = firstOpinionOn(publish)
    expect(riskFactors.map(({ code }) => code)).not.toContain("CONTRADICTORY_INPUT")
    expect(recommendations).not.toContain("VERIFY_SCOPE")
    expect(tells({ ...publish, productionImpact: true }, "CONTRADICTORY_INPUT")).toMatchObject({
      severity: "moderate"
    })
  })

  it("gives one reason for a payment, however many typologies it matches", () => {
    const { recommendedControl } = opinionOn(
      {
        actionType: "payouts.create",
        environment: "production",
        financialValue: 250_000,
        currency: "USD",
        reversibility: "irreversible",
        destination: "First Meridian Bank"
      },
      destinations.novel
    )
    expect(recommendedControl.because).toEqual([
      "A value of 250,000 USD goes irreversibly to a destination that is not established."
    ])
  })

  it("reports a fault for an ordinary action too", () => {
    const { riskFactors } = opineAsked({
      action: { actionType: "ticket.get", environment: "staging" },
      behavior: "unavailable",
      policies: []
    })
    expect(riskFactors.map(({ code }) => code)).toContain("ASSESSMENT_DEGRADED")
  })

  it.each([
    ["USD", 250_000, "The amount is 250,000 USD."],
    ["EUR", 250_000, /^The amount is 250,000 EUR \([\d,.]+ USD\)\.$/],
    ["XXQ", 250_000, /^The amount is 250,000 in an unknown currency \(at most [\d,.]+ USD\)\.$/]
  ])("gives an amount in %s as the caller stated it", (currency, financialValue, message) => {
    const told = tells(
      { actionType: "invoice.pay", environment: "production", financialValue, currency },
      "HIGH_FINANCIAL_VALUE"
    )
    expect(told?.message).toMatch(message)
  })

  it("names no currency other than US dollars for an unstated amount", () => {
    const opinion = firstOpinionOn({ actionType: "invoice.pay", environment: "staging", recordsAffected: 1 })
    expect(JSON.stringify(opinion)).not.toMatch(/KWD/)
  })
})

describe("the summary", () => {
  it.each<readonly [string, Action, string]>([
    [
      "who wants to do what to what, where, how much and to whom, the level and the main reason",
      {
        actionType: "invoice.pay",
        environment: "production",
        agentId: "payer",
        targetSystem: "bank",
        targetResource: "invoice 9",
        financialValue: 250_000,
        currency: "EUR",
        destination: "acme",
        reversibility: "irreversible"
      },
      "“payer” wants to pay invoice (“invoice 9”) on “bank” in production, 250,000 EUR, to “acme”. Action risk is critical ("
    ],
    [
      "nothing of an ordinary action but what it is",
      { actionType: "list_issues", environment: "sandbox", agentId: "triage" },
      "“triage” wants to list issues in a sandbox. Action risk is low ("
    ]
  ])("tells %s", (_name, action, start) => {
    expect(opinionOn(action).summary.slice(0, start.length)).toBe(start)
  })

  it("gives the kind of the action as the reason where nothing else explains the level", () => {
    const { summary } = opinionOn({
      actionType: "contact.delete",
      environment: "production",
      agentId: "crm-bot"
    })
    expect(summary).toContain(
      "By its kind alone, such an action deserves a quick confirmation in production."
    )
  })

  it("says from which amount on a payment would be worse, and of no other action", () => {
    const payment = firstOpinionOn({ actionType: "invoice.pay", environment: "production" })
    const reading = firstOpinionOn({ actionType: "list_issues", environment: "production" })
    expect(payment.summary).toMatch(/It would be critical from [\d,]+ on without a known currency\./)
    expect(reading.summary).not.toContain("money")
  })
})

describe("a low answer", () => {
  it.each([
    { actionType: "initiate_wire_transfer", environment: "sandbox", targetSystem: "mercury-sandbox" },
    { actionType: "docusign.createEnvelope", environment: "staging" },
    { actionType: "delete_entities", environment: "development" },
    { actionType: "ec2:TerminateInstances", environment: "sandbox" }
  ] as const)(
    "asks no person because of unstated fields, nor because of its reach where nothing is live: %j",
    (action) => {
      const { actionRisk, recommendedControl, riskFactors } = firstOpinionOn(action)
      expect(actionRisk.level).toBe("low")
      expect(recommendedControl.type).not.toMatch(/^HUMAN|^SECOND/)
      expect(riskFactors.filter(({ assumed }) => assumed === true)).toEqual([])
    }
  )

  it.each([
    [{ actionType: "create_payout", environment: "production" }, "NOVEL_DESTINATION"],
    [{ actionType: "send_email", environment: "staging", targetResource: "*" }, "UNBOUNDED_SCOPE"]
  ] as const)("still asks about what is grave, or has no staging: %j", (call, code) => {
    const small = { ...call, financialValue: 45, currency: "USD", agentId: "payer" }
    const { actionRisk, recommendedControl, riskFactors } = firstOpinionOn(small)
    expect(actionRisk.level).toBe("low")
    expect(recommendedControl.type).toBe("HUMAN_CONFIRMATION_RECOMMENDED")
    expect(riskFactors.find((factor) => factor.code === code)?.severity).toBe("high")
  })

  it("asks a person about four in a hundred at most, of all labelled calls", () => {
    const low = labelled.map(firstOpinionOn).filter(({ actionRisk }) => actionRisk.level === "low")
    const asking = low.filter(({ recommendedControl: { type } }) => /^HUMAN|^SECOND/.test(type))
    expect(low.length).toBeGreaterThan(300)
    expect(asking.length / low.length).toBeLessThanOrEqual(0.04)
  })
})
