/** How each missing field could still change the score: the exact highest and lowest score over every value that the API accepts for it. */

import { dataClassifications, reversibilities } from "../domain/Action.ts"
import { type ActionRiskLevel, actionRiskLevels } from "../domain/Opinion.ts"
import type { Currencies, Currency, RiskModel } from "./Model.ts"
import type { Anchors } from "./arithmetic.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import {
  type CompletedCall,
  completeAmount,
  completeCounts,
  currencyOf,
  type MissableField
} from "./completeCall.ts"
import { toUsdCents } from "./money.ts"

export interface FieldBounds {
  readonly field: MissableField
  readonly couldRaiseTo: number
  readonly couldLowerTo: number
  /** The next level above the current one, if the field can reach it, and the smallest value that does. */
  readonly higher?: { readonly level: ActionRiskLevel; readonly from?: number | string | boolean }
}

const countMax = Number.MAX_SAFE_INTEGER
/** A placeholder name for an agent; the fields state how well it is known. */
const anyName = "x"

const belowCount = 1
const twoDigitsMin = 10
const twoDigitsCount = 90

/** Exact up to 10^22. Multiplies, because the rounding of `**` differs between machines. */
const powerOfTen = (exponent: number): number => {
  let power = 1
  for (let i = 0; i < exponent; i++) power *= 10
  return power
}

/** The largest amount to try. Larger amounts count the same in every currency: see the cap in `money.ts`. */
const amountMax = 1e17

const figuresUpTo = (max: number): ReadonlyArray<number> => {
  const figures = Array.from({ length: twoDigitsMin }, (_, figure) => figure)
  for (let decade = 0; twoDigitsMin * powerOfTen(decade) <= max; decade++)
    for (let at = 0; at < twoDigitsCount; at++) figures.push((twoDigitsMin + at) * powerOfTen(decade))
  return figures.filter((figure) => figure <= max)
}

/** All figures with at most two significant digits, ascending: 0 … 9, 10 … 99, 100, 110 … */
const twoDigitFigures = figuresUpTo(amountMax)

const twoDigitFigure = (index: number): number => twoDigitFigures[index] ?? amountMax

/** The index of the smallest two-digit figure that is at least `min`. Binary search, because it is called often. */
const firstIndex = (min: number): number => {
  let low = 0
  let high = twoDigitFigures.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (twoDigitFigure(middle) < min) low = middle + 1
    else high = middle
  }
  return low
}
/** The index of the largest two-digit figure that is at most `max`. */
const lastIndex = (max: number): number => {
  const index = firstIndex(max)
  return twoDigitFigure(index) > max ? index - 1 : index
}
const lastCount = lastIndex(countMax)
const lastAmount = lastIndex(amountMax)

interface Figure {
  /** A figure whose score does not exceed that of the assumed one. */
  readonly least: number
  /** The call with this figure. Its score never falls as the figure rises from 1. */
  readonly at: (figure: number) => CompletedCall
  /** The index of the largest figure that makes a difference. */
  readonly last: number
  /** The smallest step between two figures: the next smaller figure is this much lower. */
  readonly below: number
  /** The scale of the figure, and how many of the figure's units make one unit of the scale. */
  readonly scale: Anchors
  readonly unit: number
}

type Tried = readonly [value: number | string | boolean | undefined, call: CompletedCall]

/** Calls to score, among them one with the lowest score and one with the highest. */
interface Suppositions {
  readonly tried: ReadonlyArray<Tried>
  /** Set if the tried values are only the ends of a range of figures. */
  readonly figure?: Figure
  /** The ordered values between the last two tried ones. Lazy, because few opinions need them. */
  readonly between?: () => ReadonlyArray<Tried>
}

/** Stating the assumed value scores the same as leaving the field out (theorem T1), so that value is skipped. */
const triedOf = <A extends number | string | boolean>(
  values: ReadonlyArray<A>,
  assumed: A,
  at: (value: A) => CompletedCall
): ReadonlyArray<Tried> =>
  values.filter((value) => value !== assumed).map((value) => [value, at(value)] as const)

/**
 * Tries the ends of an ordered list of values. The score never falls as the value rises from `least`. A stated value below `least` counts
 * as `least` and contradicts the call, so all such values have the same score.
 */
const supposeRanked = <A extends string>(
  order: ReadonlyArray<A>,
  least: A,
  assumed: A,
  at: (value: A) => CompletedCall
): Suppositions => {
  const from = order.indexOf(least)
  const ranked = order.slice(from).filter((value) => value !== assumed)
  const ends = [...order.slice(0, Math.min(from, 1)), ...ranked.slice(0, 1), ...ranked.slice(1).slice(-1)]
  return {
    tried: triedOf(ends, assumed, at),
    between: () => triedOf(ranked.slice(1, -1), assumed, at)
  }
}

