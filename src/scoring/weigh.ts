/** Weighs a case under one way of reading its missing fields: complete, gather facts, match rules, evaluate. */

import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import { type Claims, readClaims } from "./Claims.ts"
import { complete } from "./complete.ts"
import { type Completions, completionsOf } from "./completions.ts"
import type { Deliberation } from "./Deliberation.ts"
import { evaluate, type Evaluation } from "./Evaluation.ts"
import { gatherFacts } from "./gatherFacts.ts"
import type { Model } from "./Model.ts"
import type { Readings } from "./Reading.ts"
import { unstatedBits } from "./unstatedBits.ts"
import type { Words } from "./Words.ts"

/** What stays the same while missing fields are read one way or another. */
export interface Case {
  readonly claims: Claims
  readonly completions: Completions
  readonly behavior: Behavior
  readonly model: Model
  /** Bits of the fields whose reading makes a difference. */
  readonly unstated: number
  /** Evaluations by those bits of their readings. */
  readonly weighed: Map<number, Evaluation>
}

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const openCase = (action: Action, behavior: Behavior, model: Model, words?: Words): Case => {
  const claims = readClaims(action, model, words)
  return {
    claims,
    completions: completionsOf(claims, model),
    behavior,
    model,
    unstated: unstatedBits(claims, behavior),
    weighed: new Map()
  }
}

/** Readings that differ only in what was stated are one evaluation, made once: with one field missing they often are. */
export function* weigh(it: Case, readings: Readings): Deliberation<Evaluation> {
  const { behavior, claims, completions, model, unstated, weighed } = it
  const bits = readings.bits & unstated
  const known = weighed.get(bits)
  if (known !== undefined) return known
  const completed = complete(claims, completions, readings)
  const facts = gatherFacts(claims, completed, behavior, model.numbers, readings)
  const matches = yield facts
  const evaluation = evaluate(claims, completed, facts, matches, model.numbers)
  weighed.set(bits, evaluation)
  return evaluation
}
