/** The whole pipeline of one opinion, from the caller's words to the report. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import { readClaims } from "./Claims.ts"
import { completionsOf } from "./completions.ts"
import { confidencePercent } from "./confidence.ts"
import type { Deliberation } from "./Deliberation.ts"
import { floorOf } from "./Evaluation.ts"
import type { Facts } from "./Facts.ts"
import { gate } from "./gate.ts"
import { contradictionFacts } from "./gatherFacts.ts"
import { inform } from "./inform.ts"
import { measureRange } from "./measureRange.ts"
import { missingFields } from "./missing.ts"
import type { Model } from "./Model.ts"
import { silentHistory } from "./readBehavior.ts"
import { readAll } from "./Reading.ts"
import { report } from "./report.ts"
import { weigh } from "./weigh.ts"

const reference = readAll("reference")

export function* deliberate(action: Action, behavior: Behavior, model: Model): Deliberation<Opinion> {
  const { numbers } = model
  const claims = readClaims(action, model)
  const completions = completionsOf(claims, model)
  const it = { claims, completions, behavior, model }
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
    ...weighed.facts,
    ...(behavior === "unavailable" ? silentHistory : {}),
    confidence_percent_missing: 100 - confidence,
    // A policy's floor above the gate does not hide that information is missing.
    gate_applied: gated > weighed.score || lift(weighed.ownScore, range.own.high) > weighed.ownScore,
    assessment_degraded: !complete,
    policy_evaluation_incomplete: !policiesComplete
  }
  const matches = yield facts

  const floor = complete ? 0 : numbers.incompleteScoreMin
  const score = Math.max(gated, floorOf(matches, numbers), floor)
  const missingInformation = yield* inform(missing, { score, high: range.high, floor }, it)
  return report(it, {
    complete,
    score,
    range,
    confidencePercent: confidence,
    weighed: { ...weighed, facts, matches },
    missing,
    missingInformation
  })
}
