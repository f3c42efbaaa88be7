/** The scorer: the rule release and the policy sets that this process serves, and the rule engine that evaluates them. */

import { Context, Effect, identity, Layer, Schema, Semaphore } from "effect"
import { setImmediate } from "node:timers/promises"
import { AppConfig } from "../config.ts"
import { type Action, actionClasses, environments } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import { scoringMsMax } from "../limits.ts"
import { referenceRules } from "../rules/language/reference.ts"
import { memoizedWords } from "../rules/memoizedWords.ts"
import { PolicySets } from "../rules/policies/PolicySets.ts"
import type { PreparedPolicySet } from "../rules/policies/PreparedPolicySet.ts"
import { RuleReleases } from "../rules/release/RuleReleases.ts"
import type { Prepared } from "../rules/release/loadRelease.ts"
import type { Facts } from "../scoring/Facts.ts"
import { historyRecord, type HistoryRecord } from "../scoring/HistoryRecord.ts"
import { converse, type Deliberation, type Matches } from "../scoring/evaluate.ts"
import type { ActionWords } from "../scoring/lexicon/normalize.ts"
import { deliberate, engineVersion } from "../scoring/score.ts"
import type { BaselineSettings } from "../storage/behavior/BaselineWindow.ts"
import { tracedFn } from "../storage/tracedFn.ts"

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

const shortDigest = (digest: string): string => digest.slice(0, 8)

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
    policyVersion: `${name}@${version}+${shortDigest(digest)}`,
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
    readonly baseline: BaselineSettings
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
      const wordsOf = memoizedWords(model.lexicon)
      const engine = (ruleEngine === "compiled" ? compiledEngine : referenceEngine)(prepared, wordsOf)
      if (ruleEngine === "compiled") yield* warmUpEngine(engine, policySets.get("none"))
      // Opinions that take many steps are formed one after the other: interleaved, each would be as slow as all together.
      const inTurn = ruleEngine === "compiled" ? identity : (yield* Semaphore.make(1)).withPermit
      return {
        riskEngineVersion: `${engineVersion}+${model.version}.${shortDigest(model.digest)}`,
        rulesDigest: model.digest,
        baseline: model.numbers.behavior,
        historyRecord: (action) => historyRecord(action, model, wordsOf(action)),
        score: tracedFn("Scorer.score")((action: Action, behavior: Behavior, policySet: string) =>
          inTurn(Effect.suspend(() => scoreWith(engine, action, behavior, policySets.get(policySet))))
        )
      }
    })
  )

  /** On the rules and policy sets of this installation. */
  static readonly layer = Scorer.layerNoDeps.pipe(Layer.provide([RuleReleases.layer, PolicySets.layer]))
}

/** A rule engine as the scorer asks it: an opinion, and the milliseconds that its policies took. */
interface EngineResult {
  readonly opinion: Opinion
  readonly policyMs: number
}

/** What the words of an action say under the engine's release. */
type WordsOf = (action: Action) => ActionWords

/** Null: the answer took longer than it may. */
type Engine = (
  action: Action,
  behavior: Behavior,
  policies: PreparedPolicySet
) => Effect.Effect<EngineResult | null>

/** Rules as closures: one synchronous stretch of work. */
const compiledEngine =
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
const referenceEngine = ({ model, rules }: Prepared, wordsOf: WordsOf): Engine => {
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

/** The conversation of `Deliberation.ts` with an engine that answers asynchronously. */
const converseLater = async <A>(
  deliberation: Deliberation<A>,
  answer: (facts: Facts) => Promise<Matches>
): Promise<A> => {
  let step = deliberation.next()
  while (step.done !== true) step = deliberation.next(await answer(step.value))
  return step.value
}

/**
 * Scores a little of everything at start, so that the first caller does not wait for code to be compiled.
 * Enough for the runtime to notice that the path is hot; some tens of milliseconds.
 */
const warmUpRounds = 8

const warmUpEngine = Effect.fn("Scorer.warmUp")(function* (engine: Engine, policies: PreparedPolicySet) {
  for (let round = 0; round < warmUpRounds; round++) {
    for (const environment of environments) {
      for (const actionType of actionClasses)
        yield* engine({ actionType, environment }, "unavailable", policies)
    }
  }
})
