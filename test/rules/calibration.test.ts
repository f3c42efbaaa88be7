/** The calibration holds: levels differ where people would act differently. */

import { describe, expect, it } from "vitest"
import { score } from "../../src/scoring/score.ts"
import { type Situation, snapshotOf } from "../../src/rules/cases.ts"
import { packageRoot } from "../../src/rules/packageRoot.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { readCalibration } from "../../src/rules/readCases.ts"
import { model } from "../support/draft.ts"
import { read } from "../support/read.ts"

const none = loadPolicySet(packageRoot, "none").policySet
const { cases, orderings } = read(readCalibration(packageRoot))

const riskOf = (situation: Situation) =>
  score(situation.request, snapshotOf(situation, model), model, none).actionRisk

describe("calibration", () => {
  for (const one of cases) {
    const levels = [one.expect.level].flat()
    it(`${one.name}: ${levels.join(" or ")}`, () => {
      const { level, score } = riskOf(one)
      const [least, greatest] = one.expect.score ?? [1, 100]
      expect(levels, `scored ${score}`).toContain(level)
      expect(score).toBeGreaterThanOrEqual(least)
      expect(score).toBeLessThanOrEqual(greatest)
    })
  }

  for (const { higher, lower, why } of orderings) {
    it(`scores higher: ${why}`, () => {
      expect(riskOf(higher).score).toBeGreaterThan(riskOf(lower).score)
    })
  }

  it("has at least 60 cases", () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
  })
})
