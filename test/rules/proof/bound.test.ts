/** What a proof takes for the score of facts is the score that the scorer gives them. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Box, pick, pointOf } from "../../../src/rules/analysis/Box.ts"
import { bound } from "../../../src/rules/proof/bound.ts"
import { laddersOf } from "../../../src/rules/proof/Ladder.ts"
import { settleStanding, standingOf } from "../../../src/rules/proof/Standing.ts"
import { readAll } from "../../../src/scoring/Reading.ts"
import { openCase, weigh } from "../../../src/scoring/weigh.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { question } from "../../support/arbitrary/question.ts"
import { model, rules } from "../../support/draft.ts"
import { propertyRuns, seed } from "../../support/runs.ts"
import { converse } from "../../../src/scoring/Deliberation.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { scoreOfFacts } from "../../support/scoreOfFacts.ts"

const { numbers } = model
const ladders = laddersOf(rules, [], numbers).map(standingOf)
const runs = Math.ceil(propertyRuns / 10)

const boundsOf = (box: Box): readonly [least: number, most: number] => {
  const standings = ladders.map((standing) => settleStanding(standing, box))
  return [bound(box, standings, numbers, "least"), bound(box, standings, numbers, "most")]
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
        const it = openCase(action, behavior, model)
        const weighed = converse(weigh(it, readAll("reference")), (facts) => ({
          rules: model.match(facts),
          policies: { matched: [], incomplete: false }
        }))
        expect(boundsOf(pointOf(weighed.facts))).toEqual([weighed.score, weighed.score])
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
        for (const facts of [a, b, pick(box)]) {
          expect(score(facts)).toBeGreaterThanOrEqual(least)
          expect(score(facts)).toBeLessThanOrEqual(most)
        }
      }),
      { numRuns: runs }
    )
  })
})
