/** The parts of an opinion that are derived from its evaluations: levels, confidence, risk factors, assumptions, the summary. */

import type { Action } from "../domain/Action.ts"
import {
  type ActionRiskLevel,
  actionRiskLevels,
  type Assumption,
  type ControlType,
  type Level,
  levels,
  type Opinion,
  type ReportedReading,
  type RiskFactor
} from "../domain/Opinion.ts"
import type { Currencies } from "./Model.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { interpolate, toPoints } from "./arithmetic.ts"
import type { Fields, MissableField } from "./completeCall.ts"
import type { Evaluation } from "./evaluate.ts"
import type { Reading } from "./reading/readCall.ts"

/** `score`: 0-100. */
export const levelOf = (score: number, { levels: floors }: Pick<Numbers, "levels">): Level =>
  levels.findLast((level) => score >= floors[level]) ?? "minimal"

/** Spec 2.2: the level of action risk is never `minimal`. */
export const actionRiskLevelOf = (score: number, numbers: Pick<Numbers, "levels">): ActionRiskLevel => {
  const level = levelOf(score, numbers)
  return level === "minimal" ? "low" : level
}

/** The blast radius as reported, in whole points of 100. */
export const reportBlastRadius = (
  { blastRadius, dimensions }: Pick<Evaluation, "blastRadius" | "dimensions">,
  numbers: Numbers
): Opinion["blastRadius"] => {
  const score = toPoints(blastRadius)
  return {
    score,
    level: levelOf(score, numbers),
    dimensions: {
      financialImpact: toPoints(dimensions.financialImpact),
      entityImpact: toPoints(dimensions.entityImpact),
      dataImpact: toPoints(dimensions.dataImpact),
      operationalImpact: toPoints(dimensions.operationalImpact),
      privilegeImpact: toPoints(dimensions.privilegeImpact),
      reversibility: toPoints(dimensions.reversibility)
    }
  }
}

/** `entry`: the entry in the organization's catalogue that gave the reading. */
export const reportReading = (
  { by, class: own, impact, object, provider, toldBy, verb }: Reading,
  entry?: string
): ReportedReading => ({
  by,
  ...(entry === undefined ? {} : { entry }),
  ...(provider === undefined ? {} : { provider }),
  ...(verb === undefined ? {} : { verb }),
  ...(object === undefined ? {} : { object }),
  class: own,
  impact,
  ...(toldBy === undefined || toldBy.counted.length === 0 ? {} : { arguments: toldBy.counted }),
  ...(toldBy === undefined || toldBy.unread.length === 0 ? {} : { unread: toldBy.unread })
})

export const reportPolicies = ({ matches }: Pick<Evaluation, "matches">): Opinion["policyContext"] =>
  matches.policies.matched.map(({ effect, note, policy, rule }) => ({
    policy,
    rule,
    effect,
    ...(note === undefined ? {} : { note })
  }))

const recommendedWithControl: Partial<Record<ControlType, string>> = {
  SECONDARY_APPROVAL_RECOMMENDED: "REQUEST_SECOND_APPROVER"
}

/** The recommendation codes of the factors that count, of the policies and of the control. Sorted by code point, without duplicates. */
export const listRecommendations = (
  { matches }: Pick<Evaluation, "matches">,
  factors: ReadonlyArray<Pick<RiskFactor, "code">>,
  control: ControlType
): ReadonlyArray<string> => {
  const told = new Set(factors.map(({ code }) => code))
  const codes = new Set<string>()
  for (const factor of matches.rules.factors)
    if (told.has(factor.code)) for (const code of factor.recommendations) codes.add(code)
  for (const policy of matches.policies.matched) for (const code of policy.recommendations) codes.add(code)
  const own = recommendedWithControl[control]
  if (own !== undefined) codes.add(own)
  return [...codes].toSorted()
}

/**
 * The values assumed for missing fields. A request that states them is valid and has exactly the same score (theorem T1). An amount comes
 * with its currency: a missing amount is assumed in US dollars, an amount without a currency in the dearest one.
 */
export const assumptionsOf = (
  fields: Fields,
  { dearest, table }: Currencies,
  stated: Pick<StatedCall, "currency" | "value">,
  missing: ReadonlyArray<MissableField>
): ReadonlyArray<Assumption> => {
  const assumed: Partial<Record<MissableField, string | number | boolean>> = {
    entities_affected: fields.entities,
    records_affected: fields.records,
    financial_value: fields.value,
    currency: dearest,
    data_classification: fields.dataClassification,
    reversibility: fields.reversibility,
    privilege_change: fields.privilegeChange,
    production_impact: fields.productionImpact
  }
  const listed = missing.flatMap((field): ReadonlyArray<Assumption> => {
    const value = assumed[field]
    return value === undefined ? [] : [{ field, assumed: value }]
  })
  const usd = table.get("USD")
  return stated.value === undefined && fields.value > 0 && fields.currency === usd && stated.currency !== usd
    ? [...listed, { field: "currency", assumed: "USD" }]
    : listed
}

/** The values that the tool's arguments give for missing fields. Stating them would change nothing. */
export const assumptionsOfArguments = (
  action: Action,
  { currency, destination, entities, reading: { toldBy }, records, value }: StatedCall
): ReadonlyArray<Assumption> => {
  const amount = toldBy?.amounts.find((one) => one.value === value)
  const rows = [
    ["entities_affected", action.entitiesAffected, entities, toldBy?.entities?.path],
    ["records_affected", action.recordsAffected, records, toldBy?.records?.path],
    ["financial_value", action.financialValue, value, amount?.path],
    ["currency", action.currency, currency === undefined ? undefined : amount?.currency, amount?.path],
    ["destination", action.destination, destination, toldBy?.destination?.path]
  ] as const
  return rows.flatMap(([field, stated, assumed, argument]): ReadonlyArray<Assumption> =>
    stated !== undefined || assumed === undefined || argument === undefined
      ? []
      : [{ field, assumed, argument }]
  )
}

/** The highest confidence of an opinion with this score, in whole percent. */
export const surePercentAt = (score: number, { confidence: { atScore } }: Numbers): number =>
  interpolate(atScore, score)

interface Confidence {
  readonly score: number
  readonly range: { readonly low: number; readonly high: number }
  readonly contradictions: number
  readonly complete: boolean
  /** The verb is unknown, or the command was not understood. */
  readonly unread: boolean
}

const hundred = 100

/**
 * In whole percent, rounded down: 100 if no plausible completion changes the level, otherwise the share of the plausible range that lies
 * within the level. Each contradiction lowers it. It is capped for calls that were not read or not evaluated.
 */
export const confidencePercentOf = (
  { complete, contradictions, range, score, unread }: Confidence,
  numbers: Numbers
): number => {
  const { contradictionPercent, incompletePercentMax, percentMin, unreadPercentMax } = numbers.confidence
  const own = actionRiskLevels.indexOf(actionRiskLevelOf(score, numbers))
  const [level, next] = [actionRiskLevels[own], actionRiskLevels[own + 1]]
  const from = own === 0 || level === undefined ? 0 : numbers.levels[level]
  const end = next === undefined ? hundred + 1 : numbers.levels[next]
  const on = Math.min(range.high + 1, end) - Math.max(range.low, from)
  let percent = Math.max(percentMin, Math.floor((hundred * on) / (range.high - range.low + 1)))
  for (let i = 0; i < contradictions; i++) percent = Math.floor((percent * contradictionPercent) / hundred)
  if (unread) percent = Math.min(percent, unreadPercentMax)
  if (!complete) percent = Math.min(percent, incompletePercentMax)
  return Math.max(1, percent)
}
