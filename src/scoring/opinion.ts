/** The parts of an opinion that are derived from one evaluation: levels, risk factors, recommendations, assumptions. */

import {
  type ActionRiskLevel,
  type Assumption,
  type ControlType,
  type Level,
  levels,
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

export const reportReading = ({
  by,
  class: own,
  impact,
  object,
  provider,
  verb
}: Reading): ReportedReading => ({
  by,
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
