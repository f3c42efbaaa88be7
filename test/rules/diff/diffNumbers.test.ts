/** Every number of the ruleset moves scores only in the direction that a diff gives. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dataClassifications, reversibilities } from "../../../src/domain/Action.ts"
import { impacts } from "../../../src/scoring/reading/Act.ts"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { withNumber } from "../../../src/rules/diff/diffNumbers.ts"
import { directionOf } from "../../../src/rules/diff/numberMeanings.ts"
import { anyAction } from "../../support/arbitrary/action.ts"
import { behavior } from "../../support/arbitrary/behavior.ts"
import { propertyRuns, seed } from "../../support/depth.ts"
import { workingBook } from "../../support/rulebooks.ts"
import { readCall } from "../../../src/scoring/reading/readCall.ts"
import { scoreSummary } from "../../../src/scoring/scoreSummary.ts"

const requests = fc
  .sample(
    anyAction().chain((action) => fc.record({ action: fc.constant(action), behavior: behavior(action) })),
    { numRuns: Math.ceil(propertyRuns / 200), seed }
  )
  .map((one) => ({ ...one, words: readCall(one.action, workingBook.release.model.lexicon) }))

const scoresIn = ({ policies, release }: Rulebook): ReadonlyArray<number> =>
  requests.map(
    ({ action, behavior, words }) =>
      scoreSummary(action, behavior, release.model, policies.policySet, words).score
  )

interface Leaf {
  readonly path: ReadonlyArray<string>
  readonly from: unknown
}

/** Without lists: the table of edits changes them as a whole. */
const leavesOf = (json: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<Leaf> => {
  if (Array.isArray(json) || path[0] === "version") return []
  if (typeof json !== "object" || json === null) return [{ path, from: json }]
  return Object.entries(json).flatMap(([key, value]) => leavesOf(value, [...path, key]))
}

const othersThan = (from: unknown): ReadonlyArray<unknown> => {
  if (typeof from === "number") return [Math.floor(from / 2), 2 * from + 50]
  if (typeof from === "boolean") return [!from]
  const names =
    [dataClassifications, reversibilities, impacts].find((list) => list.some((name) => name === from)) ?? []
  return names.filter((name) => name !== from)
}

const ruleset = workingBook.release.files.ruleset.json

/** Each run tries another fifth of the changes, because decoding the ruleset for each change is slow. */
const shares = 5

const changes = leavesOf(ruleset)
  .flatMap(({ from, path }) => othersThan(from).map((to) => ({ path, from, to })))
  .filter((_, i) => i % shares === seed % shares)
  .flatMap((change) => {
    const book = withNumber(workingBook, change.path, change.to)
    return book === null ? [] : [{ ...change, book }]
  })

describe(`the numbers of the ruleset, on ${requests.length} requests, seed ${seed}`, () => {
  const before = scoresIn(workingBook)

  it(`move scores only in their direction, changed in ${changes.length} ways`, () => {
    const wrong = changes.filter(({ book, ...change }) => {
      const { falls, rises } = directionOf(change, ruleset, book.release.files.ruleset.json)
      return scoresIn(book).some((score, i) => {
        const gap = score - (before[i] ?? 0)
        return (gap > 0 && !rises) || (gap < 0 && !falls)
      })
    })
    expect(wrong.map(({ from, path, to }) => ({ path, from, to }))).toEqual([])
    expect(changes.length).toBeGreaterThan(50)
  })
})
