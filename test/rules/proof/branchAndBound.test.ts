/** The search finds facts that fall exactly if there are any, and its bounds enclose the scores and controls that the scorer computes. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { isFall, moveBetween, type ScoreAndControl } from "../../../src/rules/ScoreAndControl.ts"
import { type Box, mildestPoint, pointOf } from "../../../src/rules/analysis/Box.ts"
import { initialState, simplifyState } from "../../../src/rules/proof/SearchNode.ts"
import { tierGroupsOf } from "../../../src/rules/proof/Side.ts"
import { branchAndBound, type LowerFacts, opinionBound } from "../../../src/rules/proof/branchAndBound.ts"
import { loweredDimensionNumbers } from "../../../src/rules/proof/loweredNumbers.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import { toStatedCall } from "../../../src/scoring/StatedCall.ts"
import { complete } from "../../../src/scoring/completeCall.ts"
import { circumstancesOf, evaluate } from "../../../src/scoring/evaluate.ts"
import { readCall } from "../../../src/scoring/reading/readCall.ts"
import { spelledCall } from "../../support/arbitrary/spelledCall.ts"
import { factsFrom } from "../../support/arbitrary/ruleSets.ts"
import { smallChange, type SmallRules } from "../../support/arbitrary/smallRules.ts"
import { everything, inSmallWorld } from "../../support/arbitrary/smallWorld.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/depth.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { editedBook, inClass, workingBook } from "../../support/rulebooks.ts"
import { opinionOfFacts } from "./opinionOfFacts.ts"

const model = workingBook.release.model
const { numbers } = model
const { rules } = workingBook.release

/** Numbers that matter in the small world: two milder ones, one harsher one, and one that is both. */
const otherBooks: ReadonlyArray<Rulebook> = [
  editedBook(inClass("write", '"entity_effect_bp":8100', '"entity_effect_bp":7000')),
  editedBook(inClass("export", '"low":800,', '"low":2800,')),
  editedBook(["ruleset", "[100,3000],[1000,5000]", "[100,2700],[1000,4700]"]),
  editedBook(
    ["ruleset", '"other_dimensions_bp":1500', '"other_dimensions_bp":1000'],
    [
      "ruleset",
      '"severity_floors":{"low":0,"moderate":0,"high":0',
      '"severity_floors":{"low":0,"moderate":30,"high":30'
    ]
  )
]

const booksAfter = fc.oneof(
  { weight: 4, arbitrary: fc.constant(workingBook) },
  { weight: 1, arbitrary: fc.constantFrom(...otherBooks) }
)

const stepsMax = 20_000

const searched = (from: SmallRules, to: SmallRules, book: Rulebook): LowerFacts | "none" | "undecided" => {
  const after = book.release.model.numbers
  const steps = branchAndBound({
    from: { numbers, groups: tierGroupsOf(from.rules, from.policies, numbers) },
    to: { numbers: after, groups: tierGroupsOf(to.rules, to.policies, after) },
    overrides: {},
    where: inSmallWorld,
    lowered: loweredDimensionNumbers(workingBook, book)
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
    `finds facts that fall exactly if the score or the control of some record does, on ${pairs} changes`,
    { timeout: timeoutMs(pairs * 20) },
    () => {
      const outcomes = { lower: 0, weaker: 0, none: 0 }
      fc.assert(
        fc.property(smallChange, booksAfter, ({ from, to }, book) => {
          const before = opinionOfFacts({ ...from, numbers })
          const after = opinionOfFacts({ ...to, numbers: book.release.model.numbers })
          const falls = everything
            .map((facts) => moveBetween(before(facts), after(facts)))
            .filter((move) => isFall(move))
          const found = searched(from, to, book)
          outcomes[
            falls.length === 0 ? "none" : falls.some(({ points }) => points < 0) ? "lower" : "weaker"
          ]++
          expect(typeof found === "string" ? found : "falls").toBe(falls.length === 0 ? "none" : "falls")
          if (typeof found === "string") return
          expect([found.from, found.to]).toEqual([before(found.facts), after(found.facts)])
        }),
        { numRuns: pairs }
      )
      expect(Math.min(outcomes.lower, outcomes.none)).toBeGreaterThan(pairs / 10)
      expect(outcomes.weaker).toBeGreaterThan(0)
    }
  )
})

const opinionOf = opinionOfFacts({ rules, policies: [], numbers })
const groups = tierGroupsOf(rules, [], numbers).map(initialState)
const runs = Math.ceil(propertyRuns / 10)

const boundsOf = (box: Box): readonly [least: ScoreAndControl, most: ScoreAndControl] => {
  const states = groups.map((group) => simplifyState(group, box))
  return [opinionBound(box, states, numbers, "least"), opinionBound(box, states, numbers, "most")]
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

describe(`the bounds of a score and a control (seed ${seed})`, () => {
  it(`are both exact if the box is a single record of facts, on ${runs} requests`, () => {
    fc.assert(
      fc.property(spelledCall(), ({ action, behavior }) => {
        const stated = toStatedCall(action, readCall(action, model.lexicon), numbers, model.currencies)
        const fields = complete(stated, numbers, model.currencies)
        const { deeds } = evaluate(
          { stated, fields },
          circumstancesOf(stated, behavior, model, policySetOf([]))
        )
        for (const { facts, score } of deeds) {
          const opinion = opinionOf(facts)
          expect([score, ...boundsOf(pointOf(facts))]).toEqual([opinion.score, opinion, opinion])
        }
      }),
      { numRuns: runs }
    )
  })

  it("enclose those of every record in the box", () => {
    fc.assert(
      fc.property(fc.integer(), (draw) => {
        const [a, b] = factsFrom(draw, 4)
        if (a === undefined || b === undefined) return
        const box = around(a, b)
        const [least, most] = boundsOf(box)
        for (const facts of [a, b, mildestPoint(box)]) {
          expect(isFall(moveBetween(least, opinionOf(facts)))).toBe(false)
          expect(isFall(moveBetween(opinionOf(facts), most))).toBe(false)
        }
      }),
      { numRuns: runs }
    )
  })
})
