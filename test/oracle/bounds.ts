/** Finds what stating one missing field could do: by trying values, many of them if `thorough`, and by counting up to the next level. */

import { dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import { actionRiskLevels } from "../../src/domain/Opinion.ts"
import { codesByWorth, dearestCode, isKnownCurrency, minorDigitsOf } from "./money.ts"
import type { Question } from "./Question.ts"
import { evaluate } from "./evaluate.ts"
import { numbers } from "./files.ts"
import { atReference, countMax, rowOf, statedOf, type Supposed, type Taken } from "./taken.ts"

export const missingFieldsOf = (question: Question): ReadonlyArray<string> => {
  const stated = statedOf(question)
  const fields: ReadonlyArray<readonly [string, boolean]> = [
    ["entities_affected", stated.entities === undefined],
    ["records_affected", stated.records === undefined],
    ["financial_value", stated.amount === undefined],
    ["currency", !stated.saysCurrency && Number(stated.amount ?? 0) > 0],
    ["data_classification", stated.classification === undefined],
    ["reversibility", stated.reversibility === undefined],
    ["privilege_change", stated.privilegeChange === undefined],
    ["production_impact", stated.productionImpact === undefined],
    ["destination", !stated.destination],
    ["agent_id", !stated.agent]
  ]
  return fields.filter(([, missing]) => missing).map(([field]) => field)
}

type Fields = Partial<Question["action"]>

const scoreWith = (question: Question, fields: Fields, known: Partial<Taken> = {}): number => {
  const asked = { ...question, action: { ...question.action, ...fields } }
  return evaluate(asked, { ...atReference(asked), ...known }).score
}

const twoDigits = Array.from({ length: 90 }, (_, n) => n + 10)
const decades = Array.from({ length: 15 }, (_, n) => 10 ** n)
const fewFigures = [0, 1, 2, 99, 1_000, 100_000, 10_000_000, countMax]
const manyFigures = [0, 1, countMax, ...decades.flatMap((ten) => twoDigits.map((n) => n * ten))]
const fewAmounts = [...fewFigures, 0.001, Number.MAX_VALUE]
const manyAmounts = [...fewAmounts, 0.01, 0.99, 99.99, ...manyFigures]

/** The ends, and everything more valuable than circulating currencies. */
const fewCurrencies = [
  ...codesByWorth.slice(0, 1),
  "ZZZ",
  ...codesByWorth.slice(codesByWorth.indexOf(dearestCode))
]

/** Histories of a destination that is not named yet, after none or all of today. */
const destinations: ReadonlyArray<Supposed> = ["spotless", "new", "new and alike", "tried and alike"]

/** The call with a destination, in every reading that it can have then. */
const sentSomewhere = (question: Question): ReadonlyArray<Question> => {
  const { elsewhere = [question.words] } = question.words
  return elsewhere.map((words) => ({
    ...question,
    words,
    action: { ...question.action, destination: "somewhere" }
  }))
}

const levelOf = (score: number): number =>
  actionRiskLevels.slice(1).filter((name) => score >= numbers.levels[name]).length

/** A call that sends needs a destination. Otherwise a destination is reported only if it matters: for the score, or for the level of a harmless call. */
export const isTold = (
  question: Question,
  { couldLowerTo, couldRaiseTo, field }: ReturnType<typeof boundsOf>,
  own: number
): boolean => {
  const { egress, harmless } = rowOf(question)
  if (field !== "destination" || egress) return true
  const kept = (score: number): boolean => (harmless ? levelOf(score) === levelOf(own) : score === own)
  return !kept(couldRaiseTo) || !kept(couldLowerTo)
}

/** The score for each value that the API accepts, the mildest value first where values have an order. */
const scoresOf = (
  question: Question,
  field: string,
  thorough: boolean
): ReadonlyArray<readonly [value: string | number | boolean | undefined, score: number]> => {
  const each = <A extends string | number | boolean>(
    values: ReadonlyArray<A>,
    fields: (value: A) => Fields
  ) => values.map((value) => [value, scoreWith(question, fields(value))] as const)
  switch (field) {
    case "entities_affected":
      return each(thorough ? manyFigures : fewFigures, (entitiesAffected) => ({ entitiesAffected }))
    case "records_affected":
      return each(thorough ? manyFigures : fewFigures, (recordsAffected) => ({ recordsAffected }))
    case "financial_value":
      return each(thorough ? manyAmounts : fewAmounts, (financialValue) => ({ financialValue }))
    case "currency":
      return each(thorough ? [...codesByWorth, "ZZZ"] : fewCurrencies, (currency) => ({
        currency
      }))
    case "data_classification":
      return each(dataClassifications, (dataClassification) => ({ dataClassification }))
    case "reversibility":
      return each(reversibilities, (reversibility) => ({ reversibility }))
    case "privilege_change":
      return each([false, true], (privilegeChange) => ({ privilegeChange }))
    case "production_impact":
      return each([false, true], (productionImpact) => ({ productionImpact }))
    case "destination":
      return sentSomewhere(question).flatMap((asked) =>
        destinations.map((destination) => [undefined, scoreWith(asked, {}, { destination })] as const)
      )
    default:
      return (["spotless", "strange"] as const).map((agent) => [
        undefined,
        scoreWith(question, { agentId: "somebody" }, { agent })
      ])
  }
}

/** The smallest whole number from 1 on that reaches, or undefined. Every number above it reaches too. */
const smallest = (last: bigint, reaches: (n: bigint) => boolean): bigint | undefined => {
  if (!reaches(last)) return undefined
  let [below, at] = [0n, last]
  while (at - below > 1n) {
    const middle = (below + at) / 2n
    if (reaches(middle)) at = middle
    else below = middle
  }
  return at
}

const withTwoDigits = (n: bigint): number => {
  const text = String(n)
  return Number(text.slice(0, 2).padEnd(text.length, "0"))
}

/** Larger amounts exceed every scale, even in the cheapest currency. */
const amountMax = 10n ** 17n

const firstFigure = (question: Question, field: string, wanted: number): number | undefined => {
  const reaches = (fields: Fields): boolean => scoreWith(question, fields) >= wanted
  switch (field) {
    case "entities_affected":
      return numbered(smallest(BigInt(countMax), (n) => reaches({ entitiesAffected: Number(n) })))
    case "records_affected":
      return numbered(smallest(BigInt(countMax), (n) => reaches({ recordsAffected: Number(n) })))
    default: {
      const { currency } = question.action
      const unit = 10n ** BigInt(minorDigitsOf(isKnownCurrency(currency) ? currency : dearestCode))
      const minor = smallest(amountMax * unit, (n) =>
        reaches({ financialValue: Number(`${n}e-${String(unit).length - 1}`) })
      )
      return minor === undefined ? undefined : withTwoDigits(minor / unit)
    }
  }
}
const numbered = (n: bigint | undefined): number | undefined =>
  n === undefined ? undefined : withTwoDigits(n)

const figures = ["entities_affected", "records_affected", "financial_value"]

/** `own`: the score as reported. `least`: no score is below it. */
export const boundsOf = (
  question: Question,
  field: string,
  own: number,
  least: number,
  thorough: boolean
) => {
  const scores = scoresOf(question, field, thorough).map(
    ([value, score]) => [value, Math.max(least, score)] as const
  )
  const couldRaiseTo = Math.max(own, ...scores.map(([, score]) => score))
  const couldLowerTo = Math.min(own, ...scores.map(([, score]) => score))
  const level = actionRiskLevels.slice(1).find((name) => numbers.levels[name] > own)
  if (level === undefined || couldRaiseTo < numbers.levels[level])
    return { field, couldRaiseTo, couldLowerTo }
  const wanted = numbers.levels[level]
  const from = figures.includes(field)
    ? firstFigure(question, field, wanted)
    : scores.find(([, score]) => score >= wanted)?.[0]
  return { field, couldRaiseTo, couldLowerTo, higher: { level, ...(from === undefined ? {} : { from }) } }
}
