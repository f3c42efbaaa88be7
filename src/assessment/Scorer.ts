/** The scorer: the rule release and policy sets that this process serves, and the engine that evaluates them. */

import { Context, Effect, identity, Layer, Schema, Semaphore } from "effect"
import { setImmediate } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { AppConfig } from "../config.ts"
import { type Action, actionClasses, environments } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import { policyVersionOf, riskEngineVersionOf } from "../domain/versionNames.ts"
import { scoringMsMax } from "../limits.ts"
import { referenceRules } from "../rules/language/reference.ts"
import { isLong, memoizedReadings } from "../rules/memoize.ts"
import type { PreparedPolicySet } from "../rules/policies/PreparedPolicySet.ts"
import type { Prepared } from "../rules/release/loadRelease.ts"
import { PolicySets, RuleReleases } from "../rules/servedRules.ts"
import type { Facts } from "../scoring/Facts.ts"
import { type HistoryRecord, historyRecord } from "../scoring/HistoryRecord.ts"
import type { PolicyMatches, PolicySet, RiskModel, RuleMatches } from "../scoring/Model.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import type { BaselineSettings } from "../scoring/Numbers.ts"
import type { Reading } from "../scoring/reading/readCall.ts"
import { knowledgeAt } from "../scoring/knowledge/OrganizationCatalogue.ts"
import { score } from "../scoring/score.ts"

/** No opinion could be produced in time. */
export class ScoringFailed extends Schema.TaggedError<ScoringFailed>()("ScoringFailed", {
  reason: Schema.String
}) {}

const tooSlow = new ScoringFailed({ reason: `the score took longer than ${scoringMsMax} ms` })

export interface Scored {
  readonly opinion: Opinion
  /** `<policy set>@<version>+<8 hex>` */
  readonly policyVersion: string
  /** Hex SHA-256. */
  readonly policyDigest: string
  readonly scoringMs: number
  readonly policyMs: number
}

const scoreWith = Effect.fnUntraced(function* (
  engine: Engine,
  action: Action,
  behavior: Behavior,
  policies: PreparedPolicySet
) {
  const startedAtMs = performance.now()
  const { opinion, policyMs } = yield* engine(action, behavior, policies)
  const totalMs = performance.now() - startedAtMs
  // A timeout cannot interrupt synchronous work, so the elapsed time is checked as well.
  if (totalMs > scoringMsMax) return yield* tooSlow
  return {
    opinion,
    policyVersion: policyVersionOf(policies.policySet),
    policyDigest: policies.policySet.digest,
    scoringMs: totalMs - policyMs,
    policyMs
  }
})

export class Scorer extends Context.Service<
  Scorer,
  {
    /** `<engine semver>+<rules version>.<8 hex>` */
    readonly riskEngineVersion: string
    /** Hex SHA-256 of the rule release. */
    readonly rulesDigest: string
    /** The release's thresholds for reading a behavior snapshot. */
    readonly baseline: BaselineSettings
    /** Whether the action has so much text that reading it would make other requests wait. */
    readonly isLong: (action: Action) => boolean
    /** For an organization with this policy set, at a time in milliseconds since 1970. */
    readonly historyRecord: (action: Action, policySet: string, atMs: number) => HistoryRecord
    /** An opinion. If `behavior` is "unavailable", it is incomplete and assumes the worst history. */
    readonly score: (
      action: Action,
      behavior: Behavior,
      policySet: string
    ) => Effect.Effect<Scored, ScoringFailed>
  }
>()("action-risk/assessment/Scorer") {
  /** The release and the engine chosen in the settings. */
  static readonly layer = Layer.effect(
    Scorer,
    Effect.gen(function* () {
      const { ruleEngine, rulesVersion } = yield* AppConfig
      const policySets = yield* PolicySets
      const prepared = yield* (yield* RuleReleases).open(rulesVersion ?? "newest")
      const { model } = prepared
      // Memoized, because both the history and the score of an action need its reading.
      const readingOf = memoizedReadings(model)
      const compiled = compiledEngine(prepared, readingOf)
      if (ruleEngine === "compiled") yield* warmUpEngine(compiled, policySets.get("none"))
      const engine = ruleEngine === "compiled" ? compiled : referenceEngine(prepared, readingOf)
      // Reference opinions take many steps, so they run one at a time: interleaved, each would take as long as all of them together.
      const inTurn = ruleEngine === "compiled" ? identity : (yield* Semaphore.make(1)).withPermit
      return {
        riskEngineVersion: riskEngineVersionOf(model),
        rulesDigest: model.digest,
        baseline: model.numbers.behavior,
        isLong,
        historyRecord: (action, policySet, atMs) =>
          historyRecord(
            action,
            model,
            knowledgeAt(policySets.get(policySet).policySet, atMs),
            readingOf(action)
          ),
        score: tracedFn("Scorer.score")((action: Action, behavior: Behavior, policySet: string) =>
          inTurn(Effect.suspend(() => scoreWith(engine, action, behavior, policySets.get(policySet))))
        )
      }
    })
  )
}

