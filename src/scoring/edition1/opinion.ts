/** The parts of an opinion that are derived from one evaluation: levels, risk factors, recommendations, the summary. */

import {
  type ActionRiskLevel,
  type ControlType,
  type Dimensions,
  impactDimensions,
  type Level,
  levels,
  type Opinion,
  type RiskFactor,
  severities
} from "../../domain/Opinion.ts"
import { toPoints } from "../arithmetic.ts"
import { renderMessage } from "../renderMessage.ts"
import type { Numbers } from "./Model.ts"
import type { StatedAction } from "./StatedAction.ts"
import type { Evaluation, Matches } from "./actionRisk.ts"

/** By code points, so that no locale takes part. */
const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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

export const listRiskFactors = ({
  facts,
  matches
}: Pick<Evaluation, "facts" | "matches">): ReadonlyArray<RiskFactor> => {
  const rendered = raisedFactors(matches).map(
    ({ byPolicy, category, code, message, severity }): RiskFactor => ({
      code,
      category,
      severity,
      message: byPolicy ? message : renderMessage(message, facts)
    })
  )
  return rendered.toSorted(
    (a, b) =>
      severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
      ascending(a.code, b.code) ||
      ascending(a.message, b.message)
  )
}

const policyFactorCode = "CUSTOMER_POLICY_MATCH"

/** `message` of a factor of the model is still a template. */
type RaisedFactor = RiskFactor & { readonly byPolicy: boolean }

/** The factors of an opinion: those of the model, then those that customer policies add. */
export const raisedFactors = ({ policies, rules }: Matches): ReadonlyArray<RaisedFactor> => {
  const raised = rules.factors.map(({ category, code, message, severity }): RaisedFactor => ({
    code,
    category,
    severity,
    message,
    byPolicy: false
  }))
  for (const { factor } of policies.matched) {
    if (factor !== undefined)
      raised.push({ code: policyFactorCode, category: "policy", ...factor, byPolicy: true })
  }
  return raised
}

const recommendedWithControl: Partial<Record<ControlType, string>> = {
  SECONDARY_APPROVAL_RECOMMENDED: "REQUEST_SECOND_APPROVER"
}

/** The recommendation codes of the factors, the policies and the control. Sorted by code points, unique. */
export const listRecommendations = (
  { matches }: Pick<Evaluation, "matches">,
  control: ControlType
): ReadonlyArray<string> => {
  const codes = new Set<string>()
  for (const factor of matches.rules.factors) for (const code of factor.recommendations) codes.add(code)
  for (const policy of matches.policies.matched) for (const code of policy.recommendations) codes.add(code)
  const own = recommendedWithControl[control]
  if (own !== undefined) codes.add(own)
  return [...codes].toSorted()
}

const namedFactorsMax = 3

const spaced = (camelCase: string): string =>
  camelCase.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const spacedDimensions = impactDimensions.map((name) => ({ name, words: spaced(name) }))

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

/** The name of the largest dimension; of equal ones the first. */
const leading = (dimensions: Dimensions): string => {
  let led = ""
  let most = -1
  for (const { name, words } of spacedDimensions) {
    if (dimensions[name] > most) {
      most = dimensions[name]
      led = words
    }
  }
  return `${led} (${most})`
}

const factorsSentence = ({ riskFactors }: Omit<Opinion, "summary">): string => {
  if (riskFactors.length === 0) return "No risk factor applies."
  const named = [...new Set(riskFactors.map(({ code }) => code))].slice(0, namedFactorsMax).join(", ")
  return riskFactors.length === 1
    ? `One risk factor applies: ${named}.`
    : `${riskFactors.length} risk factors apply, first ${named}.`
}

const missingSentence = ({ actionRisk: { score }, missingInformation }: Omit<Opinion, "summary">): string => {
  const [most] = missingInformation
  if (most === undefined) return "Everything that is scored was stated."
  const count = missingInformation.length
  const alone = count === 1
  const unmoved = `stating ${alone ? "it" : "any one of them alone"} would not move the score`
  const moves = most.couldRaiseTo > score || most.couldLowerTo < score
  return `${alone ? "One field was" : `${count} fields were`} not stated and counted at a worst plausible reading; ${moves ? `${most.field} matters most` : unmoved}.`
}

/** One paragraph about an opinion. It contains figures and names of the result, and never text of the caller. */
export const summarize = (opinion: Omit<Opinion, "summary">, stated: StatedAction): string => {
  const { actionRisk, blastRadius, recommendedControl } = opinion
  return [
    `Action risk is ${actionRisk.level} (${actionRisk.score} of 100, between ${actionRisk.range.low} and ${actionRisk.range.high}) for ${article(stated.normalized.class)} action in ${stated.environment}.`,
    `Blast radius is ${blastRadius.level} (${blastRadius.score}), led by ${leading(blastRadius.dimensions)}.`,
    factorsSentence(opinion),
    missingSentence(opinion),
    ...(opinion.complete
      ? []
      : ["A part of the evaluation failed and was taken at its worst, so this opinion is incomplete."]),
    `Recommended control: ${recommendedControl.type}, priority ${recommendedControl.priority}.`
  ].join(" ")
}

/** `score`: 0-100. */
export const levelOf = (score: number, numbers: Numbers): Level =>
  levels.findLast((level) => score >= numbers.levels[level]) ?? "minimal"

/** Spec 2.2: the level of action risk is never `minimal`. */
export const actionRiskLevelOf = (score: number, numbers: Numbers): ActionRiskLevel => {
  const level = levelOf(score, numbers)
  return level === "minimal" ? "low" : level
}
