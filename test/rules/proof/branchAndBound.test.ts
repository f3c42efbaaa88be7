/** The search finds lower facts exactly if there are any, and its bounds enclose the scores that the scorer computes. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Box, mildestPoint, pointOf } from "../../../src/rules/analysis/Box.ts"
import { initialState, simplifyState } from "../../../src/rules/proof/SearchNode.ts"
import { tierGroupsOf } from "../../../src/rules/proof/Side.ts"
import { branchAndBound, type LowerFacts, scoreBound } from "../../../src/rules/proof/branchAndBound.ts"
import {
  dimensionNumbers,
  loweredAnchors,
  loweredNumbers
} from "../../../src/rules/proof/dimensionNumbers.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { allFieldsAt } from "../../../src/scoring/edition1/FieldBounds.ts"
import type { Numbers } from "../../../src/scoring/edition1/Model.ts"
import { edition1Classes } from "../../../src/scoring/edition1/NormalizedAction.ts"
import { evaluate, prepareAction } from "../../../src/scoring/edition1/score.ts"
import { question } from "../../support/arbitrary/question.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { smallChange, type SmallRules } from "../../support/arbitrary/smallRules.ts"
import { everything, inSmallWorld } from "../../support/arbitrary/smallWorld.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/depth.ts"
import { model, rules } from "../../support/edition1.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { scoreOfFacts } from "../../support/scoreOfFacts.ts"

const { numbers } = model
const { anchors, classes } = numbers

/** Numbers that count in the small world: two milder ones, one harsher one, and one that is both. */
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

const numbersAfter = fc.oneof(
  { weight: 4, arbitrary: fc.constant(numbers) },
  { weight: 1, arbitrary: fc.constantFrom(...otherNumbers) }
)

const stepsMax = 20_000

const searched = (from: SmallRules, to: SmallRules, after: Numbers): LowerFacts | "none" | "undecided" => {
  const steps = branchAndBound({
    from: { numbers, groups: tierGroupsOf(from.rules, from.policies, numbers) },
    to: { numbers: after, groups: tierGroupsOf(to.rules, to.policies, after) },
    overrides: {},
    where: inSmallWorld,
    lowered: [
      ...loweredNumbers(dimensionNumbers(numbers), dimensionNumbers(after)),
      ...loweredAnchors(numbers, after)
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

describe(`a search of ${everything.length} records of facts (seed ${seed})`, () => {
  it(
    `finds lower facts exactly if some record is lower, on ${pairs} changes`,
    { timeout: timeoutMs(pairs * 20) },
    () => {
      const outcomes = { lower: 0, none: 0 }
      fc.assert(
        fc.property(smallChange, numbersAfter, ({ from, to }, after) => {
          const scoreBefore = scoreOfFacts({ ...from, numbers })
          const scoreAfter = scoreOfFacts({ ...to, numbers: after })
          const expected = everything.some((facts) => scoreAfter(facts) < scoreBefore(facts))
            ? "lower"
            : "none"
          const found = searched(from, to, after)
          outcomes[expected]++
          expect(typeof found === "string" ? found : "lower").toBe(expected)
          if (typeof found === "string") return
          expect([found.from, found.to]).toEqual([scoreBefore(found.facts), scoreAfter(found.facts)])
        }),
        { numRuns: pairs }
      )
      expect(Math.min(outcomes.lower, outcomes.none)).toBeGreaterThan(pairs / 10)
    }
  )
})

const groups = tierGroupsOf(rules, [], numbers).map(initialState)
const runs = Math.ceil(propertyRuns / 10)

const boundsOf = (box: Box): readonly [least: number, most: number] => {
  const states = groups.map((group) => simplifyState(group, box))
  return [scoreBound(box, states, numbers, "least"), scoreBound(box, states, numbers, "most")]
}

/** The smallest box that contains both records of facts. */
const around = (a: Facts, b: Facts): Box => {
  const [one, other] = [pointOf(a), pointOf(b)]
  return Object.fromEntries(
    Object.entries(one).map(([fact, values]) => {
      const others = other[fact as keyof Facts]
      if (others === undefined || "not" in values || "not" in others) return [fact, values]
      if ("min" in values && "min" in others) {
        return [fact, { min: Math.min(values.min, others.min), max: Math.max(values.max, others.max) }]
      }
      const list = "of" in values && "of" in others ? [...new Set([...values.of, ...others.of])] : []
      return [fact, { of: list }]
    })
  )
}

const isOfEdition = ({ action_class }: Facts): boolean =>
  edition1Classes.some((name) => name === action_class)

describe(`the bounds of a score (seed ${seed})`, () => {
  it(`are both the score if the box is a single record of facts, on ${runs} requests`, () => {
    fc.assert(
      fc.property(question(), ({ action, behavior }) => {
        const prepared = prepareAction(action, behavior, model, policySetOf([]))
        const { facts, score } = evaluate(prepared, allFieldsAt("reference"))
        expect(boundsOf(pointOf(facts))).toEqual([score, score])
      }),
      { numRuns: runs }
    )
  })

  it("enclose the score of every record in the box", () => {
    const score = scoreOfFacts({ rules, policies: [], numbers })
    fc.assert(
      fc.property(fc.integer(), (draw) => {
        const [a, b] = factsFrom(draw, 4).filter(isOfEdition)
        if (a === undefined || b === undefined) return
        const box = around(a, b)
        const [least, most] = boundsOf(box)
        for (const facts of [a, b, mildestPoint(box)]) {
          expect(score(facts)).toBeGreaterThanOrEqual(least)
          expect(score(facts)).toBeLessThanOrEqual(most)
        }
      }),
      { numRuns: runs }
    )
  })
})
