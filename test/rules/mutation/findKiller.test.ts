/** The short cuts of mutation lose nothing: what they say is what trying everything says. */

import { describe, expect, it } from "vitest"
import { openRulebook, releaseRuleGroups, type RuleGroup } from "../../../src/rules/Rulebook.ts"
import { readRuleSuite } from "../../../src/rules/cases/Case.ts"
import { tryCase } from "../../../src/rules/cases/tryCase.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { compileRules } from "../../../src/rules/language/compile.ts"
import { mutateRuleGroup } from "../../../src/rules/mutation/Mutant.ts"
import { scoringWithGroup } from "../../../src/rules/mutation/mutantScoring.ts"
import { findKiller, prepareKillers } from "../../../src/rules/mutation/runMutants.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { read } from "../../support/read.ts"

const { policies, release } = read(openRulebook(packageRoot, "1.0.0"))
const scoring = { model: release.model, policySet: policies.policySet }
const ladders = releaseRuleGroups(release)
const chosen = ladders.filter(({ code }) =>
  ["HIGH_ENTITY_COUNT", "AGENT_UNIDENTIFIED", "mass-irreversible-change-in-production"].includes(code)
)

/** The rules of the release with one file's replaced. */
const rulesWith = (ladder: RuleGroup) => {
  const { factors, typologies } = release.rules
  return {
    factors: [
      ...factors.filter(({ match }) => match.code !== ladder.code),
      ...(ladder.kind === "factor" ? ladder.rules : [])
    ],
    typologies: [
      ...typologies.filter(({ match }) => match.name !== ladder.code),
      ...(ladder.kind === "typology" ? ladder.rules : [])
    ]
  }
}

describe("a rulebook with one file changed", () => {
  it.each(chosen)("matches as if it were compiled anew: $code", (ladder) => {
    const many = factsFrom(7, 50)
    for (const { changed } of mutateRuleGroup(ladder)) {
      const compiled = compileRules(rulesWith(changed))
      const { model } = scoringWithGroup(scoring, changed)
      expect(many.map(model.match)).toEqual(many.map(compiled))
    }
  })
})

describe("the case that kills a mutant", () => {
  const cases = read(readRuleSuite(packageRoot)).flatMap((file) => file.cases)
  // A part of them, and all that stand beside the files that are changed.
  const some = cases.filter(({ of }, i) => i % 5 === 0 || chosen.some(({ code }) => code === of))
  const { killers } = prepareKillers(some, scoring)

  it.each(chosen)("is the one that is found by trying every case: $code", (ladder) => {
    for (const mutant of mutateRuleGroup(ladder)) {
      const { model, policySet } = scoringWithGroup(scoring, mutant.changed)
      const tried = killers.find((killer) => !tryCase(killer, model, policySet).passed)
      expect(findKiller(mutant, killers, scoring)?.one.name).toBe(tried?.one.name)
    }
  })
})
