/** Settles what an opinion comes to before a word of it is told: score, range, confidence, and the matches behind them. */

import { confidencePercent } from "./confidence.ts"
import type { Deliberation } from "./Deliberation.ts"
import { type Evaluation, floorOf } from "./Evaluation.ts"
import type { Facts } from "./Facts.ts"
import { gate } from "./gate.ts"
import { contradictionFacts } from "./gatherFacts.ts"
import { measureRange, type Range } from "./measureRange.ts"
import { missingFields } from "./missing.ts"
import { silentHistory } from "./readBehavior.ts"
import { type MissableField, readAll } from "./Reading.ts"
import { type Case, weigh } from "./weigh.ts"

const reference = readAll("reference")

export interface Settled {
  readonly complete: boolean
  /** Integer 1-100. */
  readonly score: number
  /** What the score cannot fall below whatever is stated: the minimum of an incomplete opinion. */
  readonly floor: number
  readonly range: Range
  readonly confidencePercent: number
  /** The reference evaluation, with the facts and matches that the report shows. */
  readonly weighed: Evaluation
  readonly missing: ReadonlyArray<MissableField>
}

export function* settle(it: Case): Deliberation<Settled> {
  const { behavior, claims, completions } = it
  const { numbers } = it.model
  const missing = missingFields(claims, completions)

  const weighed = yield* weigh(it, reference)
  const range = yield* measureRange(weighed, missing.length > 0, it)
  const lift = (score: number, high: number) => gate(score, high, claims.production, numbers)
  const gated = lift(weighed.score, range.high)

  const policiesComplete = !weighed.matches.policies.incomplete
  const complete = behavior !== "unavailable" && policiesComplete
  const contradictions = contradictionFacts.filter((name) => weighed.facts[name]).length
  const confidence = confidencePercent(range.own, contradictions, complete, numbers)

  // The last question is the one that the report shows: what was only assumed of unread history is not claimed there.
  const facts: Facts = {
    ...(behavior === "unavailable" ? { ...weighed.facts, ...silentHistory } : weighed.facts),
    confidence_percent_missing: 100 - confidence,
    // A policy's floor above the gate does not hide that information is missing.
    gate_applied: gated > weighed.score || lift(weighed.ownScore, range.own.high) > weighed.ownScore,
    assessment_degraded: !complete,
    policy_evaluation_incomplete: !policiesComplete
  }
  const matches = yield facts

  const floor = complete ? 0 : numbers.incompleteScoreMin
  return {
    complete,
    score: Math.max(gated, floorOf(matches, numbers), floor),
    floor,
    range,
    confidencePercent: confidence,
    weighed: { ...weighed, facts, matches },
    missing
  }
}
