/** The figures and codes of an opinion without its texts, for comparing many opinions. */

import type { Action, ActionCategory, ActionClass } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { ActionRiskLevel, ControlType, RiskFactor } from "../domain/Opinion.ts"
import type { PolicySet, RiskModel } from "./Model.ts"
import { strongestControl } from "./control.ts"
import { actionRiskLevelOf } from "./opinion.ts"
import type { Reading } from "./reading/readCall.ts"
import { scoreKnown, waysToScore } from "./score.ts"
import { countedFactors, toldFactors } from "./telling/toldFactors.ts"

export interface ScoreSummary {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  readonly level: ActionRiskLevel
  readonly category: ActionCategory
  readonly class: ActionClass
  /** Ascending by code, with factors of customer policies last. */
  readonly factors: ReadonlyArray<Pick<RiskFactor, "code" | "category" | "severity">>
  readonly control: ControlType
}

/** A summary with its confidence. */
export interface SureSummary extends ScoreSummary {
  /** In whole percent. */
  readonly confidencePercent: number
}

/** The figures of `score` without missing information, messages and the written summary. Several times as fast. */
export const scoreSummary = (
  action: Action,
  behavior: Behavior,
  model: RiskModel,
  policies: PolicySet,
  reading?: Reading
): SureSummary => {
  const { scored, way } = scoreKnown(waysToScore(action, reading, { behavior, model, policies }))
  const { stated } = way.known
  const { matches } = scored.evaluation
  const level = actionRiskLevelOf(scored.score, model.numbers)
  const counted = countedFactors(scored, stated, level)
  return {
    complete: scored.complete,
    score: scored.score,
    level,
    confidencePercent: scored.confidencePercent,
    category: stated.class.category,
    class: stated.reading.class,
    factors: toldFactors(counted),
    control: strongestControl({
      complete: scored.complete,
      level,
      confidencePercent: scored.confidencePercent,
      sufficientPercent: model.numbers.confidence.sufficientPercent,
      factors: counted,
      matches
    }).type
  }
}
