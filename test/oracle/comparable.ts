/** The parts of an opinion by which the scorer and the oracle are compared. */

import type { Opinion } from "../../src/domain/Opinion.ts"

/** Everything that the oracle computes: all except sentences and words. */
export const comparable = (scored: Opinion) => ({
  complete: scored.complete,
  actionCategory: scored.actionCategory,
  actionRisk: scored.actionRisk,
  blastRadius: scored.blastRadius,
  riskFactors: scored.riskFactors.map(({ assumed, category, code, severity }) => ({
    code,
    severity,
    category,
    ...(assumed === true ? { assumed } : {})
  })),
  recommendedControl: { type: scored.recommendedControl.type, priority: scored.recommendedControl.priority },
  recommendations: scored.recommendations,
  behavioralContext: scored.behavioralContext,
  policyContext: scored.policyContext.map(({ effect, rule }) => ({ rule, effect })),
  assumptions: scored.assumptions,
  missingInformation: scored.missingInformation
})
