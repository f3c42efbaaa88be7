/** The summary of a score: the figures and codes of an opinion without its texts, for comparing many opinions. */

import type { Action, ActionCategory, ActionClass } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { ActionRiskLevel, ControlType, RiskFactor } from "../../domain/Opinion.ts"
import type { Model, PolicySet } from "../Model.ts"
import { strongestControl } from "./control.ts"
import type { ActionWords } from "./lexicon/normalize.ts"
import { actionRiskLevelOf, raisedFactors } from "./opinion.ts"
import { prepareAction, scoreWithRange } from "./score.ts"

export interface ScoreSummary {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  readonly level: ActionRiskLevel
  readonly category: ActionCategory
  readonly class: ActionClass
  /** Ascending by code, those of customer policies last. */
  readonly factors: ReadonlyArray<Pick<RiskFactor, "code" | "category" | "severity">>
  readonly control: ControlType
}

/**
 * The figures of `score`, several times as fast: without missing information, messages and the summary for people.
 * `words`: what the model's lexicon reads in the action, for callers that know it already.
 */
export const scoreSummary = (
  action: Action,
  behavior: Behavior,
  model: Model,
  policies: PolicySet,
  words?: ActionWords
): ScoreSummary => {
  const prepared = prepareAction(action, behavior, model, policies, words)
  const { complete, confidencePercent, evaluation, score } = scoreWithRange(prepared)
  const { matches } = evaluation
  const level = actionRiskLevelOf(score, model.numbers)
  const factors = raisedFactors(matches)
  const { sufficientPercent } = model.numbers.confidence
  return {
    complete,
    score,
    level,
    category: prepared.stated.class.category,
    class: prepared.stated.normalized.class,
    factors,
    control: strongestControl({ complete, level, confidencePercent, sufficientPercent, factors, matches })
      .type
  }
}
