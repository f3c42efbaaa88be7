/** A walk finds facts that come out lower exactly where there are any, in a world that is small enough to try. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tierGroupsOf } from "../../../src/rules/proof/Side.ts"
import { branchAndBound, type LowerFacts } from "../../../src/rules/proof/branchAndBound.ts"
import {
  dimensionNumbers,
  loweredAnchors,
  loweredNumbers
} from "../../../src/rules/proof/dimensionNumbers.ts"
import type { Numbers } from "../../../src/scoring/Model.ts"
import { smallChange, type SmallRules } from "../../support/arbitrary/smallRules.ts"
import { everything, inSmallWorld } from "../../support/arbitrary/smallWorld.ts"
import { model } from "../../support/draft.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/runs.ts"
import { scoreOfFacts } from "../../support/scoreOfFacts.ts"

const { numbers } = model
const { anchors, classes } = numbers

/** Figures that count in the small world, one milder, one harsher, and one both. */
const otherNumbers: ReadonlyArray<Numbers> = [
  { ...numbers, classes: { ...classes, write: { ...classes.write, entityEffectBp: 7_000 } } },
  { ...numbers, classes: { ...classes, export: { ...classes.export, operationalWeightBp: 9_000 } } },
  {
    ...numbers,
    anchors: { ...anchors, entities: anchors.entities.map(([x, bp]) => [x, Math.max(0, bp - 300)]) }
  },
  {
    ...numbers,
    blastRadius: { ...numbers.blastRadius, otherDimensionsBp: 1_000 },
    severityFloors: { ...numbers.severityFloors, moderate: 30 }
  }
]

const afterwards = fc.oneof(
  { weight: 4, arbitrary: fc.constant(numbers) },
  { weight: 1, arbitrary: fc.constantFrom(...otherNumbers) }
)

const stepsMax = 20_000

const walked = (from: SmallRules, to: SmallRules, then: Numbers): LowerFacts | "none" | "undecided" => {
  const steps = branchAndBound({
    from: { numbers, groups: tierGroupsOf(from.rules, from.policies, numbers) },
    to: { numbers: then, groups: tierGroupsOf(to.rules, to.policies, then) },
    moved: {},
    where: inSmallWorld,
    lowered: [
      ...loweredNumbers(dimensionNumbers(numbers), dimensionNumbers(then)),
      ...loweredAnchors(numbers, then)
    ]
  })
  let count = 0
  for (const found of steps) {
    if (found !== null) return found
    if (++count > stepsMax) return "undecided"
  }
  return "none"
}

const pairs = Math.ceil(propertyRuns / 40)

describe(`a walk through ${everything.length} records of facts (seed ${seed})`, () => {
  it(
    `ends with lower facts where trying finds some, on ${pairs} changes`,
    { timeout: timeoutMs(pairs * 20) },
    () => {
      const outcomes = { lower: 0, none: 0 }
      fc.assert(
        fc.property(smallChange, afterwards, ({ from, to }, then) => {
          const [before, after] = [scoreOfFacts({ ...from, numbers }), scoreOfFacts({ ...to, numbers: then })]
          const tried = everything.some((facts) => after(facts) < before(facts))
          const found = walked(from, to, then)
          outcomes[tried ? "lower" : "none"]++
          expect(typeof found === "string" ? found : "lower").toBe(tried ? "lower" : "none")
          const scores = typeof found === "string" ? [] : [found.from, found.to]
          const plain = typeof found === "string" ? [] : [before(found.facts), after(found.facts)]
          expect(scores).toEqual(plain)
        }),
        { numRuns: pairs }
      )
      expect(Math.min(outcomes.lower, outcomes.none)).toBeGreaterThan(pairs / 10)
    }
  )
})
