/** The facts of a situation that the score asks first, with everything missing at its reference: what conditions are judged by. */

import type { Action } from "../../domain/Action.ts"
import type { Behavior, BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { Model } from "../../scoring/Model.ts"
import { readAll } from "../../scoring/Reading.ts"
import { openCase, weigh } from "../../scoring/weigh.ts"
import type { Words } from "../../scoring/Words.ts"
import { type Situation, snapshotOf } from "../cases.ts"

const reference = readAll("reference")

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const factsAsked = (action: Action, behavior: Behavior, model: Model, words?: Words): Facts => {
  const asked = weigh(openCase(action, behavior, model, words), reference).next()
  if (asked.done === true) throw new Error("weighing asks the rules before it ends")
  return asked.value
}

export const factsOf = (situation: Situation, model: Model): Facts =>
  factsAsked(situation.request, snapshotOf(situation, model), model)

/** An organization without history, asked about an action without destination. */
export const noHistory: BehaviorSnapshot = {
  takenAt: "",
  windowDays: 0,
  sampleSize: 0,
  entityVolume: { units: 0, median: null },
  financialValue: { units: 0, medianUsdCents: null },
  velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination: null,
  actionTypeSeen: false,
  agentSeen: false,
  last24Hours: { entities: 0, usdCents: 0 }
}
