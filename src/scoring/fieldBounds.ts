/** What each missing field could still change: the exact highest and lowest score over every value that the API accepts for it. */

import { dataClassifications, reversibilities } from "../domain/Action.ts"
import { type ActionRiskLevel, actionRiskLevels } from "../domain/Opinion.ts"
import type { Currencies } from "./Model.ts"
import type { StatedCall } from "./StatedCall.ts"
import type { Fields, Known, MissableField } from "./completeCall.ts"

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
/** The name that is tried for a destination or an agent; `destination` and `agent` say how well it is known. */
const anyName = "x"

/** Counts are whole, and an amount has cents. */
const belowCount = 1
const belowAmount = 0.001
const twoDigitsMin = 10
const twoDigitsCount = 90

/** Exact up to 10^22, by multiplication: how a power is rounded differs between machines. */
const powerOfTen = (exponent: number): number => {
  let power = 1
  for (let i = 0; i < exponent; i++) power *= 10
  return power
}

/** The figures with two significant digits, ascending: 1 … 9, 10 … 99, 100, 110 … */
const twoDigitFigure = (index: number): number => {
  if (index < twoDigitsMin) return index
  const from = index - twoDigitsMin
  const decade = Math.floor(from / twoDigitsCount)
  return (twoDigitsMin + (from % twoDigitsCount)) * powerOfTen(decade)
}

/** The index of the largest figure of two digits that is at most `max`. */
const lastIndex = (max: number): number => {
  let index = twoDigitsMin
  while (twoDigitFigure(index + twoDigitsCount) <= max) index += twoDigitsCount
  while (twoDigitFigure(index + 1) <= max) index++
  return index
}
const lastCount = lastIndex(countMax)
/** Larger amounts count as the same, in every currency: see the cap in `money.ts`. */
const lastAmount = lastIndex(1e17)

interface Suppositions {
  /** One of these gives the lowest score, and one the highest. */
  readonly tried: ReadonlyArray<readonly [value: number | string | boolean | undefined, supposed: Supposed]>
  readonly figure?: Figure
}

interface Figure {
  /** The call in which the figure has this value. The score never falls as it rises from 1. */
  readonly at: (figure: number) => Supposed
  /** Index of the largest figure that makes a difference. */
  readonly last: number
  /** How far below it the next smaller figure is. */
  readonly below: number
}

/** Stating the value that was assumed scores as leaving the field out (theorem T1), so it need not be tried. */
const triedOf = <A extends number | string | boolean>(
  values: ReadonlyArray<A>,
  assumed: A,
  at: (value: A) => StatedCall
): Suppositions["tried"] =>
  values.filter((value) => value !== assumed).map((value) => [value, { stated: at(value) }] as const)

const figure = (
  assumed: number,
  last: number,
  below: number,
  at: (figure: number) => StatedCall
): Suppositions => ({
  // Zero may contradict another count, so that one can be milder.
  tried: triedOf([0, 1, twoDigitFigure(last)], assumed, at),
  figure: { at: (value) => ({ stated: at(value) }), last, below }
})

const suppose = (
  field: MissableField,
  stated: StatedCall,
  assumed: Fields,
  { cheapest, dearest, table }: Currencies
): Suppositions => {
  switch (field) {
    case "entities_affected":
      return figure(assumed.entities, lastCount, belowCount, (entities) => ({ ...stated, entities }))
    case "records_affected":
      return figure(assumed.records, lastCount, belowCount, (records) => ({ ...stated, records }))
    case "financial_value":
      return figure(assumed.value, lastAmount, belowAmount, (value) => ({ ...stated, value }))
    case "currency":
      return {
        tried: [cheapest, dearest].map(
          (code) =>
            [code, { stated: { ...stated, currencyStated: true, currency: table.get(code) } }] as const
        )
      }
    case "data_classification":
      return {
        tried: triedOf(dataClassifications, assumed.dataClassification, (dataClassification) => ({
          ...stated,
          dataClassification
        }))
      }
    case "reversibility":
      return {
        tried: triedOf(reversibilities, assumed.reversibility, (reversibility) => ({
          ...stated,
          reversibility
        }))
      }
    case "privilege_change":
      return {
        tried: triedOf([false, true], assumed.privilegeChange, (privilegeChange) => ({
          ...stated,
          privilegeChange
        }))
      }
    case "production_impact":
      return {
        tried: triedOf([false, true], assumed.productionImpact, (productionImpact) => ({
          ...stated,
          productionImpact
        }))
      }
    case "destination":
      return { tried: destinationsOf(stated) }
    case "agent_id":
      return { tried: agentsOf(stated) }
  }
}

const destinationsOf = (stated: StatedCall): Suppositions["tried"] =>
  (["best", "novel", "worst"] as const).map((destination) => [
    undefined,
    { stated: { ...stated, destination: anyName }, destination }
  ])

const agentsOf = (stated: StatedCall): Suppositions["tried"] =>
  (["best", "worst"] as const).map((agent) => [undefined, { stated: { ...stated, agentId: anyName }, agent }])

/** The figure from which on the score reaches `wanted`, rounded down to two digits, or undefined. By bisection: the score never falls. */
const firstReaching = (
  wanted: number,
  { at, below, last }: Figure,
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
  const reached = twoDigitFigure(high)
  return score(at(reached - below)) < wanted ? reached : twoDigitFigure(low)
}

/**
 * `assumed`: the fields at their reference. `own`: the score of the call. `score`: that of a call that is supposed.
 */
export const boundsOfField = (
  field: MissableField,
  stated: StatedCall,
  assumed: Fields,
  currencies: Currencies,
  own: number,
  levelFloors: Readonly<Record<ActionRiskLevel, number>>,
  score: (supposed: Supposed) => number
): FieldBounds => {
  const { figure: rising, tried } = suppose(field, stated, assumed, currencies)
  let couldRaiseTo = own
  let couldLowerTo = own
  const scores = tried.map(([value, supposed]) => [value, score(supposed)] as const)
  for (const [, one] of scores) {
    couldRaiseTo = Math.max(couldRaiseTo, one)
    couldLowerTo = Math.min(couldLowerTo, one)
  }
  const next = nextLevel(own, levelFloors)
  if (next === undefined || couldRaiseTo < levelFloors[next]) return { field, couldRaiseTo, couldLowerTo }
  const wanted = levelFloors[next]
  const from =
    rising === undefined ? scores.find(([, one]) => one >= wanted)?.[0] : firstReaching(wanted, rising, score)
  return {
    field,
    couldRaiseTo,
    couldLowerTo,
    higher: { level: next, ...(from === undefined ? {} : { from }) }
  }
}

/** The bounds of a field with further values that it may take, by the scores that these give. */
export const widenBounds = (
  { field, ...bounds }: FieldBounds,
  scores: ReadonlyArray<number>,
  own: number,
  levelFloors: Readonly<Record<ActionRiskLevel, number>>
): FieldBounds => {
  const couldRaiseTo = Math.max(bounds.couldRaiseTo, ...scores)
  const next = nextLevel(own, levelFloors)
  const higher = next === undefined || couldRaiseTo < levelFloors[next] ? undefined : { level: next }
  return {
    field,
    couldRaiseTo,
    couldLowerTo: Math.min(bounds.couldLowerTo, ...scores),
    ...(bounds.higher === undefined ? (higher === undefined ? {} : { higher }) : { higher: bounds.higher })
  }
}

const nextLevel = (
  own: number,
  levelFloors: Readonly<Record<ActionRiskLevel, number>>
): ActionRiskLevel | undefined => actionRiskLevels.slice(1).find((level) => levelFloors[level] > own)
