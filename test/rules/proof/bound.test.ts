/** What a proof takes for the score of facts is the score that the scorer gives them. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Box, mildestPoint, pointOf } from "../../../src/rules/analysis/Box.ts"
import { initialState, simplifyState } from "../../../src/rules/proof/SearchNode.ts"
import { tierGroupsOf } from "../../../src/rules/proof/Side.ts"
import { scoreBound } from "../../../src/rules/proof/branchAndBound.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { allFieldsAt } from "../../../src/scoring/FieldBounds.ts"
import { evaluate, prepareAction } from "../../../src/scoring/score.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { question } from "../../support/arbitrary/question.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { model, rules } from "../../support/draft.ts"
import { propertyRuns, seed } from "../../support/runs.ts"
import { scoreOfFacts } from "../../support/scoreOfFacts.ts"

const { numbers } = model
const ladders = tierGroupsOf(rules, [], numbers).map(initialState)
const runs = Math.ceil(propertyRuns / 10)

const boundsOf = (box: Box): readonly [least: number, most: number] => {
  const standings = ladders.map((standing) => simplifyState(standing, box))
  return [scoreBound(box, standings, numbers, "least"), scoreBound(box, standings, numbers, "most")]
}

/** Around two records of facts: every count and rank between theirs, every name and flag of either. */
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

describe(`the bounds of a score (seed ${seed})`, () => {
  it(`meet in the score itself where a box is one record of facts, on ${runs} requests`, () => {
    fc.assert(
      fc.property(question(), ({ action, behavior }) => {
        const prepared = prepareAction(action, behavior, model, policySetOf([]))
        const { facts, score } = evaluate(prepared, allFieldsAt("reference"))
        expect(boundsOf(pointOf(facts))).toEqual([score, score])
      }),
      { numRuns: runs }
    )
  })

  it("hold every score of the facts between them", () => {
    const score = scoreOfFacts({ rules, policies: [], numbers })
    fc.assert(
      fc.property(fc.integer(), (draw) => {
        const [a, b] = factsFrom(draw, 2)
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
