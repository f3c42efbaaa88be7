/** Outcome events: what became of an action after its assessment, and what that changes in the sums of 24 hours. */

import type { Sum } from "./Behavior.ts"

export const outcomeEventTypes = [
  "person_agreed",
  "person_declined",
  "person_absent",
  "executed",
  "failed",
  "not_executed",
  "reverted",
  "incident",
  "near_miss"
] as const
export type OutcomeEventType = (typeof outcomeEventTypes)[number]

/** Events that say that the action was begun. Only they can have figures that were observed. */
export const begunEventTypes: ReadonlySet<OutcomeEventType> = new Set([
  "executed",
  "failed",
  "reverted",
  "incident"
])

/** An event's effect on the sums of 24 hours, compared with the moment before it. */
export const sumsEffects = ["unchanged", "taken_out", "restored", "raised"] as const
export type SumsEffect = (typeof sumsEffects)[number]

/** The parts of an event on which the sums depend. */
export interface CountedEvent {
  readonly type: OutcomeEventType
  /** Whether the key that reported it cannot ask: only such a key can take a question out of the sums. */
  readonly independent: boolean
  /** The observed figures, scored as if they had been stated; null where none was observed. */
  readonly observed: Sum | null
}

const withdrawn = (events: ReadonlyArray<CountedEvent>): boolean =>
  events.some(({ independent, type }) => independent && type === "not_executed") &&
  !events.some(({ type }) => begunEventTypes.has(type))

/**
 * The correction that the events of an assessment add to its own part of the sums. An action that was not executed is taken out, unless any
 * report says that it was begun; the part of an observed figure above the assessed one is added. So no event takes out more than the
 * assessment put in, and only `not_executed` of an independent key takes out anything.
 */
export const sumsCorrection = (own: Sum, events: ReadonlyArray<CountedEvent>): Sum => {
  if (withdrawn(events)) return { entities: 0 - own.entities, usdCents: 0 - own.usdCents }
  const above = (figure: keyof Sum): number =>
    Math.max(0, ...events.map(({ observed }) => (observed?.[figure] ?? 0) - own[figure]))
  return { entities: above("entities"), usdCents: above("usdCents") }
}

/** How many more events of an assessment the two kinds of keys may report. None where it is below 1. */
export interface PlacesLeft {
  readonly independent: number
  readonly byAskers: number
}

const leftFor = ({ independent }: CountedEvent, left: PlacesLeft): number =>
  independent ? left.independent : left.byAskers

/**
 * Whether the next event may be stored. The two kinds of keys have places of their own, so that an agent that can ask cannot
 * use up those of a gate. An event that raises or restores a sum, and the first that says that the action was begun, needs no
 * place: a bound must never keep the sums lower than they should be.
 */
export const mayBeAppended = (
  own: Sum,
  events: ReadonlyArray<CountedEvent>,
  left: PlacesLeft,
  next: CountedEvent
): boolean => {
  if (leftFor(next, left) > 0) return true
  if (begunEventTypes.has(next.type) && !events.some(({ type }) => begunEventTypes.has(type))) return true
  const [before, after] = [sumsCorrection(own, events), sumsCorrection(own, [...events, next])]
  return after.entities > before.entities || after.usdCents > before.usdCents
}

/**
 * The figures that the next event counts with. Where no place is left in which a raise counts exactly, a figure that raises
 * counts as at least twice the largest one until then. So nothing that was observed is left out, and of steps of one cent
 * only few can follow.
 */
export const countedFigures = (
  own: Sum,
  events: ReadonlyArray<CountedEvent>,
  exactLeft: PlacesLeft,
  next: CountedEvent
): Sum | null => {
  const { observed } = next
  if (observed === null || leftFor(next, exactLeft) > 0) return observed
  const counted = (figure: keyof Sum): number => {
    const largest = Math.max(own[figure], ...events.map(({ observed }) => observed?.[figure] ?? 0))
    return observed[figure] > largest ? Math.max(observed[figure], 2 * largest) : observed[figure]
  }
  return { entities: counted("entities"), usdCents: counted("usdCents") }
}

/** The name of a change of the correction. */
export const sumsEffectOf = (before: Sum, after: Sum): SumsEffect => {
  if (after.entities === before.entities && after.usdCents === before.usdCents) return "unchanged"
  if (after.entities < before.entities || after.usdCents < before.usdCents) return "taken_out"
  return before.entities < 0 || before.usdCents < 0 ? "restored" : "raised"
}
