import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { referencePolicies, referenceRules } from "../../../src/rules/language/reference.ts"
import { loadPolicySet } from "../../../src/rules/policies/loadPolicySet.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { model, rules } from "../../support/draft.ts"

describe("the reference evaluator", () => {
  it("gives overlapping runs the answers that each gets alone", async () => {
    const reference = referenceRules(rules)
    const many = factsFrom(1, 16)
    const alone = []
    for (const facts of many) alone.push(await reference(facts))
    expect(await Promise.all(many.map(reference))).toEqual(alone)
    expect(alone).toEqual(many.map(model.match))
  })

  it("agrees with the compiled policies of the starter set", async () => {
    const { policySet, rules } = loadPolicySet(packageRoot, "starter")
    for (const facts of factsFrom(2, 50)) {
      expect(await referencePolicies(rules)(facts)).toEqual(policySet.match(facts))
    }
  })

  it.each([
    ["is missing", undefined],
    ["is a numeric text", "1000"],
    ["is no number", Number.NaN]
  ])("refuses to run if a fact %s", async (_, value) => {
    const [facts] = factsFrom(3, 1)
    const broken = Object.assign({}, facts, { entities_affected: value })
    await expect(referenceRules(rules)(broken)).rejects.toThrow("`entities_affected`")
  })
})
