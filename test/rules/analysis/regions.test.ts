/** What the analysis says of all facts is what trying all of them says, in a world that is small enough to try. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Box, contains, intersectBoxes, subtractBox } from "../../../src/rules/analysis/Box.ts"
import { all, not, termOf } from "../../../src/rules/analysis/Term.ts"
import { boxesOfCondition, findFacts } from "../../../src/rules/analysis/satisfiability.ts"
import { everything, smallCondition } from "../../support/arbitrary/smallWorld.ts"
import { conditionHolds } from "../../support/asks.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/runs.ts"

const runs = propertyRuns
const few = Math.ceil(propertyRuns / 20)

describe(`conditions of ${everything.length} records of facts (seed ${seed})`, () => {
  it(`imply each other where trying says so, on ${runs} pairs`, { timeout: timeoutMs(runs) }, () => {
    fc.assert(
      fc.property(smallCondition, smallCondition, (narrow, wide) => {
        const found = findFacts(all(termOf(narrow), not(termOf(wide))))
        const tried = everything.some(
          (facts) => conditionHolds(narrow, facts) && !conditionHolds(wide, facts)
        )
        expect(found !== "none").toBe(tried)
        const shown =
          typeof found === "string" || (conditionHolds(narrow, found) && !conditionHolds(wide, found))
        expect(shown).toBe(true)
      }),
      { numRuns: runs }
    )
  })

  it(
    "hold in exactly one of their boxes, or in none where they do not hold",
    { timeout: timeoutMs(few) },
    () => {
      fc.assert(
        fc.property(smallCondition, (condition) => {
          const boxes = boxesOfCondition(condition) ?? []
          const wrong = everything.filter((facts) => {
            const holding = boxes.filter((box) => contains(box, facts)).length
            return holding !== (conditionHolds(condition, facts) ? 1 : 0)
          })
          expect(wrong).toEqual([])
        }),
        { numRuns: few }
      )
    }
  )

  it("have boxes that can be met and taken apart", { timeout: timeoutMs(few) }, () => {
    fc.assert(
      fc.property(smallCondition, smallCondition, (one, other) => {
        const [a] = boxesOfCondition(one) ?? []
        const [b] = boxesOfCondition(other) ?? []
        if (a === undefined || b === undefined) return
        const both = intersectBoxes(a, b)
        const rest = subtractBox(a, b)
        const wrong = everything.filter((facts) => {
          const isIn = (box: Box) => contains(box, facts)
          const met = both !== null && isIn(both)
          const left = rest.filter(isIn).length
          return met !== (isIn(a) && isIn(b)) || left !== (isIn(a) && !isIn(b) ? 1 : 0)
        })
        expect(wrong).toEqual([])
      }),
      { numRuns: few }
    )
  })
})
