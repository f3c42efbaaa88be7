/** The opinion as it is told: figures rounded, factors rendered, the control chosen, a paragraph for people. */

import type { MissingInformation, Opinion } from "../domain/Opinion.ts"
import { toPoints } from "./basisPoints.ts"
import { reportBehavior } from "./behavioralContext.ts"
import { actionRiskLevelOf, levelOf } from "./level.ts"
import { assumptionsOf } from "./missing.ts"
import { listRecommendations } from "./recommendations.ts"
import { recommendControl } from "./recommendControl.ts"
import { listRiskFactors } from "./riskFactors.ts"
import type { Settled } from "./settle.ts"
import { summarize } from "./summarize.ts"
import type { Case } from "./weigh.ts"

export const report = (
  { behavior, claims, completions, model }: Case,
  { complete, confidencePercent, missing, range, score, weighed }: Settled,
  missingInformation: ReadonlyArray<MissingInformation>
): Opinion => {
  const { numbers } = model
  const { dimensions, matches } = weighed
  const level = actionRiskLevelOf(score, numbers)
  const blastRadius = toPoints(weighed.blastRadius)
  const riskFactors = listRiskFactors(weighed)
  const recommendedControl = recommendControl({
    complete,
    level,
    confidencePercent,
    sufficientPercent: numbers.confidence.sufficientPercent,
    factors: riskFactors,
    evaluation: weighed
  })
  const opinion = {
    complete,
    normalizedActionType: claims.normalized.type,
    actionCategory: claims.class.category,
    actionRisk: {
      score,
      level,
      confidence: confidencePercent / 100,
      range: { low: range.low, high: Math.max(range.high, score) }
    },
    blastRadius: {
      score: blastRadius,
      level: levelOf(blastRadius, numbers),
      dimensions: {
        financialImpact: toPoints(dimensions.financialImpact),
        entityImpact: toPoints(dimensions.entityImpact),
        dataImpact: toPoints(dimensions.dataImpact),
        operationalImpact: toPoints(dimensions.operationalImpact),
        privilegeImpact: toPoints(dimensions.privilegeImpact),
        reversibility: toPoints(dimensions.reversibility)
      }
    },
    riskFactors,
    recommendedControl,
    recommendations: listRecommendations(weighed, recommendedControl.type),
    behavioralContext: reportBehavior(behavior, claims, weighed.completed, numbers),
    policyContext: matches.policies.matched.map(({ effect, note, policy, rule }) => ({
      policy,
      rule,
      effect,
      ...(note === undefined ? {} : { note })
    })),
    assumptions: assumptionsOf(completions, model, missing),
    missingInformation
  }
  return { ...opinion, summary: summarize(opinion, claims) }
}
