/** Scores a little of everything at start, so that the first caller does not wait for code to be compiled. */

import { Effect } from "effect"
import { environments } from "../../domain/Action.ts"
import { actionClasses } from "../../domain/ActionType.ts"
import type { PreparedPolicySet } from "../../rules/policies/PreparedPolicySet.ts"
import type { Engine } from "./Engine.ts"

/** Enough for the runtime to notice that the path is hot; some tens of milliseconds. */
const rounds = 8

export const warmUp = Effect.fn("Scorer.warmUp")(function* (engine: Engine, policies: PreparedPolicySet) {
  for (let round = 0; round < rounds; round++) {
    for (const environment of environments) {
      for (const actionType of actionClasses)
        yield* engine({ actionType, environment }, "unavailable", policies)
    }
  }
})
