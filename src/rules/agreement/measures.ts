/** How well answers agree with labels: each measure as an exact fraction, with the minimum for a release and the goal. */

import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import type { AnsweredCall } from "./AnsweredCall.ts"

/** A whole number out of another, such as 3 of 12. For kappa, the numerator and denominator of kappa; may be negative. */
interface Fraction {
  readonly count: number
  readonly of: number
}

/** The value of a fraction, rounded; null if there is nothing to measure. Measures are rounded only here. */
export const roundedValue = ({ count, of }: Fraction, digits: number): number | null =>
  of === 0 ? null : Math.round((count * 10 ** digits) / of) / 10 ** digits

/** The value that a measure must reach: a share, or a count if `of` is absent. */
interface Bound extends Partial<Fraction> {
  readonly side: "least" | "most"
  readonly count: number
}

const atLeast = (count: number, of = 100): Bound => ({ side: "least", count, of })
const atMost = (count: number, of = 100): Bound => ({ side: "most", count, of })
const atMostCount = (count: number): Bound => ({ side: "most", count })

/** Compares whole numbers, so that a value just below a bound is not rounded up to it. */
const isMet = ({ count, of }: Fraction, bound: Bound): boolean | null => {
  if (of === 0) return null
  const difference = bound.of === undefined ? count - bound.count : count * bound.of - bound.count * of
  return bound.side === "least" ? difference >= 0 : difference <= 0
}

/** `≥ 65 %`, `≤ 1`, `none` */
const boundText = ({ count, of, side }: Bound, form: MeasureForm): string => {
  if (side === "most" && count === 0) return "none"
  const sign = side === "least" ? "≥" : "≤"
  if (of === undefined) return `${sign} ${count}`
  if (form === "ratio") return `${sign} ${(count / of).toFixed(2)}`
  return of === 100 ? `${sign} ${count} %` : `${sign} ${count} in ${of}`
}

/** How a measure is shown: 0.84; 21.6 %, 102 of 473; 7, 7 of 79. */
type MeasureForm = "ratio" | "share" | "count"

interface Standard {
  readonly text: string
  /** Null if there is nothing to measure. */
  readonly met: boolean | null
}

export interface Measure extends Fraction {
  readonly name: MeasureName
  readonly title: string
  readonly form: MeasureForm
  /** The value required to release rules, and the value to aim at. Null if none is set. */
  readonly enough: Standard
  readonly goal: Standard | null
}

export type CallPair = readonly [riskier: AnsweredCall, lessRisky: AnsweredCall]

interface Answers {
  readonly calls: ReadonlyArray<AnsweredCall>
  readonly pairs: ReadonlyArray<CallPair>
}

/** How many levels the answer is above the label; negative if it is below. */
export const stepsAbove = ({ label, level }: Pick<AnsweredCall, "label" | "level">): number =>
  rank(level) - rank(label)

const rank = (level: ActionRiskLevel): number => actionRiskLevels.indexOf(level)

type Test = (call: AnsweredCall) => boolean

const share = (calls: ReadonlyArray<AnsweredCall>, holds: Test): Fraction => ({
  count: calls.filter(holds).length,
  of: calls.length
})

const labelled =
  (...levels: ReadonlyArray<ActionRiskLevel>): Test =>
  ({ label }) =>
    levels.includes(label)

const answered =
  (...levels: ReadonlyArray<ActionRiskLevel>): Test =>
  ({ level }) =>
    levels.includes(level)

const isSame: Test = (call) => stepsAbove(call) === 0

/** Among the calls with one of these labels, those with one of these answers. */
const answeredAmong =
  (labels: ReadonlyArray<ActionRiskLevel>, levels: ReadonlyArray<ActionRiskLevel>) =>
  ({ calls }: Answers): Fraction =>
    share(calls.filter(labelled(...labels)), answered(...levels))

/**
 * Cohen's kappa with quadratic weights: 1 − observed / expected disagreement. The expected disagreement is that of the same labels and
 * answers paired at random. Both are multiplied by the square of the number of calls, to stay whole.
 */
const kappa = ({ calls }: Answers): Fraction => {
  const counted = (test: Test) => calls.filter(test).length
  const square = (steps: number) => steps * steps
  const observed = calls.length * calls.reduce((sum, call) => sum + square(stepsAbove(call)), 0)
  let expected = 0
  for (const label of actionRiskLevels)
    for (const level of actionRiskLevels)
      expected += square(stepsAbove({ label, level })) * counted(labelled(label)) * counted(answered(level))
  return { count: expected - observed, of: expected }
}

