/** One meaning, two evaluators: the compiled one and json-rules-engine itself agree on everything. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileRules } from "../../../src/rules/language/compile.ts"
import { readCondition } from "../../../src/rules/language/readCondition.ts"
import { referenceRules } from "../../../src/rules/language/reference.ts"
import { anyCondition, anyRuleSet, factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { seed, tries } from "../../support/depth.ts"

const ruleSets = tries(2_000)
const factsEach = 50
const atOnce = 8

describe(`the compiled evaluator (seed ${seed})`, () => {
  it(
    `agrees with json-rules-engine on ${ruleSets * factsEach} rule sets × facts, ${atOnce} asked at once`,
    { timeout: 120_000 },
    async () => {
      let compared = 0
      await fc.assert(
        fc.asyncProperty(anyRuleSet, fc.integer(), async (rules, draw) => {
          const match = compileRules(rules)
          const reference = referenceRules(rules)
          const many = factsFrom(draw, factsEach)
          for (let i = 0; i < many.length; i += atOnce) {
            const some = many.slice(i, i + atOnce)
            const expected = await Promise.all(some.map(reference))
            const actual = some.map(match)
            // Texts are compared: deep equality would cost more than both evaluators.
            expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
            compared += some.length
          }
        }),
        { seed, numRuns: ruleSets }
      )
      expect(compared).toBe(ruleSets * factsEach)
    }
  )

  it("does not depend on the order of rules", () => {
    fc.assert(
      fc.property(anyRuleSet, fc.integer(), ({ factors, typologies }, draw) => {
        const turned = { factors: factors.toReversed(), typologies: typologies.toReversed() }
        for (const facts of factsFrom(draw, 10)) {
          expect(compileRules(turned)(facts)).toEqual(compileRules({ factors, typologies })(facts))
        }
      }),
      { seed, numRuns: tries(500) }
    )
  })

  it("is tested with every kind of condition in the dialect", () => {
    fc.assert(
      fc.property(anyCondition, (condition) => {
        expect(readCondition(condition, { raises: false, completeness: true })).toEqual({
          condition,
          problems: []
        })
      }),
      { seed, numRuns: tries(2_000) }
    )
  })
})

describe(`the reference evaluator (seed ${seed})`, () => {
  it(
    `gives ${atOnce} overlapping runs on one prepared set the answers that each gets alone`,
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRuleSet, fc.integer(), async (rules, draw) => {
          const reference = referenceRules(rules)
          const some = factsFrom(draw, atOnce)
          const alone = []
          for (const facts of some) alone.push(await reference(facts))
          expect(await Promise.all(some.map(reference))).toEqual(alone)
          // Started again while the others are half way, from the last to the first.
          const staggered = some.toReversed().map(async (facts, i) => {
            for (let turn = 0; turn < i; turn++) await Promise.resolve()
            return reference(facts)
          })
          expect((await Promise.all(staggered)).toReversed()).toEqual(alone)
        }),
        { seed, numRuns: tries(300) }
      )
    }
  )
})
