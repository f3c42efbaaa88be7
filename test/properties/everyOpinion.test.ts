/** Laws that hold for every opinion, whatever was asked. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import {
  type ControlType,
  controlTypes,
  impactDimensions,
  levels,
  type Opinion,
  severities,
  type Severity
} from "../../src/domain/Opinion.ts"
import { numbers } from "../oracle/files.ts"
import { call } from "../support/arbitrary/call.ts"
import { question } from "../support/arbitrary/question.ts"
import { type Asked, opineAny } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const isScore = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100

const levelOf = (score: number) => levels.findLast((level) => score >= numbers.levels[level])

const has = ({ riskFactors }: Opinion, severity: Severity): boolean =>
  riskFactors.some((factor) => factor.severity === severity)

/** Contract §5, applied to the reported factors. A graver factor may decide between staged execution and confirmation. */
const calledFor = (opinion: Opinion): ReadonlyArray<ControlType> => {
  const { level, confidence } = opinion.actionRisk
  const rows: ReadonlyArray<readonly [ControlType, boolean]> = [
    ["NO_ADDITIONAL_CONTROL_RECOMMENDED", true],
    ["ENHANCED_LOGGING_RECOMMENDED", level === "low" && has(opinion, "moderate")],
    ["CONTEXT_COMPLETION_RECOMMENDED", level === "low" && confidence < 0.5],
    ["STAGED_EXECUTION_RECOMMENDED", level === "moderate"],
    ["HUMAN_CONFIRMATION_RECOMMENDED", has(opinion, "high")],
    ["HUMAN_REVIEW_RECOMMENDED", level === "high"],
    ["SECONDARY_APPROVAL_RECOMMENDED", level === "critical" || has(opinion, "critical")],
    ["HUMAN_ESCALATION_RECOMMENDED", !opinion.complete]
  ]
  return rows.flatMap(([type, applies]) => (applies ? [type] : []))
}

const priorityOf = ({ actionRisk, recommendedControl: { type } }: Opinion): Severity => {
  if (type === "HUMAN_ESCALATION_RECOMMENDED") return "critical"
  if (type === "SECONDARY_APPROVAL_RECOMMENDED") return actionRisk.level === "critical" ? "critical" : "high"
  if (type === "HUMAN_REVIEW_RECOMMENDED") return "high"
  const light = type === "NO_ADDITIONAL_CONTROL_RECOMMENDED" || type === "ENHANCED_LOGGING_RECOMMENDED"
  return light ? "low" : "moderate"
}

const required = (opinion: Opinion, { policies }: Asked): ReadonlyArray<ControlType> =>
  policies.flatMap(({ control, id }) =>
    control !== undefined && opinion.policyContext.some(({ rule }) => rule === id) ? [control] : []
  )

const isAtLeast = (one: ControlType, other: ControlType): boolean =>
  controlTypes.indexOf(one) >= controlTypes.indexOf(other)

const ascending = (list: ReadonlyArray<string>): boolean =>
  list.every((one, at) => at === 0 || (list[at - 1] ?? "") < one)

