/** The parts of an opinion that are derived from its evaluations: levels, confidence, risk factors, assumptions, the summary. */

import type { Action } from "../domain/Action.ts"
import {
  type ActionRiskLevel,
  type Assumption,
  type ControlType,
  type Level,
  levels,
  type MissingInformation,
  type Opinion,
  type ReportedReading,
  type RiskFactor,
  severities
} from "../domain/Opinion.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import { toPoints } from "./arithmetic.ts"
import type { Fields, MissableField } from "./completeCall.ts"
import type { Evaluation, Matches } from "./evaluate.ts"
import { visibleText } from "./lookalike.ts"
import { noVerb } from "./reading/findVerbs.ts"
import type { Reading } from "./reading/readCall.ts"
import { renderMessage } from "./renderMessage.ts"

/** `score`: 0-100. */
export const levelOf = (score: number, { levels: floors }: Pick<Numbers, "levels">): Level =>
  levels.findLast((level) => score >= floors[level]) ?? "minimal"

/** Spec 2.2: the level of action risk is never `minimal`. */
export const actionRiskLevelOf = (score: number, numbers: Pick<Numbers, "levels">): ActionRiskLevel => {
  const level = levelOf(score, numbers)
  return level === "minimal" ? "low" : level
}

/** The blast radius as the opinion reports it, in whole points of 100. */
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

/** `entry`: that of the organization's catalogue which told the reading. */
export const reportReading = (
  { by, class: own, impact, object, provider, verb }: Reading,
  entry?: string
): ReportedReading => ({
  by,
  ...(entry === undefined ? {} : { entry }),
  ...(provider === undefined ? {} : { provider }),
  ...(verb === undefined ? {} : { verb }),
  ...(object === undefined ? {} : { object }),
  class: own,
  impact
})

/** By code points, so that no locale takes part. */
const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const policyFactorCode = "CUSTOMER_POLICY_MATCH"

/** `message` of a factor of the model is still a template. */
type RaisedFactor = RiskFactor & { readonly byPolicy: boolean }

/** The factors of an opinion: those of the model, then those that customer policies add. */
const raisedFactors = ({ policies, rules }: Matches): ReadonlyArray<RaisedFactor> => [
  ...rules.factors.map(({ category, code, message, severity }) => ({
    code,
    category,
    severity,
    message,
    byPolicy: false
  })),
  ...policies.matched.flatMap(({ factor }): ReadonlyArray<RaisedFactor> =>
    factor === undefined ? [] : [{ code: policyFactorCode, category: "policy", ...factor, byPolicy: true }]
  )
]

/**
 * Whether a factor rests on an assumption: with the mildest plausible values for what is missing it is not raised, or is milder.
 */
const restsOnAssumption = ({ byPolicy, code, severity }: RaisedFactor, mildest: Evaluation): boolean =>
  !byPolicy &&
  !mildest.matches.rules.factors.some(
    (one) => one.code === code && severities.indexOf(one.severity) >= severities.indexOf(severity)
  )

type ToldFactor = Omit<RaisedFactor, "assumed"> & { readonly assumed: boolean }

/** Whether what is missing is taken at the ordinary case: of a kind that is harmless by nature, or of a small act. */
export const isOrdinary = ({ class: own, reading }: Pick<StatedCall, "class" | "reading">): boolean =>
  own.harmless || reading.impact === "low"

/** The factors that an opinion tells. Of an ordinary action it tells no assumption: nobody needs to read of that. */
export const toldFactors = (
  matches: Matches,
  mildest: Evaluation,
  ordinary: boolean
): ReadonlyArray<ToldFactor> =>
  raisedFactors(matches).flatMap((factor) => {
    const assumed = restsOnAssumption(factor, mildest)
    return assumed && ordinary ? [] : [{ ...factor, assumed }]
  })

/** Stated ones first, then by severity, strongest first, then by code. */
export const listRiskFactors = (told: ReadonlyArray<ToldFactor>, facts: Facts): ReadonlyArray<RiskFactor> =>
  told
    .map(({ assumed, byPolicy, category, code, message, severity }): RiskFactor => ({
      code,
      category,
      severity,
      message: byPolicy ? message : renderMessage(message, facts),
      ...(assumed ? { assumed } : {})
    }))
    .toSorted(
      (a, b) =>
        Number(a.assumed === true) - Number(b.assumed === true) ||
        severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
        ascending(a.code, b.code) ||
        ascending(a.message, b.message)
    )

const recommendedWithControl: Partial<Record<ControlType, string>> = {
  SECONDARY_APPROVAL_RECOMMENDED: "REQUEST_SECOND_APPROVER"
}

