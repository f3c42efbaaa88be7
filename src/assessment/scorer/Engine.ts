/** A rule engine as the scorer asks it: an opinion, and the milliseconds that its policies took. */

import { Effect } from "effect"
import { setImmediate } from "node:timers/promises"
import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { Opinion } from "../../domain/Opinion.ts"
import type { PreparedPolicySet } from "../../rules/policies/PreparedPolicySet.ts"
import { scoringMsMax } from "../../Limits.ts"
import type { Prepared } from "../../rules/prepareModel.ts"
import { referenceRules } from "../../rules/reference.ts"
import { deliberate } from "../../scoring/deliberate.ts"
import { converse } from "../../scoring/Deliberation.ts"
import type { Words } from "../../scoring/Words.ts"
import { converseLater } from "./converseLater.ts"

export interface Answer {
  readonly opinion: Opinion
  readonly policyMs: number
}

/** What the words of an action say under the engine's release. */
export type WordsOf = (action: Action) => Words

/** Null: the answer took longer than it may. */
export type Engine = (
  action: Action,
  behavior: Behavior,
  policies: PreparedPolicySet
) => Effect.Effect<Answer | null>

/** Rules as closures: one synchronous stretch of work. */
export const compiledEngine =
  ({ model }: Prepared, wordsOf: WordsOf): Engine =>
  (action, behavior, { policySet }) =>
    Effect.sync(() => {
      let policyMs = 0
      const opinion = converse(deliberate(action, behavior, model, wordsOf(action)), (facts) => {
        const startedAtMs = performance.now()
        const policies = policySet.match(facts)
        policyMs += performance.now() - startedAtMs
        return { rules: model.match(facts), policies }
      })
      return { opinion, policyMs }
    })

/**
 * json-rules-engine itself: the same conversation, answered later. It runs on promises alone, so without a pause between
 * its answers no other request would be served, nor history be read in time, until an opinion is done.
 */
export const referenceEngine = ({ model, rules }: Prepared, wordsOf: WordsOf): Engine => {
  const matchRules = referenceRules(rules)
  return (action, behavior, { matchByReference }) =>
    Effect.promise(async () => {
      let policyMs = 0
      const opinion = await converseLater(
        deliberate(action, behavior, model, wordsOf(action)),
        async (facts) => {
          await setImmediate()
          const startedAtMs = performance.now()
          const policies = await matchByReference(facts)
          policyMs += performance.now() - startedAtMs
          return { rules: await matchRules(facts), policies }
        }
      )
      return { opinion, policyMs }
    }).pipe(Effect.timeoutOrElse({ duration: scoringMsMax, orElse: () => Effect.succeed(null) }))
}
