/** What each missing field could still change: the exact highest and lowest score over every value that the API accepts for it. */

import { dataClassifications, reversibilities } from "../domain/Action.ts"
import { type ActionRiskLevel, actionRiskLevels } from "../domain/Opinion.ts"
import type { Currencies } from "./Model.ts"
import type { StatedCall } from "./StatedCall.ts"
import type { Known, MissableField } from "./completeCall.ts"

/** A call in which one missing field is stated, and how well its destination and its agent are known. */
export interface Supposed {
  readonly stated: StatedCall
  readonly destination?: Known
  readonly agent?: Known
}

export interface FieldBounds {
  readonly field: MissableField
  readonly couldRaiseTo: number
  readonly couldLowerTo: number
  /** The next level above that of the score, and the value from which on it is reached, where the field can reach it. */
  readonly higher?: { readonly level: ActionRiskLevel; readonly from?: number | string | boolean }
}

const countMax = Number.MAX_SAFE_INTEGER
const amountMax = Number.MAX_VALUE
/** The name that is tried for a destination or an agent; `destination` and `agent` say how well it is known. */
const anyName = "x"

interface Suppositions {
  /** One of these gives the lowest score, and one the highest. */
  readonly tried: ReadonlyArray<readonly [value: number | string | boolean | undefined, supposed: Supposed]>
  /** Of a figure: the call in which it has this value. The score never falls as it rises from 1. */
  readonly at?: (figure: number) => Supposed
  readonly max?: number
}

const figure = (at: (figure: number) => Supposed, max: number): Suppositions => ({
  // Zero may contradict another count, so that one can be milder.
  tried: [0, 1, max].map((value) => [value, at(value)] as const),
  at,
  max
})

const oneOf = <A extends string | boolean>(
  values: ReadonlyArray<A>,
  at: (value: A) => StatedCall
): Suppositions => ({ tried: values.map((value) => [value, { stated: at(value) }] as const) })

const suppose = (stated: StatedCall, { cheapest, dearest, table }: Currencies) =>
  ({
    entities_affected: () => figure((entities) => ({ stated: { ...stated, entities } }), countMax),
    records_affected: () => figure((records) => ({ stated: { ...stated, records } }), countMax),
    financial_value: () => figure((value) => ({ stated: { ...stated, value } }), amountMax),
    currency: () =>
      oneOf([cheapest, dearest], (code) => ({ ...stated, currencyStated: true, currency: table.get(code) })),
    data_classification: () =>
      oneOf(dataClassifications, (dataClassification) => ({ ...stated, dataClassification })),
    reversibility: () => oneOf(reversibilities, (reversibility) => ({ ...stated, reversibility })),
    privilege_change: () => oneOf([false, true], (privilegeChange) => ({ ...stated, privilegeChange })),
    production_impact: () => oneOf([false, true], (productionImpact) => ({ ...stated, productionImpact })),
    destination: () => ({
      tried: (["best", "novel", "worst"] as const).map(
        (destination) => [undefined, { stated: { ...stated, destination: anyName }, destination }] as const
      )
    }),
    agent_id: () => ({
      tried: (["best", "worst"] as const).map(
        (agent) => [undefined, { stated: { ...stated, agentId: anyName }, agent }] as const
      )
    })
  }) satisfies Readonly<Record<MissableField, () => Suppositions>>

const twoDigitsMin = 10
const twoDigitsCount = 90

/** The figures with two significant digits, ascending: 1 … 9, 10 … 99, 100, 110 … */
const twoDigitFigure = (index: number): number => {
  if (index < twoDigitsMin) return index
  const from = index - twoDigitsMin
  const decade = Math.floor(from / twoDigitsCount)
  return (twoDigitsMin + (from % twoDigitsCount)) * 10 ** decade
}

/** The index of the largest figure of two digits that is at most `max`. */
const lastIndex = (max: number): number => {
  let index = twoDigitsMin
  while (twoDigitFigure(index + twoDigitsCount) <= max) index += twoDigitsCount
  while (twoDigitFigure(index + 1) <= max) index++
  return index
}
const lastCount = lastIndex(countMax)
/** Amounts above this change nothing: every scale has ended. */
const lastAmount = lastIndex(1e15)

/** The smallest figure of two digits from which on the score reaches `wanted`, or undefined. By bisection: the score never falls. */
const firstReaching = (
  wanted: number,
  at: (figure: number) => Supposed,
  last: number,
  score: (supposed: Supposed) => number
): number | undefined => {
  if (score(at(twoDigitFigure(last))) < wanted) return undefined
  let low = 0
  let high = last
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (score(at(twoDigitFigure(middle))) >= wanted) high = middle
    else low = middle
  }
  return twoDigitFigure(high)
}

export const boundsOfField = (
  field: MissableField,
  stated: StatedCall,
  currencies: Currencies,
  own: number,
  levelFloors: Readonly<Record<ActionRiskLevel, number>>,
  score: (supposed: Supposed) => number
): FieldBounds => {
  const { at, max, tried }: Suppositions = suppose(stated, currencies)[field]()
  const scores = tried.map(([value, supposed]) => [value, score(supposed)] as const)
  const couldRaiseTo = scores.reduce((most, [, one]) => Math.max(most, one), own)
  const couldLowerTo = scores.reduce((least, [, one]) => Math.min(least, one), own)
  const next = actionRiskLevels.find((level) => levelFloors[level] > own)
  if (next === undefined || couldRaiseTo < levelFloors[next]) return { field, couldRaiseTo, couldLowerTo }
  const wanted = levelFloors[next]
  const from =
    at === undefined
      ? scores.find(([, one]) => one >= wanted)?.[0]
      : firstReaching(wanted, at, max === amountMax ? lastAmount : lastCount, score)
  return { field, couldRaiseTo, couldLowerTo, higher: { level: next, ...(from === undefined ? {} : { from }) } }
}