const confidentFrom = 0.8
const isConfident: Test = ({ confidence }) => confidence >= confidentFrom

const bareScores = ({ calls }: Answers): Fraction => {
  const bare = calls.filter(({ completeness }) => completeness === "bare")
  return { count: new Set(bare.map(({ score }) => score)).size, of: bare.length }
}

/** The number of bare calls to which the two numbers below apply. Scale down for fewer calls, but not up for more. */
const bareCallsMeant = 257

const bareBound =
  (scores: number) =>
  ({ of }: Fraction): Bound => ({
    side: "least",
    count: Math.ceil((scores * Math.min(of, bareCallsMeant)) / bareCallsMeant)
  })

type BoundOf = Bound | ((measured: Fraction) => Bound)

type MeasureRow = readonly [
  title: string,
  form: MeasureForm,
  measure: (answers: Answers) => Fraction,
  enough: BoundOf,
  goal: BoundOf | null
]

const rows = {
  kappa: ["quadratic weighted kappa", "ratio", kappa, atLeast(80), atLeast(90)],
  same_level: ["same level", "share", ({ calls }) => share(calls, isSame), atLeast(65), atLeast(75)],
  far_apart: [
    "two levels or more apart",
    "share",
    ({ calls }) => share(calls, (call) => Math.abs(stepsAbove(call)) > 1),
    atMost(4),
    atMost(1)
  ],
  low_as_moderate: [
    "low, answered moderate or more",
    "share",
    answeredAmong(["low"], ["moderate", "high", "critical"]),
    atMost(15),
    atMost(10)
  ],
  low_as_high: [
    "low, answered high or more",
    "share",
    answeredAmong(["low"], ["high", "critical"]),
    atMost(3),
    atMost(1)
  ],
  critical_as_low: [
    "critical, answered low",
    "share",
    answeredAmong(["critical"], ["low"]),
    atMostCount(0),
    atMostCount(0)
  ],
  grave_as_low: [
    "high or critical, answered low",
    "share",
    answeredAmong(["high", "critical"], ["low"]),
    atMost(2),
    atMostCount(0)
  ],
  critical_as_moderate: [
    "critical, answered moderate or less",
    "share",
    answeredAmong(["critical"], ["low", "moderate"]),
    atMost(6),
    atMost(3)
  ],
  pairs_in_order: [
    "ordered pairs, strictly so",
    "share",
    ({ pairs }) => ({ count: pairs.filter(([a, b]) => a.score > b.score).length, of: pairs.length }),
    atLeast(92),
    atLeast(97)
  ],
  pairs_upside_down: [
    "ordered pairs, upside down",
    "count",
    ({ pairs }) => ({ count: pairs.filter(([a, b]) => a.score < b.score).length, of: pairs.length }),
    atMostCount(1),
    atMostCount(0)
  ],
  bare_scores: ["different scores, bare calls", "count", bareScores, bareBound(50), bareBound(70)],
  confident: [
    "confidence 0.8 or more",
    "share",
    ({ calls }) => share(calls, isConfident),
    atLeast(1, 3),
    null
  ],
  confident_same_level: [
    "confidence 0.8 or more, same level",
    "share",
    ({ calls }) => share(calls.filter(isConfident), isSame),
    atLeast(80),
    atLeast(90)
  ]
} as const satisfies Readonly<Record<string, MeasureRow>>

type MeasureName = keyof typeof rows

/** In the order in which they are shown. */
export const measureNames = Object.keys(rows) as ReadonlyArray<MeasureName>

export const measureAgreement = (answers: Answers): ReadonlyArray<Measure> =>
  measureNames.map((name) => {
    const [title, form, measure, enough, goal]: MeasureRow = rows[name]
    const fraction = measure(answers)
    const standard = (given: BoundOf): Standard => {
      const bound = typeof given === "function" ? given(fraction) : given
      return { text: boundText(bound, form), met: isMet(fraction, bound) }
    }
    return {
      name,
      title,
      form,
      ...fraction,
      enough: standard(enough),
      goal: goal === null ? null : standard(goal)
    }
  })
