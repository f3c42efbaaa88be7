/** A hand-written scorer: enough of an opinion to test the use case, without the model. */

import { Effect, Layer } from "effect"
import { type Scored, Scorer, type ScoringFailed } from "../../src/assessment/Scorer.ts"
import type { Action } from "../../src/domain/Action.ts"
import type { Behavior } from "../../src/domain/Behavior.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { destinationSummedUnder, type HistoryRecord } from "../../src/scoring/HistoryRecord.ts"
import { baseline } from "./baseline.ts"

export const historyRecord = (action: Action): HistoryRecord => {
  const { actionDescription: _, context: __, metadata: ___, ...scored } = action
  const destinationKey = action.destination?.trim().toLowerCase() ?? null
  return {
    normalizedActionType: action.actionType.toLowerCase(),
    actionClass: action.actionType.startsWith("read") ? "read" : "write",
    actionCategory: "data",
    production: action.environment === "production",
    changes: !action.actionType.startsWith("read"),
    agentId: action.agentId ?? null,
    destinationKey,
    destinationSummedUnder: destinationSummedUnder(destinationKey),
    statedEntities: action.entitiesAffected ?? null,
    statedUsdCents: action.financialValue === undefined ? null : Math.round(action.financialValue * 100),
    summedUnder: action.agentId ?? "",
    scoredEntities: action.entitiesAffected ?? 100,
    scoredUsdCents: Math.round((action.financialValue ?? 0) * 100),
    canonicalForm: JSON.stringify(Object.entries(scored).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

export const opinionOf = (action: Action, behavior: Behavior): Opinion => {
  const complete = behavior !== "unavailable"
  const today = complete ? behavior.today : undefined
  const seen = complete ? behavior.sampleSize + (today?.units ?? 0) : 0
  return {
    complete,
    normalizedActionType: historyRecord(action).normalizedActionType,
    reading: { by: "name", class: "write", impact: "low" },
    actionCategory: "data",
    actionRisk: {
      score: complete ? 12 : 88,
      level: complete ? "low" : "high",
      confidence: complete ? 0.9 : 0.3,
      range: { low: 5, high: 90 }
    },
    blastRadius: {
      score: 7,
      level: "minimal",
      dimensions: {
        financialImpact: 1,
        entityImpact: 2,
        dataImpact: 3,
        operationalImpact: 4,
        privilegeImpact: 5,
        reversibility: 6
      }
    },
    riskFactors: [{ code: "AGENT_UNIDENTIFIED", category: "identity", severity: "low", message: "no agent" }],
    recommendedControl: {
      type: complete ? "NO_ADDITIONAL_CONTROL_RECOMMENDED" : "HUMAN_ESCALATION_RECOMMENDED",
      priority: complete ? "low" : "critical",
      because: ["a reason"]
    },
    recommendations: ["PROVIDE_AGENT_ID"],
    saferAlternatives: [],
    behavioralContext: {
      historicalComparisonAvailable: seen > 0,
      baselineScope: "organization",
      sampleSize: seen,
      windowDays: 30,
      entityVolumeMultiplier: null,
      financialValueMultiplier: null,
      velocityMultiplier: null,
      destinationSeenBefore:
        today?.destinationSeen === true || (complete && (behavior.destination?.days ?? 0) > 0),
      actionTypeSeenBefore: today?.actionTypeSeen === true || (complete && behavior.actionTypeSeen)
    },
    policyContext: [{ policy: "starter", rule: "a-rule", effect: "annotate" }],
    assumptions: [{ field: "entities_affected", assumed: 100 }],
    missingInformation: [{ field: "entities_affected", couldRaiseTo: 90, couldLowerTo: 5 }],
    summary: "a summary"
  }
}

const scoreOf = (action: Action, behavior: Behavior): Scored => ({
  opinion: opinionOf(action, behavior),
  policyVersion: "starter@1.0.0+abcdef01",
  policyDigest: "cd".repeat(32),
  scoringMs: 0.12345,
  policyMs: 0.01
})

/** `before` runs ahead of each score: it may wait, or fail. */
export const plainScorer = (
  before: (action: Action) => Effect.Effect<void, ScoringFailed> = () => Effect.void
): Layer.Layer<Scorer> =>
  Layer.succeed(Scorer, {
    riskEngineVersion: "1.0.0+1.0.0.abcdef01",
    rulesDigest: "ab".repeat(32),
    baseline,
    isLong: (action) => action.metadata !== undefined,
    historyRecord,
    score: (action, behavior) => Effect.map(before(action), () => scoreOf(action, behavior))
  })
