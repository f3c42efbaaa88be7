/** The second rule release that `RULES_SHADOW` names, ready to score beside the one that is served; or none. */

import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../Config.ts"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import { PolicySets } from "../rules/PolicySets.ts"
import { RuleReleases } from "../rules/RuleReleases.ts"
import { type Gist, gistOf } from "../scoring/gist.ts"

export interface SecondRelease {
  readonly version: string
  /** SHA-256, hex. */
  readonly digest: string
  /** Synchronous: microseconds. Always by the compiled rules, whichever engine serves. */
  readonly score: (action: Action, behavior: Behavior, policySet: string) => Gist
}

export class ShadowRelease extends Context.Service<ShadowRelease, SecondRelease | null>()(
  "action-risk/assessment/ShadowRelease"
) {
  /** Opens with the rules that serve, so that a wrong name stops the start and nothing later. */
  static readonly layer = Layer.effect(
    ShadowRelease,
    Effect.gen(function* () {
      const { rulesShadow } = yield* AppConfig
      if (rulesShadow === null) return null
      const policySets = yield* PolicySets
      const { model } = yield* (yield* RuleReleases).open(rulesShadow)
      return {
        version: model.version,
        digest: model.digest,
        score: (action, behavior, policySet) =>
          gistOf(action, behavior, model, policySets.get(policySet).policySet)
      } satisfies SecondRelease
    })
  ).pipe(Layer.provide([RuleReleases.layer, PolicySets.layer]))
}
