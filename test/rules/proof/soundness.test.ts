/** If the proof holds, random requests score no lower: with any history, read or not, and any fields left out. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { proveNotLower } from "../../../src/rules/proof/proveNotLower.ts"
import { spelledCall } from "../../support/arbitrary/spelledCall.ts"
import { policies } from "../../support/arbitrary/policies.ts"
import { propertyRuns, seed, timeoutMs } from "../../support/depth.ts"
import { policySetOf } from "../../support/policySetOf.ts"
import { editedBook, workingBook } from "../../support/rulebooks.ts"
import { milder } from "./milder.ts"
import { scoreSummary } from "../../../src/scoring/scoreSummary.ts"

/** The reverse of each milder edit only raises. */
const raised = milder
  .map(([what, edit]) => ({ what, from: editedBook(edit) }))
  .filter(({ from }) => proveNotLower(from, workingBook).holds)

const runs = Math.ceil(propertyRuns / 5)

describe(`a proof that holds (seed ${seed})`, () => {
  it(
    `is broken by none of ${runs} requests, each under one of ${raised.length} raising edits`,
    { timeout: timeoutMs(runs) },
    () => {
      expect(raised.length).toBeGreaterThan(15)
      fc.assert(
        fc.property(
          spelledCall(),
          fc.constantFrom(...raised),
          fc.oneof(fc.constant([]), policies()),
          ({ action, behavior }, { from, what }, rules) => {
            const set = policySetOf(rules)
            const before = scoreSummary(action, behavior, from.release.model, set).score
            const after = scoreSummary(action, behavior, workingBook.release.model, set).score
            expect([what, Math.max(before, after)]).toEqual([what, after])
          }
        ),
        { numRuns: runs }
      )
    }
  )
})
