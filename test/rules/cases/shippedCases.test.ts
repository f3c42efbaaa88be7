/** Every case next to a factor, a typology or a policy rule holds when it is fully scored. */

import { describe, expect, it } from "vitest"
import {
  type CaseFile,
  catalogueCases,
  readPolicySuite,
  readRuleSuite
} from "../../../src/rules/cases/Case.ts"
import { prepareCase, tryCase } from "../../../src/rules/cases/tryCase.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import {
  listPolicySets,
  loadPolicySet,
  loadPolicyVersion
} from "../../../src/rules/policies/loadPolicySet.ts"
import type { PolicySet, RiskModel } from "../../../src/scoring/Model.ts"
import { model, rules } from "../../support/draft.ts"
import { read } from "../../support/read.ts"

const none = loadPolicySet(packageRoot, "none").policySet

const holdsUnder = (policySet: PolicySet, files: ReadonlyArray<CaseFile>, by: RiskModel = model) => {
  for (const { cases, of } of files) {
    describe(`have for ${of}`, () => {
      for (const one of cases) {
        it(one.name, () => {
          const { actual, expected, passed } = tryCase(prepareCase(one, by, policySet), by, policySet)
          expect(passed, `expects ${expected} but gets ${actual}`).toBe(true)
        })
      }
    })
  }
}

const suite = read(readRuleSuite(packageRoot))
const beside = suite.filter(({ cases }) => cases.some(({ kind }) => kind === "factor" || kind === "typology"))

describe("the working rules", () => {
  holdsUnder(none, suite)

  it("have cases for every factor and typology", () => {
    const written = new Set(beside.map(({ of }) => of))
    const codes = rules.factors.map(({ match }) => match.code)
    const names = rules.typologies.map(({ match }) => match.name)
    // CUSTOMER_POLICY_MATCH has no file: policy rules raise it.
    expect([...codes, ...names].filter((name) => !written.has(name))).toEqual([])
  })

  it.each(beside)("have a case that must not raise $of", ({ cases }) => {
    expect(cases.some((one) => "expect" in one && one.expect === "none")).toBe(true)
  })

  it("are calibrated by at least 60 cases", () => {
    const levels = suite.flatMap(({ cases }) => cases.filter(({ kind }) => kind === "level"))
    expect(levels.length).toBeGreaterThanOrEqual(60)
  })
})

describe.each(listPolicySets(packageRoot))("the working policy set %s", (set) => {
  const { policySet, rules } = read(loadPolicyVersion(packageRoot, set, "draft"))
  const files = read(readPolicySuite(packageRoot, set))
  const [ofCatalogue, ofRules] = [true, false].map((wanted) =>
    files.filter(({ of }) => (of === catalogueCases) === wanted)
  )

  holdsUnder(policySet, ofRules ?? [])
  holdsUnder(policySet, ofCatalogue ?? [], model)

  it("has cases for every rule", () => {
    expect(ofRules?.map(({ of }) => of)).toEqual(rules.map(({ match }) => match.rule))
  })
})
