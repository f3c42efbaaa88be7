/** A change that a diff calls stricter never lowers a score, and a change that it calls looser never raises one. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { anyAction } from "../../support/arbitrary/action.ts"
import { behavior } from "../../support/arbitrary/behavior.ts"
import { propertyRuns, seed } from "../../support/depth.ts"
import { editedBook, starterBook, workingBook } from "../../support/rulebooks.ts"
import { type EditCase, policyEdits, ruleEdits } from "./edits.ts"
import { numberEdits, otherEdits } from "./numberEdits.ts"
import { scoreSummary } from "../../../src/scoring/scoreSummary.ts"

const requests = fc.sample(
  anyAction().chain((action) => fc.record({ action: fc.constant(action), behavior: behavior(action) })),
  { numRuns: Math.ceil(propertyRuns / 50), seed }
)

const scoresIn = ({ policies, release: { model } }: Rulebook): ReadonlyArray<number> =>
  requests.map(({ action, behavior }) => scoreSummary(action, behavior, model, policies.policySet).score)

const oneWay = ({ kind }: EditCase): boolean => kind === "stricter" || kind === "looser"

/** Requests that a change moves against its direction. */
const against = (before: ReadonlyArray<number>, edited: Rulebook, { kind }: EditCase) => {
  const after = scoresIn(edited)
  return requests.filter((_, i) => {
    const gap = (after[i] ?? 0) - (before[i] ?? 0)
    return kind === "stricter" ? gap < 0 : gap > 0
  })
}

describe(`a change of one direction, on ${requests.length} requests, seed ${seed}`, () => {
  const first = scoresIn(workingBook)
  const starter = scoresIn(starterBook())

  it.each([...ruleEdits, ...numberEdits, ...otherEdits].filter(oneWay))("stays $kind: $what", (one) => {
    expect(against(first, editedBook(one.edit), one)).toEqual([])
  })

  it.each(policyEdits.filter(oneWay))("stays $kind in a policy set: $what", (one) => {
    expect(against(starter, starterBook(one.edit), one)).toEqual([])
  })
})
