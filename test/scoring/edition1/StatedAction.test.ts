import { describe, expect, it } from "vitest"
import type { Action } from "../../../src/domain/Action.ts"
import { snapshotOf } from "../../../src/rules/cases/Situation.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import { score } from "../../../src/scoring/edition1/score.ts"
import { edition, model } from "../../support/edition1.ts"

const { policySet } = loadPolicySet(packageRoot, "none")

const opinion = (fields: Partial<Action>) => {
  const request = { actionType: "user.update", environment: "production", ...fields } as const
  return score(request, snapshotOf({ request }, edition), model, policySet)
}

describe("a name that shows nothing", () => {
  it.each(["", "  ", "\u200b", " \u2060\u00ad "])("%j as agent is no agent", (agentId) => {
    expect(opinion({ agentId })).toEqual(opinion({}))
  })

  it.each(["", "\t", "\u200b"])("%j as destination is no destination", (destination) => {
    const actionType = "contacts.export"
    expect(opinion({ actionType, destination })).toEqual(opinion({ actionType }))
  })
})

describe("a verb that touches one thing", () => {
  it("is taken to touch many where the target names everything", () => {
    const one = opinion({ actionType: "user.delete" })
    const all = opinion({ actionType: "user.delete", targetResource: "*" })
    const assumed = (field: string, { assumptions }: typeof one) =>
      assumptions.find((assumption) => assumption.field === field)?.assumed
    expect(assumed("entities_affected", one)).toBe(1)
    expect(assumed("entities_affected", all)).toBe(1_000)
    expect(all.actionRisk.range.high).toBeGreaterThan(one.actionRisk.range.high)
  })
})

describe("records without entities", () => {
  it("contradict each other for every class but read, and count as many entities as records", () => {
    const claim = { actionType: "role.grant", entitiesAffected: 0, recordsAffected: 5_000 }
    const codes = opinion(claim).riskFactors.map(({ code }) => code)
    expect(codes).toContain("CONTRADICTORY_INPUT")
    expect(codes).toContain("HIGH_ENTITY_COUNT")
  })
})

describe("a distinct action", () => {
  const of = (fields: Partial<Action>) =>
    edition.historyRecord({
      actionType: "contacts.export",
      environment: "production",
      destination: "https://a.example/x",
      ...fields
    }).canonicalForm

  it.each<[string, Partial<Action>, Partial<Action>]>([
    ["the case of a currency", { currency: "USD" }, { currency: "usd" }],
    ["saying unknown", {}, { dataClassification: "unknown", reversibility: "unknown" }],
    ["a query in the destination", {}, { destination: "HTTPS://A.example/x?again=1" }],
    ["blanks around the agent", { agentId: "a" }, { agentId: " a\u200b " }],
    ["another spelling of the action type", {}, { actionType: "Export-Contacts" }],
    ["metadata, context and description", {}, { metadata: { a: 1 }, context: {}, actionDescription: "x" }]
  ])("is the same whatever %s", (_, one, other) => {
    expect(of(other)).toBe(of(one))
  })

  it("is another with another count", () => {
    expect(of({ entitiesAffected: 2 })).not.toBe(of({ entitiesAffected: 1 }))
  })
})