/** The recommendation codes of the listed factors, the policies and the control. Sorted by code points, unique. */
export const listRecommendations = (
  { matches }: Pick<Evaluation, "matches">,
  factors: ReadonlyArray<RiskFactor>,
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
 * The values that were assumed for missing fields. A request that states them is valid and has exactly the same score (theorem T1).
 * An amount goes with its currency: one that is not stated is taken in US dollars, one without a currency in the dearest.
 */
export const assumptionsOf = (
  fields: Fields,
  dearest: string,
  stated: Pick<StatedCall, "currencyStated" | "value">,
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
  return stated.value === undefined && !stated.currencyStated && fields.value > 0
    ? [...listed, { field: "currency", assumed: "USD" }]
    : listed
}

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
 * Whole percent, rounded down: all where no plausible completion changes the level, else the share of the plausible range that
 * lies on the level, less for every contradiction, and capped for what was not read or not evaluated.
 */
export const confidencePercentOf = (
  { complete, contradictions, range, score, unread }: Confidence,
  numbers: Numbers
): number => {
  const { contradictionPercent, incompletePercentMax, percentMin, unreadPercentMax } = numbers.confidence
  const own = actionRiskLevelOf(score, numbers)
  let on = 0
  for (let at = range.low; at <= range.high; at++) if (actionRiskLevelOf(at, numbers) === own) on++
  let percent = Math.max(percentMin, Math.floor((hundred * on) / (range.high - range.low + 1)))
  for (let i = 0; i < contradictions; i++) percent = Math.floor((percent * contradictionPercent) / hundred)
  if (unread) percent = Math.min(percent, unreadPercentMax)
  if (!complete) percent = Math.min(percent, incompletePercentMax)
  return Math.max(1, percent)
}

type Told = Omit<Opinion, "summary">

const quotedMax = 60

/** Text of the caller, on one line, without what cannot be seen, cut where it is long. */
const quoted = (text: string): string => {
  const seen = visibleText(text).replace(/\s+/gu, " ").trim()
  const points = [...seen]
  return `“${points.length > quotedMax ? `${points.slice(0, quotedMax - 1).join("")}…` : seen}”`
}

const spaced = (name: string): string => name.replaceAll("_", " ")

const grouped = (figure: number): string =>
  Number.isSafeInteger(figure) ? String(figure).replace(/\B(?=(?:\d{3})+$)/g, ",") : String(figure)

const deed = ({ normalizedActionType, reading }: Told): string => {
  const [object = "", verb = ""] = normalizedActionType.split(".")
  if (reading?.class === "unknown") return `take an action that is not known (${spaced(object)})`
  return verb === noVerb ? `call ${spaced(object)}` : `${spaced(verb)} ${spaced(object)}`
}

const amountOf = ({ currency, financialValue }: Action): string =>
  financialValue === undefined || financialValue === 0
    ? ""
    : `, ${grouped(financialValue)} ${currency?.toUpperCase() ?? "in a currency that was not stated"}`

const countOf = ({ entitiesAffected, recordsAffected }: Action): string => {
  const count = Math.max(entitiesAffected ?? 0, recordsAffected ?? 0)
  return count > 1 ? `, ${grouped(count)} at once` : ""
}

const request = (action: Action, opinion: Told): string => {
  const who = action.agentId === undefined ? "An agent without a name" : quoted(action.agentId)
  const target = action.targetResource ?? action.targetSystem
  return [
    `${who} wants to ${deed(opinion)}`,
    target === undefined ? "" : ` (${quoted(target)})`,
    ` in ${action.environment}`,
    countOf(action),
    amountOf(action),
    action.destination === undefined ? "" : `, to ${quoted(action.destination)}`,
    "."
  ].join("")
}

/** The first reason of the control, which the factors give in the order of their weight. */
const mainReason = ({ riskFactors }: Told): string => riskFactors[0]?.message ?? "Nothing speaks against it."

const fromOn = ({ field, higher }: MissingInformation): string => {
  const from = higher?.from
  if (from === undefined) return spaced(field)
  return `${spaced(field)} ${typeof from === "number" ? `of ${grouped(from)} or more` : `“${spaced(String(from))}”`}`
}

const worse = ({ missingInformation }: Told): string => {
  const most = missingInformation.find(({ higher }) => higher !== undefined)
  return most?.higher === undefined ? "" : `It would be ${most.higher.level} with ${fromOn(most)}.`
}

/** One paragraph: who wants to do what, where, how much and to whom; the level; the main reason; what would make it worse. */
export const summarize = (opinion: Told, action: Action): string => {
  const { actionRisk, complete } = opinion
  return [
    request(action, opinion),
    `Action risk is ${actionRisk.level} (${actionRisk.score} of 100).`,
    mainReason(opinion),
    worse(opinion),
    complete
      ? ""
      : "A part of the evaluation failed and was taken at its worst, so this opinion is incomplete."
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}
