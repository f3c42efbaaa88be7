/** Scores one action like the API, without a server or a database: for `assess`, with one request or many. */

import { Clock, Effect, Layer } from "effect"
import { Scorer } from "../assessment/Scorer.ts"
import { unstoredAnswer } from "../assessment/unstoredAnswer.ts"
import { AppConfig } from "../config.ts"
import type { Action } from "../domain/Action.ts"
import type { Mode } from "../domain/Caller.ts"
import { policyVersionOf, riskEngineVersionOf } from "../domain/versionNames.ts"
import { readingIn, type Situation, snapshotBy, snapshotOf } from "../rules/cases/Situation.ts"
import { installedRules } from "../rules/installedRules.ts"
import { PolicySets, RuleReleases } from "../rules/servedRules.ts"
import { explainKnownReading } from "../scoring/knowledge/explainKnownReading.ts"
import { knowledgeAt } from "../scoring/knowledge/OrganizationCatalogue.ts"
import { score } from "../scoring/score.ts"

/** The scorer of the release named by `--rules`, or otherwise by the settings. */
export const scorerOf = (rules: string | null) => {
  const settings = Layer.effect(
    AppConfig,
    Effect.map(AppConfig, (ours) => ({ ...ours, rulesVersion: rules ?? ours.rulesVersion }))
  )
  return Scorer.layer.pipe(Layer.provide([settings, installedRules]))
}

export interface Offline {
  readonly mode: Mode
  readonly policySet: string
  /** Earlier requests of the organization. The baseline ends at the history's own `now`, not at the current time. */
  readonly history?: Situation["history"] | undefined
}

/** Without a history, the organization has made no earlier requests. */
const situationOf = (request: Action, nowMs: number, history: Offline["history"]): Situation => ({
  request,
  history: history ?? { now: new Date(nowMs).toISOString(), earlier: [] }
})

/** Scores one action like the API, for an organization with the given history or none. Stores nothing. */
export const assessOffline = Effect.fnUntraced(function* (
  action: Action,
  { history, mode, policySet }: Offline
) {
  const scorer = yield* Scorer
  const nowMs = yield* Clock.currentTimeMillis
  const historyRecord = (one: Action, atMs: number) => scorer.historyRecord(one, policySet, atMs)
  const snapshot = snapshotBy(
    { baseline: scorer.baseline, historyRecord },
    situationOf(action, nowMs, history)
  )
  const startedAtMs = performance.now()
  const { opinion, policyMs, policyVersion, scoringMs } = yield* scorer.score(action, snapshot, policySet)
  const total = performance.now() - startedAtMs
  return unstoredAnswer(opinion, {
    riskEngineVersion: scorer.riskEngineVersion,
    policyVersion,
    mode,
    nowMs,
    timing: { total, validation: 0, behavior: 0, scoring: scoringMs, policy: policyMs }
  })
})

/** `rules`: the release named by `--rules`; null for the one in the settings. */
const openRelease = Effect.fnUntraced(function* (rules: string | null) {
  const { rulesVersion } = yield* AppConfig
  return yield* (yield* RuleReleases).open(rules ?? rulesVersion ?? "newest")
})

/**
 * Like `assessOffline`, but with the compiled rules, for a process that ends after one answer. A scorer would first score a few hundred
 * actions to make later ones fast, which takes 0.15 s of processor time.
 */
const assessCompiledOnce = Effect.fnUntraced(function* (
  rules: string | null,
  action: Action,
  { history, mode, policySet: name }: Offline
) {
  const { model } = yield* openRelease(rules)
  const { policySet } = (yield* PolicySets).get(name)
  const nowMs = yield* Clock.currentTimeMillis
  const snapshot = snapshotOf(situationOf(action, nowMs, history), model, policySet)
  const startedAtMs = performance.now()
  const opinion = score(action, snapshot, model, policySet, readingIn(model, action))
  const scoring = performance.now() - startedAtMs
  return unstoredAnswer(opinion, {
    riskEngineVersion: riskEngineVersionOf(model),
    policyVersion: policyVersionOf(policySet),
    mode,
    nowMs,
    timing: { total: scoring, validation: 0, behavior: 0, scoring, policy: 0 }
  })
})

/** One answer, with the rule engine in the settings. `rules`: see `openRelease`. */
export const assessOnce = Effect.fnUntraced(function* (
  rules: string | null,
  action: Action,
  offline: Offline
) {
  const { ruleEngine } = yield* AppConfig
  return yield* ruleEngine === "reference"
    ? assessOffline(action, offline).pipe(Effect.provide(scorerOf(rules)))
    : assessCompiledOnce(rules, action, offline)
})

/** The evidence for the reading of an action, including what an organization with this policy set states about the tool today. */
export const explainOffline = Effect.fnUntraced(function* (
  action: Action,
  { policySet, rules }: { readonly policySet: string; readonly rules: string | null }
) {
  const { model } = yield* openRelease(rules)
  const set = (yield* PolicySets).get(policySet)
  return explainKnownReading(action, model, knowledgeAt(set.policySet, yield* Clock.currentTimeMillis))
})
