/** The gist of an opinion: its figures and codes without a word for people, for comparing many opinions. */

import type { Action, ActionCategory, ActionClass } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { ActionRiskLevel, ControlType, RiskFactor } from "../domain/Opinion.ts"
import type { Model, PolicySet } from "./Model.ts"
import { strongestControl } from "./control.ts"
import { converse, prepareAction } from "./evaluate.ts"
import type { ActionWords } from "./lexicon/normalize.ts"
import { actionRiskLevelOf, raisedFactors } from "./opinion.ts"
import { scoreWithRange } from "./score.ts"

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
 * What `score` says, several times as fast: missing information, messages and the summary are not worked out.
 * `words`: of the action under the model's lexicon, for callers that have read them already.
 */
export const scoreSummary = (
  action: Action,
  behavior: Behavior,
  model: Model,
  policies: PolicySet,
  words?: ActionWords
): ScoreSummary => {
  const it = prepareAction(action, behavior, model, words)
  const {
    complete,
    confidencePercent,
    score,
    evaluation: weighed
  } = converse(scoreWithRange(it), (facts) => ({
    rules: model.match(facts),
    policies: policies.match(facts)
  }))
  const level = actionRiskLevelOf(score, model.numbers)
  const factors = raisedFactors(weighed.matches)
  const { sufficientPercent } = model.numbers.confidence
  const { matches } = weighed
  return {
    complete,
    score,
    level,
    category: it.claims.class.category,
    class: it.claims.normalized.class,
    factors,
    control: strongestControl({ complete, level, confidencePercent, sufficientPercent, factors, matches })
      .type
  }
}