/** `zeroContradicts`: zero may contradict another count, so one can score lower than zero. */
const supposeFigure = (assumed: number, figure: Figure, zeroContradicts: boolean): Suppositions => ({
  tried: triedOf([0, ...(zeroContradicts ? [1] : []), twoDigitFigure(figure.last)], assumed, figure.at),
  figure
})

/** The reference value of each count depends on the other count. */
const supposeCount = (
  count: "entities" | "records",
  { fields, stated }: CompletedCall,
  { numbers }: RiskModel
): Suppositions =>
  supposeFigure(
    fields[count],
    {
      at: (figure) => {
        const call = count === "entities" ? { ...stated, entities: figure } : { ...stated, records: figure }
        const { entities, records } = completeCounts(call, numbers)
        return { stated: call, fields: { ...fields, entities, records } }
      },
      least: fields[count],
      last: lastCount,
      below: belowCount,
      scale: numbers.anchors[count],
      unit: 1
    },
    !stated.class.harmless
  )

const nanosPerUsd = 1e9

/** The reference currency depends on the amount. */
const supposeAmount = (
  { fields, stated }: CompletedCall,
  { currencies, numbers }: RiskModel
): Suppositions => {
  const currency = currencyOf({ ...stated, value: 1 }, currencies)
  const at = (value: number): CompletedCall => ({
    stated: { ...stated, value },
    fields: { ...fields, currency, usdCents: toUsdCents(value, currency), value }
  })
  const { exponent, usdNanos } = currency
  return supposeFigure(
    fields.value,
    {
      at,
      least: currency === fields.currency ? fields.value : 0,
      last: lastAmount,
      // One minor unit, because an amount between two minor units counts as the larger one.
      below: 1 / powerOfTen(exponent),
      scale: numbers.anchors.usd,
      unit: nanosPerUsd / Number(usdNanos)
    },
    false
  )
}

const supposeCurrency = (
  { fields, stated }: CompletedCall,
  { currencies }: RiskModel
): Suppositions["tried"] =>
  telling(currencies).map(([code, stating]) => {
    const call: StatedCall = { ...stated, currencyStated: true, currency: stating }
    const { currency, usdCents } = completeAmount(call, currencies)
    return [code, { stated: call, fields: { ...fields, currency, usdCents } }] as const
  })

type PricedCurrency = readonly [code: string, currency: Currency]

const byWorth = ([a, { usdNanos: x }]: PricedCurrency, [b, { usdNanos: y }]: PricedCurrency): number =>
  x < y ? -1 : x > y ? 1 : a < b ? -1 : 1

/**
 * The cheapest currency, and every currency dearer than the assumed one. The assumed one is the dearest in circulation, but a caller may
 * state an ounce of gold. Ascending by value.
 */
const telling = ({ dearest, table }: Currencies): ReadonlyArray<PricedCurrency> => {
  const assumed = table.get(dearest)?.usdNanos ?? 0n
  let cheapest: PricedCurrency | undefined
  const dearer: Array<PricedCurrency> = []
  for (const one of table) {
    if (cheapest === undefined || byWorth(one, cheapest) < 0) cheapest = one
    if (one[1].usdNanos > assumed) dearer.push(one)
  }
  return cheapest === undefined ? dearer : [cheapest, ...dearer.toSorted(byWorth)]
}

const supposeClassification = ({ fields, stated }: CompletedCall): Suppositions =>
  supposeRanked(
    dataClassifications,
    dataClassifications[0],
    fields.dataClassification,
    (dataClassification) => ({
      stated: { ...stated, dataClassification },
      fields: { ...fields, dataClassification }
    })
  )

const supposeReversibility = ({ fields, stated }: CompletedCall): Suppositions =>
  supposeRanked(reversibilities, stated.class.reversibilityFloor, fields.reversibility, (reversibility) => ({
    stated: { ...stated, reversibility },
    fields: { ...fields, reversibility }
  }))

/** A missing destination is excluded, because its possible values depend on how the call is read with it: see `boundsOfDestination`. */
type FieldByItself = Exclude<MissableField, "destination">

/** The values to try for a missing field. */
const suppose = (field: FieldByItself, call: CompletedCall, model: RiskModel): Suppositions => {
  const { fields, stated } = call
  switch (field) {
    case "entities_affected":
      return supposeCount("entities", call, model)
    case "records_affected":
      return supposeCount("records", call, model)
    case "financial_value":
      return supposeAmount(call, model)
    case "currency":
      return { tried: supposeCurrency(call, model) }
    case "data_classification":
      return supposeClassification(call)
    case "reversibility":
      return supposeReversibility(call)
    case "privilege_change":
      return {
        tried: triedOf([false, true], fields.privilegeChange, (privilegeChange) => ({
          stated: { ...stated, privilegeChange },
          fields: { ...fields, privilegeChange }
        }))
      }
    case "production_impact":
      return {
        tried: triedOf([false, true], fields.productionImpact, (productionImpact) => ({
          stated: { ...stated, productionImpact },
          fields: { ...fields, productionImpact }
        }))
      }
    case "agent_id":
      return {
        tried: (["best", "worst"] as const).map((agent) => [
          undefined,
          { stated: { ...stated, agentId: anyName }, fields: { ...fields, agent } }
        ])
      }
  }
}