/** Reads an action with the lexicon of the engine's release. */
type ReadingOf = (action: Action) => Reading

interface EngineResult {
  readonly opinion: Opinion
  /** The milliseconds spent on policies. */
  readonly policyMs: number
}

type Engine = (
  action: Action,
  behavior: Behavior,
  policies: PreparedPolicySet
) => Effect.Effect<EngineResult, ScoringFailed>

/** Scores in one synchronous stretch, with the rules compiled to closures. */
const scoreTimed = (
  action: Action,
  behavior: Behavior,
  model: RiskModel,
  policySet: PolicySet,
  reading: Reading
): EngineResult => {
  let policyMs = 0
  const match = (facts: Facts): PolicyMatches => {
    const startedAtMs = performance.now()
    const matches = policySet.match(facts)
    policyMs += performance.now() - startedAtMs
    return matches
  }
  const opinion = score(action, behavior, model, { ...policySet, match }, reading)
  return { opinion, policyMs }
}

const compiledEngine =
  ({ model }: Prepared, readingOf: ReadingOf) =>
  (action: Action, behavior: Behavior, { policySet }: PreparedPolicySet): Effect.Effect<EngineResult> =>
    Effect.sync(() => scoreTimed(action, behavior, model, policySet, readingOf(action)))

/** Wraps `match` to record each answer under its facts. */
const recording =
  <Answer>(match: (facts: Facts) => Answer, answers: Map<Facts, Answer>) =>
  (facts: Facts): Answer => {
    const answer = match(facts)
    answers.set(facts, answer)
    return answer
  }

/**
 * Scores with the compiled rules, then checks every facts record that the opinion used with json-rules-engine, and fails if any answer
 * differs. json-rules-engine works only with promises, so the check pauses between answers: otherwise the process could not serve other
 * requests or read history in time until the opinion is done.
 */
const referenceEngine = ({ model, rules }: Prepared, readingOf: ReadingOf): Engine => {
  const matchRules = referenceRules(rules)
  return Effect.fnUntraced(
    function* (action, behavior, { matchByReference, policySet }) {
      const ruleAnswers = new Map<Facts, RuleMatches>()
      const policyAnswers = new Map<Facts, PolicyMatches>()
      const result = scoreTimed(
        action,
        behavior,
        { ...model, match: recording(model.match, ruleAnswers) },
        { ...policySet, match: recording(policySet.match, policyAnswers) },
        readingOf(action)
      )
      let { policyMs } = result
      for (const [facts, compiledPolicies] of policyAnswers) {
        yield* Effect.promise(() => setImmediate())
        const startedAtMs = performance.now()
        const policies = yield* Effect.promise(() => matchByReference(facts))
        policyMs += performance.now() - startedAtMs
        const reference = { rules: yield* Effect.promise(() => matchRules(facts)), policies }
        const compiled = { rules: ruleAnswers.get(facts), policies: compiledPolicies }
        if (!isDeepStrictEqual(compiled, reference)) return yield* disagreement(compiled, reference)
      }
      return { opinion: result.opinion, policyMs }
    },
    Effect.timeoutOrElse({ duration: scoringMsMax, orElse: () => tooSlow })
  )
}

type Answers = { readonly rules: RuleMatches | undefined; readonly policies: PolicyMatches }

const matchesByName = ({ policies, rules }: Answers): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...(rules?.factors ?? []).map((factor) => [factor.code, factor] as const),
    ...(rules?.typologies ?? []).map((typology) => [typology.name, typology] as const),
    ...policies.matched.map((matched) => [`${matched.policy}/${matched.rule}`, matched] as const)
  ])

/** Describes every factor, typology and policy rule on which the two engines differ. */
const disagreement = (compiled: Answers, reference: Answers): ScoringFailed => {
  const [own, other] = [matchesByName(compiled), matchesByName(reference)]
  const names = [...new Set([...own.keys(), ...other.keys()])]
  const differing = names.filter((name) => !isDeepStrictEqual(own.get(name), other.get(name)))
  const where = differing.length > 0 ? differing.join(", ") : "the whole set"
  return new ScoringFailed({ reason: `the compiled and the reference evaluator differ on ${where}` })
}

/**
 * Scores samples of everything at startup, so that the first caller does not wait for code to be compiled. Enough rounds for the runtime to
 * optimize the path; takes some tens of milliseconds.
 */
const warmUpRounds = 8

const warmUpEngine = Effect.fn("Scorer.warmUp")(function* (
  engine: ReturnType<typeof compiledEngine>,
  policies: PreparedPolicySet
) {
  for (let round = 0; round < warmUpRounds; round++) {
    for (const environment of environments) {
      for (const actionType of actionClasses)
        yield* engine({ actionType, environment }, "unavailable", policies)
    }
  }
})
