/** What a destination that is not stated could still change: over every way in which one can be read, and in which one can be known. */

import type { Behavior } from "../domain/Behavior.ts"
import type { StatedCall } from "./StatedCall.ts"
import { complete, type Known } from "./completeCall.ts"
import { type Circumstances, circumstancesOf, evaluate } from "./evaluate.ts"
import { type FieldBounds, widenBounds } from "./fieldBounds.ts"
import type { KnownCall } from "./knowledge/knowCall.ts"
import { actionRiskLevelOf } from "./opinion.ts"

/** An organization without history has not seen any destination: one that is stated is new, with or without a sum of today. */
const waysToBeKnown = (behavior: Behavior): ReadonlyArray<Known> => {
  if (behavior === "unavailable") return ["best"]
  return behavior.sampleSize === 0 ? ["best", "worst"] : ["best", "novel", "worst", "tried"]
}

/** The scores of a call that would be stated so, with a destination that is known in each way. */
const scoresOf = (
  stated: StatedCall,
  { expired, fill }: KnownCall,
  { behavior, model, policies }: Circumstances
): ReadonlyArray<number> => {
  const { currencies, numbers } = model
  const fields = complete(stated, numbers, currencies)
  const there = circumstancesOf(fill({ stated, fields }).stated, behavior, model, policies)
  const standing = { ...there.standing, catalogue_entry_expired: expired }
  return waysToBeKnown(behavior).map(
    (destination) =>
      evaluate(fill({ stated, fields: { ...fields, destination } }), { ...there, standing }).score
  )
}

/** Any name: it changes nothing in how the call is read. */
const anywhere = "x"

/**
 * `asRead`: the bounds where the destination says nothing but a name. `own`: the score of the call, which no destination brings below
 * `floor`. Where a destination changes how the call is read, every reading is scored with its own references.
 */
export const boundsOfDestination = (
  asRead: FieldBounds,
  known: KnownCall,
  circumstances: Circumstances,
  own: number,
  floor: number
): FieldBounds => {
  const { behavior, model } = circumstances
  // Without its history, a destination that is stated is at its worst in calls that none was missing from.
  const unread = behavior === "unavailable" ? [{ ...known.asStated, destination: anywhere }] : undefined
  const elsewhere = known.elsewhere() ?? unread
  if (elsewhere === undefined) return asRead
  const scores = elsewhere
    .flatMap((stated) => scoresOf(stated, known, circumstances))
    .map((score) => Math.max(floor, score))
  const nothing: FieldBounds = { field: "destination", couldRaiseTo: own, couldLowerTo: own }
  return widenBounds(nothing, scores, own, model.numbers)
}

/**
 * Whether a missing destination is told. What sends something out needs one. Of other acts it is told where it can move the score, and of
 * those that are harmless by nature where it can move the level: nobody has to state a destination for the sake of a point.
 */
export const isTold = (
  { couldLowerTo, couldRaiseTo }: FieldBounds,
  { class: own }: StatedCall,
  score: number,
  { model: { numbers } }: Circumstances
): boolean => {
  if (own.egress) return true
  const levelOf = (one: number) => actionRiskLevelOf(one, numbers)
  return own.harmless
    ? levelOf(couldRaiseTo) !== levelOf(score) || levelOf(couldLowerTo) !== levelOf(score)
    : couldRaiseTo !== score || couldLowerTo !== score
}