/**
 * The smallest figure at which the score reaches a level, rounded down to two digits. Bisects, because the score never falls: first over
 * the points of the scale, where rules have their thresholds too, then over two-digit figures. `reaches`: whether the score of a call
 * reaches the level. The last figure must reach it.
 */
const firstReaching = (
  { at, below, last, least, scale, unit }: Figure,
  reaches: (call: CompletedCall) => boolean
): number => {
  let low = lastIndex(least)
  let high = last
  const narrow = (index: number): void => {
    if (index <= low || index >= high) return
    if (reaches(at(twoDigitFigure(index)))) high = index
    else low = index
  }
  let from = 0
  let to = scale.length
  while (from < to) {
    const middle = (from + to) >> 1
    const index = firstIndex((scale[middle]?.[0] ?? 0) * unit)
    narrow(index)
    if (index < high) from = middle + 1
    else to = middle
  }
  const round = high
  const reachesBelow = (index: number): boolean => reaches(at(twoDigitFigure(index) - below))
  // A level usually begins at a round figure.
  if (!reachesBelow(round)) return twoDigitFigure(round)
  narrow(round - 1)
  for (let width = high - low; width > 1; width = high - low) narrow(low + (width >> 1))
  return twoDigitFigure(high === round || reachesBelow(high) ? low : high)
}

/**
 * The smallest value that reaches a level. `first`: the first tried value that does. If only the last tried value does, a smaller value
 * before it may do so as well.
 */
const firstOf = (
  first: Tried,
  { between, tried }: Suppositions,
  reaches: (call: CompletedCall) => boolean
): Tried[0] => {
  if (first !== tried.at(-1) || between === undefined) return first[0]
  const inner = between()
  return inner[inner.findLastIndex(([, call]) => !reaches(call)) + 1]?.[0] ?? first[0]
}

/** All levels except the lowest, which every score reaches. */
const higherLevels = actionRiskLevels.slice(1)

/** `reference`: the call as stated, with missing fields at their reference. `own`: its score. `score`: scores a trial call. */
export const boundsOfField = (
  field: FieldByItself,
  reference: CompletedCall,
  model: RiskModel,
  own: number,
  score: (supposed: CompletedCall) => number
): FieldBounds => {
  const { levels } = model.numbers
  const level = nextLevel(own, levels)
  const wanted = level === undefined ? Infinity : levels[level]
  const supposed = suppose(field, reference, model)
  const { figure, tried } = supposed
  let couldRaiseTo = own
  let couldLowerTo = own
  let first: Tried | undefined
  let last: Tried | undefined
  for (const one of tried) {
    const supposedScore = score(one[1])
    if (supposedScore > couldRaiseTo) couldRaiseTo = supposedScore
    if (supposedScore < couldLowerTo) couldLowerTo = supposedScore
    if (supposedScore < wanted) continue
    first ??= one
    last = one
  }
  if (level === undefined || first === undefined) return { field, couldRaiseTo, couldLowerTo }
  const reaches = (call: CompletedCall): boolean => score(call) >= wanted
  const from =
    figure === undefined
      ? firstOf(first, supposed, reaches)
      : last?.[0] === twoDigitFigure(figure.last)
        ? firstReaching(figure, reaches)
        : undefined
  return { field, couldRaiseTo, couldLowerTo, higher: from === undefined ? { level } : { level, from } }
}

/** Widens the bounds of a field by the scores of further values that it may take. */
export const widenBounds = (
  { couldLowerTo, couldRaiseTo, field, higher }: FieldBounds,
  scores: ReadonlyArray<number>,
  own: number,
  { levels }: Pick<Numbers, "levels">
): FieldBounds => {
  const widened = {
    field,
    couldRaiseTo: Math.max(couldRaiseTo, ...scores),
    couldLowerTo: Math.min(couldLowerTo, ...scores)
  }
  if (higher !== undefined) return { ...widened, higher }
  const level = nextLevel(own, levels)
  return level !== undefined && widened.couldRaiseTo >= levels[level]
    ? { ...widened, higher: { level } }
    : widened
}

const nextLevel = (own: number, levels: Numbers["levels"]): ActionRiskLevel | undefined =>
  higherLevels.find((level) => levels[level] > own)
