/** The short cuts of a mutation run give the same results as compiling and trying everything. */

import { describe, expect, it } from "vitest"
import { releaseRuleGroups, type RuleGroup, scoringWithGroup } from "../../../src/rules/Rulebook.ts"
import { readRuleSuite } from "../../../src/rules/cases/Case.ts"
import { tryCase } from "../../../src/rules/cases/tryCase.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { compileRules } from "../../../src/rules/language/compile.ts"
import { mutateRuleGroup } from "../../../src/rules/mutation/Mutant.ts"
import { findKiller, prepareKillers } from "../../../src/rules/mutation/runMutants.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { openedRulebook } from "../../support/openedRulebook.ts"
import { read } from "../../support/read.ts"

const { policies, release } = openedRulebook("draft")
const scoring = { model: release.model, policySet: policies.policySet }
const groups = releaseRuleGroups(release)
const chosen = groups.filter(({ code }) =>
  ["HIGH_ENTITY_COUNT", "AGENT_UNIDENTIFIED", "mass-irreversible-change-in-production"].includes(code)
)

/** The rules of the release with one file's replaced. */
const rulesWith = (group: RuleGroup) => {
  const { factors, typologies } = release.rules
  return {
    factors: [
      ...factors.filter(({ match }) => match.code !== group.code),
      ...(group.kind === "factor" ? group.rules : [])
    ],
    typologies: [
      ...typologies.filter(({ match }) => match.name !== group.code),
      ...(group.kind === "typology" ? group.rules : [])
    ]
  }
}

describe("a rulebook with one file changed", () => {
  it.each(chosen)("matches as if it were compiled again: $code", (group) => {
    const many = factsFrom(7, 50)
    for (const { changed } of mutateRuleGroup(group)) {
      const compiled = compileRules(rulesWith(changed))
      const { model } = scoringWithGroup(scoring, changed)
      expect(many.map(model.match)).toEqual(many.map(compiled))
    }
  })
})

describe("the case that kills a mutant", () => {
  const cases = read(readRuleSuite(packageRoot)).flatMap((file) => file.cases)
  // Every fifth case, and all cases next to the changed files.
  const some = cases.filter(({ of }, i) => i % 5 === 0 || chosen.some(({ code }) => code === of))
  const { killers } = prepareKillers(some, scoring)

  it.each(chosen)("is the first case that fails if every case is tried: $code", (group) => {
    for (const mutant of mutateRuleGroup(group)) {
      const { model, policySet } = scoringWithGroup(scoring, mutant.changed)
      const tried = killers.find((killer) => !tryCase(killer, model, policySet).passed)
      expect(findKiller(mutant, killers, scoring)?.one.name).toBe(tried?.one.name)
    }
  })
})
