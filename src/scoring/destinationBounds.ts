/** What a destination that is not stated could still change: over every way in which one can be read, and in which one can be known. */

import type { Behavior } from "../domain/Behavior.ts"
import type { StatedCall, StatedDeed } from "./StatedCall.ts"
import { complete, type CompletedCall, type Fields, type Known } from "./completeCall.ts"
import { type Circumstances, circumstancesOf, scoreOf } from "./evaluate.ts"
import { type FieldBounds, widenBounds } from "./fieldBounds.ts"
import type { KnownCall } from "./knowledge/knowCall.ts"
import { actionRiskLevelOf } from "./opinion.ts"
import type { Reading } from "./reading/readCall.ts"

/** Any name: it changes nothing in how the call is read. */
const anywhere = "x"

/** An organization without history has not seen any destination: one that is stated is new, with all that moved today behind it or nothing. */
const waysToBeKnown = (behavior: Behavior): ReadonlyArray<Known> => {
  if (behavior === "unavailable") return ["best"]
  if (behavior.sampleSize > 0) return ["best", "novel", "worst", "tried"]
  const { entities, usdCents } = behavior.otherSums.organization
  return entities + usdCents > 0 ? ["best", "worst"] : ["best"]
}

const scoresOf = (
  { fields, stated }: CompletedCall,
  { fill }: KnownCall,
  circumstances: Circumstances
): ReadonlyArray<number> =>
  waysToBeKnown(circumstances.behavior).map((destination) =>
    scoreOf(fill({ stated, fields: { ...fields, destination } }), circumstances)
  )

/** The words of a reading on which numbers depend. The others are only told. */
const counted: Readonly<
  Record<Exclude<keyof Reading, "by" | "elsewhere" | "object" | "others" | "provider" | "toldBy">, true>
> = {
  type: true,
  class: true,
  impact: true,
  extent: true,
  holds: true,
  anywhere: true,
  credential: true,
  weakens: true,
  remote: true,
  reversibility: true,
  verb: true,
  kind: true,
  soft: true,
  admin: true,
  hinted: true,
  alsoExports: true,
  environment: true,
  everything: true,
  takesCommand: true,
  unread: true,
  contradicted: true
}
// Invariant: the keys of `counted` are keys of a reading.
const countedWords = Object.keys(counted) as ReadonlyArray<keyof typeof counted>

const isSameDeed = (a: StatedDeed, b: StatedDeed | undefined): boolean =>
  b !== undefined &&
  a.numbers === b.numbers &&
  a.impact === b.impact &&
  a.reversibility === b.reversibility &&
  a.soft === b.soft

/** Whether two readings of one action score alike. Half of the ways in which a destination can be read are read as another one. */
const readsAlike = (a: StatedCall, b: StatedCall): boolean =>
  a.deeds.length === b.deeds.length &&
  a.deeds.every((deed, i) => isSameDeed(deed, b.deeds[i])) &&
  a.environment === b.environment &&
  a.environmentInconsistent === b.environmentInconsistent &&
  countedWords.every((word) => a.reading[word] === b.reading[word])

/** The scores of a call that is read otherwise, with its own references. */
const scoresElsewhere = (
  stated: StatedCall,
  known: KnownCall,
  circumstances: Circumstances
): ReadonlyArray<number> => {
  const { behavior, model, policies } = circumstances
  const fields = complete(stated, model.numbers, model.currencies)
  const { fill: complement } = known
  const { stated: read } = complement({ stated, fields })
  // A history that was not read is at its worst for a destination, and the call has none.
  const same = behavior !== "unavailable" && readsAlike(read, known.stated)
  const there = same ? circumstances : circumstancesOf(read, behavior, model, policies, known.expired)
  return scoresOf({ stated, fields }, known, there)
}

interface DestinationBounds {
  readonly bounds: FieldBounds
  /** Of a destination of which nothing more is known than that it is one. */
  readonly ofName: FieldBounds
}

/** `fields`: of the call as it is. `own`: its score, which no destination brings below `floor`. */
export const boundsOfDestination = (
  fields: Fields,
  known: KnownCall,
  circumstances: Circumstances,
  own: number,
  floor: number
): DestinationBounds => {
  const { behavior, model } = circumstances
  const boundsOf = (scores: ReadonlyArray<number>): FieldBounds =>
    widenBounds(
      { field: "destination", couldRaiseTo: own, couldLowerTo: own },
      scores.map((score) => Math.max(floor, score)),
      own,
      model.numbers
    )
  const stated = { ...known.asStated, destination: anywhere }
  // Without its history, a destination that is stated is at its worst in calls that none was missing from.
  const unread = behavior === "unavailable" ? [stated] : undefined
  const elsewhere = known.elsewhere() ?? unread
  if (elsewhere === undefined) {
    const ofName = boundsOf(scoresOf({ stated, fields }, known, circumstances))
    return { bounds: ofName, ofName }
  }
  const distinct = elsewhere.filter(
    (one, at) => !elsewhere.slice(0, at).some((other) => readsAlike(one, other))
  )
  const scores = distinct.map((one) => scoresElsewhere(one, known, circumstances))
  return { bounds: boundsOf(scores.flat()), ofName: boundsOf(scores[0] ?? []) }
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
