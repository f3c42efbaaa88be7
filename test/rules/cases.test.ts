/** Every case that stands beside a factor, a typology or a policy rule holds through the whole score. */

import { describe, expect, it } from "vitest"
import type { Opinion } from "../../src/domain/Opinion.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import type { Model, PolicySet } from "../../src/scoring/Model.ts"
import { score } from "../../src/scoring/score.ts"
import { type Situation, snapshotOf } from "../../src/rules/cases.ts"
import { packageRoot } from "../../src/rules/packageRoot.ts"
import { listPolicySets, loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { readFactorCases, readMatchCases } from "../../src/rules/readCases.ts"
import { model, rules } from "../support/draft.ts"
import { read } from "../support/read.ts"

interface Case extends Situation {
  readonly fault?: "history" | "policy"
}

const faulty = (set: PolicySet): PolicySet => ({ ...set, match: () => ({ matched: [], incomplete: true }) })

const opinionOn = (one: Case, model: Model, policies: PolicySet): Opinion =>
  score(
    one.request,
    one.fault === "history" ? "unavailable" : snapshotOf(one, model),
    model,
    one.fault === "policy" ? faulty(policies) : policies
  )

const none = loadPolicySet(packageRoot, "none").policySet

/** The facts that the score itself asks about; the questions after the first are about its range. */
const factsOf = (one: Case): Facts => {
  const asked: Array<Facts> = []
  const match = (facts: Facts) => {
    asked.push(facts)
    return model.match(facts)
  }
  opinionOn(one, { ...model, match }, none)
  const [first] = asked
  if (first === undefined) throw new Error("a score asks its rules")
  return first
}

const factorCases = read(readFactorCases(packageRoot))
const typologyCases = read(readMatchCases(packageRoot, "rules/typologies"))

for (const { cases, of } of factorCases) {
  describe(`factor ${of}`, () => {
    for (const one of cases) {
      it(`${one.name}: ${one.expect}`, () => {
        const factor = opinionOn(one, model, none).riskFactors.find(({ code }) => code === of)
        expect(factor?.severity ?? "none").toBe(one.expect)
      })
    }
  })
}

for (const { cases, of } of typologyCases) {
  describe(`typology ${of}`, () => {
    for (const one of cases) {
      it(`${one.name}: ${one.expect}`, () => {
        const matched = model.match(factsOf(one)).typologies.some(({ name }) => name === of)
        expect(matched ? "matched" : "none").toBe(one.expect)
      })
    }
  })
}

describe.each(listPolicySets(packageRoot))("policy set %s", (set) => {
  const { findings, policySet, rules } = loadPolicySet(packageRoot, set)
  const policyCases = read(readMatchCases(packageRoot, `policies/${set}`))

  it("is whole, and every rule has cases", () => {
    expect(findings).toEqual([])
    expect(policyCases.map(({ of }) => of)).toEqual(rules.map(({ match }) => match.rule))
  })

  for (const { cases, of } of policyCases) {
    describe(`rule ${of}`, () => {
      for (const one of cases) {
        it(`${one.name}: ${one.expect}`, () => {
          const matched = opinionOn(one, model, policySet).policyContext.some(({ rule }) => rule === of)
          expect(matched ? "matched" : "none").toBe(one.expect)
        })
      }
    })
  }
})

describe("the working rules", () => {
  it("have cases for every factor and typology", () => {
    const written = new Set([...factorCases, ...typologyCases].map(({ of }) => of))
    const codes = rules.factors.map(({ match }) => match.code)
    const names = rules.typologies.map(({ match }) => match.name)
    // CUSTOMER_POLICY_MATCH has no file: policy rules raise it.
    expect([...codes, ...names].filter((name) => !written.has(name))).toEqual([])
  })

  it.each([...factorCases, ...typologyCases])("have a case that must not raise $of", ({ cases }) => {
    expect(cases.map((one): string => one.expect)).toContain("none")
  })
})
