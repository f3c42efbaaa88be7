/**
 * T3: the effect of stating one field is exact. Every value that the API accepts for a reported field stays within its bounds, and both
 * ends are reached. A field that is not reported moves nothing, except that a destination of a harmless kind may move the score within its level.
 */

import fc from "fast-check"
import { type Action, dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import { actionRiskLevels, type MissingInformation, type Opinion } from "../../src/domain/Opinion.ts"
import { codesByWorth } from "../oracle/money.ts"
import type { Question } from "../oracle/Question.ts"
import { classRows, numbers } from "../oracle/files.ts"
import { count, money } from "../support/arbitrary/amounts.ts"
import { call } from "../support/arbitrary/call.ts"
import { opineCall, scoreCall } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

type Stating = Readonly<Record<string, string | number | boolean>>

const stating = (asked: Question, fields: Stating): Question => ({
  ...asked,
  action: { ...asked.action, ...(fields as Partial<Action>) }
})

const most = Number.MAX_SAFE_INTEGER
const currencies = [...codesByWorth, "ZZZ", "usd"]

/** Every value of an enumeration, the mildest first; for a figure, both ends and some values between. */
const valuesOf = (field: string, counts: ReadonlyArray<number>, amounts: ReadonlyArray<number>) => {
  const values: Readonly<Record<string, ReadonlyArray<Stating>>> = {
    entities_affected: [0, 1, ...counts, most].map((entitiesAffected) => ({ entitiesAffected })),
    records_affected: [0, 1, ...counts, most].map((recordsAffected) => ({ recordsAffected })),
    financial_value: [0, 1, ...amounts, Number.MAX_VALUE].map((financialValue) => ({ financialValue })),
    currency: currencies.map((currency) => ({ currency })),
    data_classification: dataClassifications.map((dataClassification) => ({ dataClassification })),
    reversibility: reversibilities.map((reversibility) => ({ reversibility })),
    privilege_change: [false, true].map((privilegeChange) => ({ privilegeChange })),
    production_impact: [false, true].map((productionImpact) => ({ productionImpact })),
    destination: [{ destination: "named" }],
    agent_id: [{ agentId: "named" }]
  }
  return values[field] ?? []
}

type Destination = NonNullable<BehaviorSnapshot["destination"]>

/** Every kind of history that a destination can have: never seen, just tried, and trusted, with little and with much. */
const seenDestinations = (sampleSize: number): ReadonlyArray<Destination> => {
  const never = { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false }
  if (sampleSize === 0) return [never]
  const seen = [
    { days: 1, firstSeenHours: 1 },
    { days: 2, firstSeenHours: 700 },
    { days: 30, firstSeenHours: 700 }
  ].flatMap((when) =>
    [0, 1e15].map((largest) => ({
      ...when,
      largestEntities: largest,
      largestUsdCents: largest,
      lookalike: false
    }))
  )
  return [never, ...seen].flatMap((one) => [one, { ...one, lookalike: true }])
}

const historiesOf = (field: string, behavior: Behavior): ReadonlyArray<Behavior> => {
  if (behavior === "unavailable") return [behavior]
  if (field === "destination") {
    const { otherSums } = behavior
    const sums = [{ entities: 0, usdCents: 0 }, otherSums.organization]
    return seenDestinations(behavior.sampleSize).flatMap((destination) => [
      { ...behavior, destination },
      ...sums.map((sum) => ({
        ...behavior,
        destination,
        otherSums: { ...otherSums, destination: sum }
      }))
    ])
  }
  return field === "agent_id" ? [true, false].map((agentSeen) => ({ ...behavior, agentSeen })) : [behavior]
}

type Drawn = readonly [asked: Question, counts: ReadonlyArray<number>, amounts: ReadonlyArray<number>]

/** The words of the call where that field is stated: only a destination adds words. */
const wordsWith = (field: string, { words }: Question): ReadonlyArray<Question["words"]> => {
  const { elsewhere, ...own } = words
  return field === "destination" ? (elsewhere ?? [own]) : [words]
}

/** The scores of the call with that field stated, for every value and every history. */
const scoresOf = (field: string, [asked, counts, amounts]: Drawn): ReadonlyArray<number> =>
  valuesOf(field, counts, amounts).flatMap((value) =>
    wordsWith(field, asked).flatMap((words) =>
      historiesOf(field, asked.behavior).map((behavior) =>
        scoreCall(stating({ ...asked, words, behavior }, value))
      )
    )
  )

const each = (
  { missingInformation }: Opinion,
  drawn: Drawn,
  holds: (bounds: MissingInformation, scores: ReadonlyArray<number>) => boolean
): boolean => missingInformation.every((bounds) => holds(bounds, scoresOf(bounds.field, drawn)))

const optionalFields: Readonly<Record<string, keyof Action>> = {
  entities_affected: "entitiesAffected",
  records_affected: "recordsAffected",
  financial_value: "financialValue",
  currency: "currency",
  data_classification: "dataClassification",
  reversibility: "reversibility",
  privilege_change: "privilegeChange",
  production_impact: "productionImpact",
  destination: "destination",
  agent_id: "agentId"
}

const isSilent = (value: unknown): boolean =>
  value === undefined || value === "unknown" || (typeof value === "string" && /^[\s\u200b]*$/u.test(value))

const levelOf = (score: number): number =>
  actionRiskLevels.slice(1).filter((level) => score >= numbers.levels[level]).length

/** The figure that stating an unreported field may not change. */
const kept = (field: string, { words }: Question, score: number): number =>
  field === "destination" && classRows[words.class].harmless && !words.alsoExports ? levelOf(score) : score

const unmoved = ({ actionRisk, missingInformation }: Opinion, drawn: Drawn): boolean => {
  const [asked] = drawn
  const told = new Set(missingInformation.map(({ field }) => field))
  const untold = Object.entries(optionalFields).filter(
    ([field, name]) => !told.has(field) && isSilent(asked.action[name])
  )
  return untold.every(([field]) =>
    scoresOf(field, drawn).every(
      (score) => kept(field, asked, score) === kept(field, asked, actionRisk.score)
    )
  )
}

const isFigure = (field: string): boolean => /_affected$|^financial_value$/.test(field)

/** The next two-digit figure. */
const oneStepAbove = (figure: number): number =>
  figure + (figure < 100 ? 1 : 10 ** (String(figure).length - 2))

/** The level is reached within one two-digit step above the reported figure, and not below it. */
const beginsAt = (asked: Question, { field, higher }: MissingInformation): boolean => {
  const from = higher?.from
  if (higher === undefined || typeof from !== "number") return true
  const reaches = (figure: number): boolean =>
    scoreCall(stating(asked, { [optionalFields[field] ?? field]: figure })) >= numbers.levels[higher.level]
  return reaches(oneStepAbove(from)) && (from <= 1 || !reaches(from - 1))
}

/** Among ordered values, the first that reaches the next level is reported; among others, none. */
const isFirst = (
  { couldRaiseTo, field, higher }: MissingInformation,
  own: number,
  scores: ReadonlyArray<number>
) => {
  const level = actionRiskLevels.slice(1).find((name) => numbers.levels[name] > own)
  if (level === undefined || couldRaiseTo < numbers.levels[level]) return higher === undefined
  if (higher?.level !== level) return false
  if (isFigure(field) || higher.from === undefined) return true
  const at = scores.findIndex((score) => score >= numbers.levels[level])
  return Object.values(valuesOf(field, [], [])[at] ?? {})[0] === higher.from
}

const few = { minLength: 4, maxLength: 4 }

theorems(fc.tuple(call(), fc.array(count(), few), fc.array(money(), few)), ([asked]) => opineCall(asked), {
  "T3: no value of a field leads outside its bounds": (left, drawn) =>
    each(left, drawn, ({ couldLowerTo, couldRaiseTo }, scores) =>
      scores.every((score) => couldLowerTo <= score && score <= couldRaiseTo)
    ),

  "T3: no value of a field that is not told moves the score, or the level of a harmless act": unmoved,

  "T3: both bounds are the scores of values": (left, drawn) =>
    each(
      left,
      drawn,
      ({ couldLowerTo, couldRaiseTo }, scores) =>
        Math.max(left.actionRisk.score, ...scores) === couldRaiseTo &&
        Math.min(left.actionRisk.score, ...scores) === couldLowerTo
    ),

  "T3: the figure that is told is where the next level begins": (left, [asked]) =>
    left.missingInformation.every((bounds) => beginsAt(asked, bounds)),

  "T3: the value that is told is the first that reaches the next level": (left, drawn) =>
    each(left, drawn, (bounds, scores) => isFirst(bounds, left.actionRisk.score, scores))
})
