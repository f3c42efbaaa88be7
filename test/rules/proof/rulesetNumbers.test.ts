/** The proof notices every number of the ruleset that becomes milder: no number is missing from the lists that it compares. */

import { describe, expect, it } from "vitest"
import { dataClassifications, reversibilities } from "../../../src/domain/Action.ts"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import { directionOf, meaningOfNumber } from "../../../src/rules/diff/numberMeanings.ts"
import { pairGroups } from "../../../src/rules/proof/EvaluationComparison.ts"
import { sideOf } from "../../../src/rules/proof/Side.ts"
import { loweredDimensionNumbers } from "../../../src/rules/proof/loweredNumbers.ts"
import { unprovenDifferences } from "../../../src/rules/proof/unprovenDifferences.ts"
import type { Numbers } from "../../../src/scoring/Numbers.ts"
import { impacts } from "../../../src/scoring/reading/Act.ts"
import { workingBook } from "../../support/rulebooks.ts"

interface RulesetNumber {
  /** The path of the number, as in the file. */
  readonly at: string
  /** The path, in the model, of the number or of the list that it is in. */
  readonly path: ReadonlyArray<string>
  readonly value: unknown
  /** Values at `path` with this number changed. */
  readonly changed: ReadonlyArray<unknown>
}

const inFile = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const ranks: ReadonlyArray<ReadonlyArray<unknown>> = [dataClassifications, reversibilities, impacts]

/** A number a little lower and a little higher, a flag turned, a name one rank lower and one rank higher. */
const neighbours = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "number") {
    // A hundredth of a large figure: after rounding, one more of it may change nothing.
    const step = Math.max(1, Math.round(value / 100))
    return [value - step, value + step].filter((number) => number >= 0)
  }
  if (typeof value === "boolean") return [!value]
  const names = ranks.find((list) => list.includes(value)) ?? []
  const rank = names.indexOf(value)
  return [names[rank - 1], names[rank + 1]].filter((name) => name !== undefined)
}

/** Every way to change one leaf of a value. */
const changesOf = (
  value: unknown,
  at: string
): ReadonlyArray<{ readonly at: string; readonly to: unknown }> =>
  Array.isArray(value)
    ? value.flatMap((element, i) =>
        changesOf(element, `${at}.${i}`).map((change) => ({ at: change.at, to: value.with(i, change.to) }))
      )
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          changesOf(inner, `${at}.${inFile(key)}`).map((change) => ({
            at: change.at,
            to: { ...value, [key]: change.to }
          }))
        )
      : neighbours(value).map((to) => ({ at, to }))

/** A list is compared as a whole, so that the path ends at the list. */
const numbersIn = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<RulesetNumber> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
    : [...Map.groupBy(changesOf(value, path.map(inFile).join(".")), ({ at }) => at)].map(([at, changes]) => ({
        at,
        path,
        value,
        changed: changes.map(({ to }) => to)
      }))

/** They move the range and the confidence, and no floor of the last match may rest on confidence. */
const isConfidence = ({ path }: RulesetNumber): boolean =>
  meaningOfNumber(path.map(inFile)).parts.every((part) => part === "confidence")

const model = workingBook.release.model

/** Categories are names without ranks, so they have no neighbours. */
const numbers = numbersIn(model.numbers, []).filter(
  (number) => number.changed.length > 0 && !isConfidence(number)
)

const replaced = (object: object, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): object => {
  const inner: unknown = Object.entries(object).find(([name]) => name === key)?.[1]
  return { ...object, [key]: rest.length === 0 ? value : replaced(inner as object, rest, value) }
}

/** Names of classes, places, kinds and data are the same in the file and in the model. */
const forFile = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [inFile(key), forFile(inner)]))
    : value

/** Also numbers that the schema would refuse, such as a weight below that of a lower impact: each number is changed alone. */
const withNumber = (path: ReadonlyArray<string>, value: unknown): Rulebook => {
  const { release } = workingBook
  const numbers = replaced(model.numbers, path, value) as Numbers
  const ruleset = { ...release.files.ruleset, json: forFile(numbers) }
  const files = { ...release.files, ruleset }
  return { ...workingBook, release: { ...release, files, model: { ...model, numbers } } }
}

/** The working rules, with their numbers written as `withNumber` writes them. */
const before = withNumber(["scoreMin"], undefined)

interface Pair {
  readonly from: Rulebook
  readonly to: Rulebook
}

/** Pairs of rulebooks of which the second one is milder, only in this number. */
const milderPairs = ({ changed, path, value }: RulesetNumber): ReadonlyArray<Pair> =>
  changed.flatMap((to) => {
    const book = withNumber(path, to)
    const one = { path: path.map(inFile), from: forFile(value), to: forFile(to) }
    const { falls, rises } = directionOf(one, jsonOf(before), jsonOf(book))
    return [...(falls ? [{ from: before, to: book }] : []), ...(rises ? [{ from: book, to: before }] : [])]
  })

const jsonOf = ({ release }: Rulebook): unknown => release.files.ruleset.json

const isNoticed = ({ from, to }: Pair): boolean => {
  const sides = { from: sideOf(from), to: sideOf(to) }
  return (
    loweredDimensionNumbers(from, to).length > 0 ||
    pairGroups({ ...sides, overrides: {} }).differing.length > 0 ||
    unprovenDifferences(from, to, sides).length > 0
  )
}

const tried = numbers.map((number) => ({ at: number.at, pairs: milderPairs(number) }))

describe(`each of ${numbers.length} numbers of the ruleset`, () => {
  it("has a milder value", () => {
    expect(tried.filter(({ pairs }) => pairs.length === 0).map(({ at }) => at)).toEqual([])
  })

  it("is noticed by the proof if it becomes milder", () => {
    const ignored = tried.filter(({ pairs }) => !pairs.every(isNoticed))
    expect(ignored.map(({ at }) => at)).toEqual([])
  })
})
