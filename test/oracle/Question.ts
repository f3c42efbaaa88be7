/** What the oracle is asked: an action whose words are already understood, its history, and a few customer policies. */

import type { Action } from "../../src/domain/Action.ts"
import type { Behavior } from "../../src/domain/Behavior.ts"
import type { ControlType, PolicyEffect, Severity } from "../../src/domain/Opinion.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import type { NormalizedAction } from "../../src/scoring/edition1/NormalizedAction.ts"

/** What a person says of the words, so that the oracle needs no lexicon. */
export interface Words extends Omit<NormalizedAction, "type"> {
  /** A target or the destination names production. */
  readonly production: boolean
  /** The target resource is `*`, `all` or `%`. */
  readonly everything: boolean
}

export type PolicyFacts = Pick<
  Facts,
  | "action_class"
  | "environment_rank"
  | "entities_affected"
  | "financial_value_usd_cents"
  | "data_classification_rank"
  | "privilege_change"
  | "destination_novel"
  | "agent_missing"
>

export interface Policy {
  readonly id: string
  readonly when: (facts: PolicyFacts) => boolean
  /** The rule cannot be evaluated; it counts as matched. */
  readonly broken: boolean
  readonly effect: PolicyEffect
  readonly floor?: number
  readonly severity?: Severity
  readonly control?: ControlType
  readonly recommendations: ReadonlyArray<string>
}

export interface Question {
  readonly action: Action
  readonly words: Words
  readonly behavior: Behavior
  /** The destination is stated, and novel and stepped up at once: more than any real one can be. */
  readonly worstDestination?: true
  readonly policies: ReadonlyArray<Policy>
}
