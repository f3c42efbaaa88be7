/** The gist of an opinion: its figures and codes without a word for people, for comparing many opinions. */

import type { Behavior } from "../domain/Behavior.ts"
import type { Action } from "../domain/Action.ts"
import type { ActionCategory, ActionClass } from "../domain/ActionType.ts"
import type { ControlType } from "../domain/Control.ts"
import type { ActionRiskLevel } from "../domain/Level.ts"
import type { RiskFactor } from "../domain/RiskFactor.ts"
import { converse } from "./Deliberation.ts"
import { actionRiskLevelOf } from "./level.ts"
import type { Model, PolicySet } from "./Model.ts"
import { raisedFactors } from "./raisedFactors.ts"
import { settle } from "./settle.ts"
import { strongestControl } from "./strongestControl.ts"
import { openCase } from "./weigh.ts"
import type { Words } from "./Words.ts"

export interface Gist {
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
export const gistOf = (
  action: Action,
  behavior: Behavior,
  model: Model,
  policies: PolicySet,
  words?: Words
): Gist => {
  const it = openCase(action, behavior, model, words)
  const { complete, confidencePercent, score, weighed } = converse(settle(it), (facts) => ({
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