theorems<Asked, Opinion>(fc.oneof(question(), call()), opineAny, {
  "scores are integers from 0 to 100, action risk from 1": ({ actionRisk, blastRadius }) =>
    [actionRisk.score, actionRisk.range.low, actionRisk.range.high].every(
      (one) => isScore(one) && one >= 1
    ) && [blastRadius.score, ...Object.values(blastRadius.dimensions)].every(isScore),

  "T2: the score lies in its range": ({ actionRisk: { range, score } }) =>
    range.low <= score && score <= range.high,

  "T5: the blast radius is at least every impact dimension": ({ blastRadius }) =>
    impactDimensions.every((name) => blastRadius.dimensions[name] <= blastRadius.score),

  "T7: an incomplete opinion is never low, never confident, and always goes to a human": (opinion) =>
    opinion.complete ||
    (opinion.actionRisk.score >= 40 &&
      opinion.actionRisk.confidence <= 0.3 &&
      opinion.recommendedControl.type === "HUMAN_ESCALATION_RECOMMENDED" &&
      opinion.riskFactors.some(({ code }) => code === "ASSESSMENT_DEGRADED")),

  "an opinion is incomplete exactly when history or a policy rule failed": (
    { complete },
    { behavior, policies }
  ) => complete === (behavior !== "unavailable" && !policies.some(({ broken }) => broken)),

  "confidence has two decimals between 0.01 and 1": ({ actionRisk: { confidence } }) =>
    confidence >= 0.01 && confidence <= 1 && confidence === Math.round(confidence * 100) / 100,

  "levels are the bands of their scores, and action risk is never minimal": ({ actionRisk, blastRadius }) =>
    blastRadius.level === levelOf(blastRadius.score) &&
    actionRisk.level === (actionRisk.score < numbers.levels.moderate ? "low" : levelOf(actionRisk.score)),

  "no score lies below the floor of a factor's severity": ({ actionRisk, riskFactors }) =>
    riskFactors.every(({ severity }) => actionRisk.score >= numbers.severity_floors[severity]),

  "factors stand what was stated before what is assumed, then in descending severity, then by code": ({
    riskFactors
  }) =>
    riskFactors.every((factor, at) => {
      const before = riskFactors[at - 1]
      if (before === undefined) return true
      const order = [
        Number(factor.assumed ?? false) - Number(before.assumed ?? false),
        severities.indexOf(before.severity) - severities.indexOf(factor.severity),
        factor.code >= before.code ? 1 : -1
      ].find((difference) => difference !== 0)
      return (order ?? 0) > 0
    }),

  "the recommended control is no weaker than what the opinion tells calls for, and than what a policy requires":
    (opinion, asked) =>
      [...calledFor(opinion), ...required(opinion, asked)].every((type) =>
        isAtLeast(opinion.recommendedControl.type, type)
      ),

  "the priority follows from the control and the level": (opinion) =>
    opinion.recommendedControl.priority === priorityOf(opinion),

  "a control has one to three reasons, none of them empty": ({ recommendedControl: { because } }) =>
    because.length >= 1 && because.length <= 3 && because.every((reason) => reason.trim() !== ""),

  "recommendations are sorted and unique": ({ recommendations }) => ascending(recommendations),

  "a second approver is requested exactly with secondary approval": ({
    recommendations,
    recommendedControl
  }) =>
    recommendations.includes("REQUEST_SECOND_APPROVER") ===
    (recommendedControl.type === "SECONDARY_APPROVAL_RECOMMENDED"),

  "missing information brackets the score, most influential first": ({
    actionRisk: { score },
    missingInformation
  }) =>
    missingInformation.every(({ couldLowerTo, couldRaiseTo }, at) => {
      const before = missingInformation[at - 1]
      const ordered = before === undefined || before.couldRaiseTo >= couldRaiseTo
      return ordered && couldLowerTo <= score && score <= couldRaiseTo
    }),

  "what is assumed is also listed as missing, but for the currency of an assumed amount": ({
    assumptions,
    missingInformation
  }) =>
    assumptions.every(
      ({ assumed, field }) =>
        missingInformation.some((information) => information.field === field) ||
        (field === "currency" && assumed === "USD")
    ),

  "context is called insufficient only where information is missing or contradictory": (opinion) =>
    opinion.missingInformation.length > 0 ||
    opinion.riskFactors.every(
      ({ code, severity }) => code !== "INSUFFICIENT_CONTEXT" || severity === "moderate"
    ),

  "messages leave no placeholder open": ({ recommendedControl, riskFactors, summary }) =>
    [summary, ...recommendedControl.because, ...riskFactors.map(({ message }) => message)].every(
      (sentence) => sentence !== "" && !/[{}]|undefined|NaN/.test(sentence)
    ),

  "every matched policy is in the policy context, and nothing else is": ({ policyContext }, { policies }) =>
    policyContext.every(({ rule }) => policies.some(({ id }) => id === rule)) &&
    policies.every(({ broken, id }) => !broken || policyContext.some(({ rule }) => rule === id)),

  "history that is not there is not compared with": ({ behavioralContext: context }) =>
    context.historicalComparisonAvailable
      ? context.sampleSize >= 1
      : isDeepStrictEqual(
          [
            context.sampleSize,
            context.entityVolumeMultiplier,
            context.financialValueMultiplier,
            context.velocityMultiplier
          ],
          [0, null, null, null]
        )
})
