/** Outcome events: what happened to an action after its assessment, and how that changes the 24-hour sums. */

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

/** Events that show that the action was started. Only these can have observed figures. */
export const begunEventTypes: ReadonlySet<OutcomeEventType> = new Set([
  "executed",
  "failed",
  "reverted",
  "incident"
])

/** How an event changes the 24-hour sums, compared with the state before it. */
export const sumsEffects = ["unchanged", "taken_out", "restored", "raised"] as const
export type SumsEffect = (typeof sumsEffects)[number]

/** The parts of an event that affect the sums. */
export interface CountedEvent {
  readonly type: OutcomeEventType
  /** Whether the reporting key cannot request assessments. Only such a key can take an action out of the sums. */
  readonly independent: boolean
  /** The observed figures, scored as if they had been stated; null if none was observed. */
  readonly observed: Sum | null
}

const withdrawn = (events: ReadonlyArray<CountedEvent>): boolean =>
  events.some(({ independent, type }) => independent && type === "not_executed") &&
  !events.some(({ type }) => begunEventTypes.has(type))

/**
 * The correction that an assessment's events apply to its own part of the sums. An action that was not executed is taken out, unless any
 * report shows that it was started. The excess of an observed figure over the assessed one is added. So no event takes out more than the
 * assessment put in, and only `not_executed` from an independent key takes out anything.
 */
export const sumsCorrection = (own: Sum, events: ReadonlyArray<CountedEvent>): Sum => {
  if (withdrawn(events)) return { entities: 0 - own.entities, usdCents: 0 - own.usdCents }
  const above = (figure: keyof Sum): number =>
    Math.max(0, ...events.map(({ observed }) => (observed?.[figure] ?? 0) - own[figure]))
  return { entities: above("entities"), usdCents: above("usdCents") }
}

/** How many more events of an assessment each of the two kinds of keys may report. No place is left if the number is below 1. */
export interface PlacesLeft {
  readonly independent: number
  readonly byAskers: number
}

const leftFor = ({ independent }: CountedEvent, left: PlacesLeft): number =>
  independent ? left.independent : left.byAskers

/**
 * Whether the next event may be stored. The two kinds of keys have separate limits, so that an agent that requests assessments cannot use
 * up the places of an independent gate. An event that raises or restores a sum, or that is the first to show that the action was started,
 * is always stored: a limit must never keep the sums lower than they should be.
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
 * The figures with which the next event counts. If no exact place is left, a figure that raises the sum counts as at least twice the
 * largest one so far. So no observed figure is lost, but a reporter cannot store many events by raising in steps of one cent.
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

/** Names the change from one correction to the next. */
export const sumsEffectOf = (before: Sum, after: Sum): SumsEffect => {
  if (after.entities === before.entities && after.usdCents === before.usdCents) return "unchanged"
  if (after.entities < before.entities || after.usdCents < before.usdCents) return "taken_out"
  return before.entities < 0 || before.usdCents < 0 ? "restored" : "raised"
}
