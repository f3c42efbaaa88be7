/** If the proof holds, random requests score no lower and get no weaker control: with any history, read or not, and any fields left out. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { isFall, moveBetween } from "../../../src/rules/ScoreAndControl.ts"
import { proveNotLower } from "../../../src/rules/proof/proveNotLower.ts"
import { spelledCall } from "../../support/arbitrary/spelledCall.ts"
import { changedBook } from "../../support/arbitrary/ruleChanges.ts"
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
            const before = scoreSummary(action, behavior, from.release.model, set)
            const after = scoreSummary(action, behavior, workingBook.release.model, set)
            expect([what, isFall(moveBetween(before, after))]).toEqual([what, false])
          }
        ),
        { numRuns: runs }
      )
    }
  )

  const changes = Math.ceil(propertyRuns / 150)

  it(
    `is broken by none of ${runs} requests, between the working rules and ${changes} random changes of them`,
    { timeout: timeoutMs(changes * 100) },
    () => {
      const calls = fc.sample(spelledCall(), { seed, numRuns: runs })
      const none = policySetOf([])
      const answers = ({ release }: Rulebook) =>
        calls.map(({ action, behavior }) => scoreSummary(action, behavior, release.model, none))
      const answersNow = answers(workingBook)
      let proven = 0
      fc.assert(
        fc.property(changedBook, (changed) => {
          const answersThen = answers(changed)
          for (const [from, to, before, after] of [
            [workingBook, changed, answersNow, answersThen],
            [changed, workingBook, answersThen, answersNow]
          ] as const) {
            if (!proveNotLower(from, to).holds) continue
            proven++
            const falls = calls.filter((_, i) => {
              const [one, other] = [before[i], after[i]]
              return one !== undefined && other !== undefined && isFall(moveBetween(one, other))
            })
            expect(falls).toEqual([])
          }
        }),
        { numRuns: changes }
      )
      expect(proven).toBeGreaterThan(changes / 4)
    }
  )
})
