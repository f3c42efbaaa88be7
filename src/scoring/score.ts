/** The score: a pure function of the action, its organization's history, a rule release and a policy set. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import { deliberate } from "./deliberate.ts"
import { converse } from "./Deliberation.ts"
import type { Model, PolicySet } from "./Model.ts"

/** Synchronous and deterministic; equal arguments give equal opinions on every machine. */
export const score = (action: Action, behavior: Behavior, model: Model, policies: PolicySet): Opinion =>
  converse(deliberate(action, behavior, model), (facts) => ({
    rules: model.match(facts),
    policies: policies.match(facts)
  }))
