/** How a missing destination could still change the score, over every way to read one and every degree to which it can be known. */

import type { Behavior } from "../domain/Behavior.ts"
import type { StatedCall, StatedDeed } from "./StatedCall.ts"
import { complete, type CompletedCall, type Fields, type Known } from "./completeCall.ts"
import { type Circumstances, circumstancesOf, scoreOf } from "./evaluate.ts"
import { type FieldBounds, widenBounds } from "./fieldBounds.ts"
import type { KnownCall } from "./knowledge/knowCall.ts"
import { actionRiskLevelOf } from "./opinion.ts"
import type { Reading } from "./reading/readCall.ts"

/** Any name will do: it does not affect how the call is read. */
const anywhere = "x"

/**
 * An organization without history has seen no destination, so any stated one is new. Either everything that moved today went there, or
 * nothing did.
 */
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

/**
 * The parts of a reading that affect the score. All other parts are only reported. A new part of `Reading` does not compile until it is
 * listed here or excluded.
 */
const counted: Readonly<
  Record<
    Exclude<keyof Reading, "by" | "elsewhere" | "hosted" | "object" | "others" | "provider" | "toldBy">,
    true
  >
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
  a.class === b.class &&
  a.impact === b.impact &&
  a.reversibility === b.reversibility &&
  a.soft === b.soft

/**
 * Whether two readings of one action have the same score. Worth testing: half of the possible readings of a destination equal another one.
 */
const readsAlike = (a: StatedCall, b: StatedCall): boolean =>
  a.deeds.length === b.deeds.length &&
  a.deeds.every((deed, i) => isSameDeed(deed, b.deeds[i])) &&
  a.environment === b.environment &&
  a.environmentInconsistent === b.environmentInconsistent &&
  countedWords.every((word) => a.reading[word] === b.reading[word])

/** The scores of a call under a different reading, which has its own reference values. */
const scoresElsewhere = (
  stated: StatedCall,
  known: KnownCall,
  circumstances: Circumstances
): ReadonlyArray<number> => {
  const { behavior, model, policies } = circumstances
  const fields = complete(stated, model.numbers, model.currencies)
  const { fill: complement } = known
  const { stated: read } = complement({ stated, fields })
  // If history could not be read, a stated destination counts at its worst. The original call has no destination, so its circumstances
  // cannot be reused.
  const same = behavior !== "unavailable" && readsAlike(read, known.stated)
  const there = same ? circumstances : circumstancesOf(read, behavior, model, policies, known.expired)
  return scoresOf({ stated, fields }, known, there)
}

interface DestinationBounds {
  readonly bounds: FieldBounds
  /** The bounds if a destination is stated but nothing is known about it. */
  readonly ofName: FieldBounds
}

/** `fields`: the fields of the call as it is. `own`: its score. `floor`: no destination can bring the score below this. */
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
  // If history could not be read, a stated destination counts at its worst, even for a call that needs none.
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
 * Whether the opinion reports a missing destination. A call that sends something out needs one. Other calls report it if it can move the
 * score; calls that are harmless by nature, only if it can move the level, so that callers need not state a destination for the sake of one
 * point.
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
