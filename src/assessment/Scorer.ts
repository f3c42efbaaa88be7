/** The scorer: the rule release and policy sets that this process serves, behind one question. */

import { Context, Effect, identity, Layer, Schema, Semaphore } from "effect"
import { AppConfig } from "../Config.ts"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import { scoringMsMax } from "../Limits.ts"
import { rememberedWords } from "../rules/rememberedWords.ts"
import { PolicySets } from "../rules/PolicySets.ts"
import type { PreparedPolicySet } from "../rules/policies/PreparedPolicySet.ts"
import { RuleReleases } from "../rules/RuleReleases.ts"
import { historyRecord } from "../scoring/describeHistory.ts"
import { engineVersion } from "../scoring/engineVersion.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import type { Baseline } from "../storage/behaviorSnapshots/past.ts"
import { spanned } from "../storage/spanned.ts"
import { compiledEngine, type Engine, referenceEngine } from "./scorer/Engine.ts"
import { warmUp } from "./scorer/warmUp.ts"

/** No opinion could be produced in time. */
export class ScoringFailed extends Schema.TaggedError<ScoringFailed>()("ScoringFailed", {
  reason: Schema.String
}) {}

const tooSlow = new ScoringFailed({ reason: `the score took longer than ${scoringMsMax} ms` })

export interface Scored {
  readonly opinion: Opinion
  /** `<policy set>@<version>+<8 hex>` */
  readonly policyVersion: string
  /** SHA-256, hex. */
  readonly policyDigest: string
  readonly scoringMs: number
  readonly policyMs: number
}

const short = (digest: string): string => digest.slice(0, 8)

const scoreWith = Effect.fnUntraced(function* (
  engine: Engine,
  action: Action,
  behavior: Behavior,
  policies: PreparedPolicySet
) {
  const startedAtMs = performance.now()
  const answer = yield* engine(action, behavior, policies)
  const totalMs = performance.now() - startedAtMs
  // Synchronous work cannot be interrupted, so the cap is also held against the time that has passed.
  if (answer === null || totalMs > scoringMsMax) return yield* tooSlow
  const { opinion, policyMs } = answer
  const { digest, name, version } = policies.policySet
  return {
    opinion,
    policyVersion: `${name}@${version}+${short(digest)}`,
    policyDigest: digest,
    scoringMs: totalMs - policyMs,
    policyMs
  }
})

export class Scorer extends Context.Service<
  Scorer,
  {
    /** `<engine semver>+<rules version>.<8 hex>` */
    readonly riskEngineVersion: string
    /** SHA-256 of the rule release, hex. */
    readonly rulesDigest: string
    /** The release's thresholds that a behaviour snapshot is read with. */
    readonly baseline: Baseline
    readonly historyRecord: (action: Action) => HistoryRecord
    /** An opinion; `behavior` "unavailable" gives an incomplete one at its worst. */
    readonly score: (
      action: Action,
      behavior: Behavior,
      policySet: string
    ) => Effect.Effect<Scored, ScoringFailed>
  }
>()("action-risk/assessment/Scorer") {
  /** The release and the engine that the settings name. */
  static readonly layerNoDeps = Layer.effect(
    Scorer,
    Effect.gen(function* () {
      const { ruleEngine, rulesVersion } = yield* AppConfig
      const policySets = yield* PolicySets
      const prepared = yield* (yield* RuleReleases).open(rulesVersion ?? "newest")
      const { model } = prepared
      // Asked twice of an action: for its history, and for its score.
      const wordsOf = rememberedWords(model.lexicon)
      const engine = (ruleEngine === "compiled" ? compiledEngine : referenceEngine)(prepared, wordsOf)
      if (ruleEngine === "compiled") yield* warmUp(engine, policySets.get("none"))
      // Opinions that take many steps are formed one after the other: interleaved, each would be as slow as all together.
      const inTurn = ruleEngine === "compiled" ? identity : (yield* Semaphore.make(1)).withPermit
      return {
        riskEngineVersion: `${engineVersion}+${model.version}.${short(model.digest)}`,
        rulesDigest: model.digest,
        baseline: model.numbers.behavior,
        historyRecord: (action) => historyRecord(action, model, wordsOf(action)),
        score: spanned("Scorer.score")((action: Action, behavior: Behavior, policySet: string) =>
          inTurn(Effect.suspend(() => scoreWith(engine, action, behavior, policySets.get(policySet))))
        )
      }
    })
  )

  /** On the rules and policy sets of this installation. */
  static readonly layer = Scorer.layerNoDeps.pipe(Layer.provide([RuleReleases.layer, PolicySets.layer]))
}
