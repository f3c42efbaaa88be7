/** The whole score of a case, with everything that it asked the rules on the way. */

import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { Opinion } from "../../domain/Opinion.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { Model, PolicySet } from "../../scoring/Model.ts"
import { score } from "../../scoring/score.ts"
import { type Situation, snapshotOf } from "../cases.ts"
import type { Fault } from "./Case.ts"

/** What the score takes. It depends on the model's numbers and words, never on its rules. */
export interface Question {
  readonly action: Action
  readonly behavior: Behavior
  readonly policiesFail: boolean
}

export const questionOf = (situation: Situation, fault: Fault | undefined, model: Model): Question => ({
  action: situation.request,
  behavior: fault === "history" ? "unavailable" : snapshotOf(situation, model),
  policiesFail: fault === "policy"
})

export interface Hearing {
  readonly opinion: Opinion
  /** In the order of the score's questions. */
  readonly asked: ReadonlyArray<Facts>
  /** The facts of the first question, with missing fields at their reference: typologies are judged by these. */
  readonly first: Facts
  /** The facts of the question that the opinion shows: the first one's, and what only the rest of the score tells. */
  readonly reported: Facts
}

const tellsOfTheScore = (facts: Facts): boolean =>
  facts.confidence_percent_missing > 0 || facts.gate_applied || facts.assessment_degraded

export const hear = (
  { action, behavior, policiesFail }: Question,
  model: Model,
  policies: PolicySet
): Hearing => {
  const asked: Array<Facts> = []
  const match = (facts: Facts) => {
    asked.push(facts)
    return model.match(facts)
  }
  const set = policiesFail ? { ...policies, match: () => ({ matched: [], incomplete: true }) } : policies
  const opinion = score(action, behavior, { ...model, match }, set)
  const [first] = asked
  if (first === undefined) throw new Error("a score asks its rules")
  // Invariant: the reported question differs from the first by what it tells of the score, or by nothing that rules see.
  return { opinion, asked, first, reported: asked.find(tellsOfTheScore) ?? first }
}
