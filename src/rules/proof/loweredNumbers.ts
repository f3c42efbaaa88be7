/** The numbers that evaluations compute points from and that are milder under the second rulebook. */

import type { Anchors } from "../../scoring/arithmetic.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import type { Rulebook } from "../Rulebook.ts"
import { all, any, atLeast, atMost, type Term } from "../analysis/Term.ts"
import { changedNumbers } from "../diff/diffNumbers.ts"
import { directionOf, meaningOfNumber, type NumberPart } from "../diff/numberMeanings.ts"

/** The paths of changed numbers that affect one of these parts of a score and can lower it. */
export const milderNumbers = (
  from: Rulebook,
  to: Rulebook,
  parts: ReadonlyArray<NumberPart>
): ReadonlyArray<ReadonlyArray<string>> => {
  const [before, after] = [from.release.files.ruleset.json, to.release.files.ruleset.json]
  return changedNumbers(from, to)
    .filter((changed) => directionOf(changed, before, after).falls)
    .map(({ path }) => path)
    .filter((path) => meaningOfNumber(path).parts.some((part) => parts.includes(part)))
}

/** For each of these numbers that is milder under the second rulebook, the facts for which it applies. */
export const loweredDimensionNumbers = (from: Rulebook, to: Rulebook): ReadonlyArray<Term> => [
  ...milderNumbers(from, to, ["dimensions"])
    .filter(([first]) => first !== "anchors")
    .map((path) => meaningOfNumber(path).where(path)),
  ...loweredAnchors(from.release.model.numbers, to.release.model.numbers)
]

interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The value of the scale at `x` before rounding. */
const exactScaleAt = (anchors: Anchors, x: number): Fraction => {
  const next = anchors.findIndex(([anchor]) => x <= anchor)
  const [toX, toBp] = anchors[next] ?? anchors.at(-1) ?? [0, 0]
  const [fromX, fromBp] = anchors[next - 1] ?? [toX, toBp]
  if (next <= 0 || toX === fromX) return { numerator: BigInt(toBp), denominator: 1n }
  const width = BigInt(toX - fromX)
  return { numerator: BigInt(fromBp) * width + BigInt(toBp - fromBp) * BigInt(x - fromX), denominator: width }
}

const isLess = (a: Fraction, b: Fraction): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator

/**
 * The intervals in which the second scale can be lower. Between adjacent anchors of either scale both are straight lines, so comparing the
 * two ends is enough. Rounding preserves order. Beyond the last anchor both scales are constant.
 */
const loweredIntervals = (from: Anchors, to: Anchors): ReadonlyArray<readonly [from: number, to: number]> => {
  const anchors = [...new Set([0, ...[...from, ...to].map(([x]) => x)])].toSorted((a, b) => a - b)
  const isLower = (x: number) => isLess(exactScaleAt(to, x), exactScaleAt(from, x))
  return anchors.flatMap((anchor, i) => {
    const next = anchors[i + 1]
    if (next === undefined) return isLower(anchor) ? [[anchor, Number.MAX_SAFE_INTEGER] as const] : []
    return isLower(anchor) || isLower(next) ? [[anchor, next] as const] : []
  })
}

const anchoredFacts = [
  ["usd", "financial_value_usd_cents", centsPerUsd],
  ["entities", "entities_affected", 1],
  ["records", "records_affected", 1]
] as const

/** The facts for which a scale is lower: one term per scale that has such facts. */
export const loweredAnchors = (from: Numbers, to: Numbers): ReadonlyArray<Term> =>
  anchoredFacts.flatMap(([name, fact, unit]) => {
    const intervals = loweredIntervals(from.anchors[name], to.anchors[name]).map(([least, most]) =>
      all(atLeast(fact, least * unit), atMost(fact, Math.min(most * unit, Number.MAX_SAFE_INTEGER)))
    )
    return intervals.length === 0 ? [] : [any(...intervals)]
  })
