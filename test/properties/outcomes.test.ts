/** How outcome events may and may not change the sums of 24 hours (ADR 29). */

import fc from "fast-check"
import type { Sum } from "../../src/domain/Behavior.ts"
import {
  begunEventTypes,
  type CountedEvent,
  countedFigures,
  mayBeAppended,
  outcomeEventTypes,
  sumsCorrection
} from "../../src/domain/OutcomeEvent.ts"
import { theorem } from "../support/theorem.ts"

const sum: fc.Arbitrary<Sum> = fc.record({ entities: fc.nat(1_000), usdCents: fc.nat(1_000) })

const event: fc.Arbitrary<CountedEvent> = fc.record({
  type: fc.constantFrom(...outcomeEventTypes),
  independent: fc.boolean(),
  observed: fc.option(sum)
})

const events = fc.array(event, { maxLength: 6 })

const noLower = (before: Sum, after: Sum): boolean =>
  before.entities <= after.entities && before.usdCents <= after.usdCents

const takesOut = ({ independent, type }: CountedEvent): boolean => independent && type === "not_executed"

theorem(
  "no events take more out of the sums than their own assessment has put in",
  fc.record({ own: sum, events }),
  ({ events, own }) =>
    noLower({ entities: -own.entities, usdCents: -own.usdCents }, sumsCorrection(own, events))
)

theorem(
  "no event lowers the sums but not_executed of a key that cannot ask",
  fc.record({ own: sum, events, next: event }),
  ({ events, next, own }) =>
    takesOut(next) || noLower(sumsCorrection(own, events), sumsCorrection(own, [...events, next]))
)

theorem(
  "an action that anybody says was begun is in the sums, whatever else is reported, before or after",
  fc
    .record({ own: sum, before: events, begun: event, after: events })
    .filter(({ begun }) => begunEventTypes.has(begun.type)),
  ({ after, before, begun, own }) =>
    noLower({ entities: 0, usdCents: 0 }, sumsCorrection(own, [...before, begun, ...after]))
)

theorem(
  "what was observed counts in full where it is more than what was assessed",
  fc.record({ own: sum, events, observed: sum }),
  ({ events, observed, own }) => {
    const executed: CountedEvent = { type: "executed", independent: false, observed }
    const { entities, usdCents } = sumsCorrection(own, [...events, executed])
    return own.entities + entities >= observed.entities && own.usdCents + usdCents >= observed.usdCents
  }
)

const counts = fc.record({ independent: fc.integer({ max: 2 }), byAskers: fc.integer({ max: 2 }) })

theorem(
  "an event that raises or restores a sum is never refused for being one too many",
  fc.record({ own: sum, events, counts, next: event }),
  ({ counts, events, next, own }) =>
    noLower(sumsCorrection(own, [...events, next]), sumsCorrection(own, events)) ||
    takesOut(next) ||
    mayBeAppended(own, events, counts, next)
)

const noPlaces = { independent: 0, byAskers: 0 }

theorem(
  "where the places are used up, events that raise are few, however small their steps are",
  fc.record({ own: sum, reports: fc.array(event, { maxLength: 400 }) }),
  ({ own, reports }) => {
    const stored: Array<CountedEvent> = []
    for (const report of reports) {
      const next = { ...report, observed: countedFigures(own, stored, noPlaces, report) }
      if (mayBeAppended(own, stored, noPlaces, next)) stored.push(next)
    }
    // For each figure: the first, and ten doublings of it until it is above all others; and the first that says that it was begun.
    return stored.length <= 2 * 11 + 1
  }
)

theorem(
  "an event counts what was observed, and more only where its figure is the largest yet and the places are used up",
  fc.record({ own: sum, events, counts, next: event }),
  ({ counts, events, next, own }) => {
    const { observed } = next
    const counted = countedFigures(own, events, counts, next)
    if (observed === null || counted === null) return observed === counted
    const left = counts[next.independent ? "independent" : "byAskers"]
    return (["entities", "usdCents"] as const).every((figure) => {
      if (counted[figure] === observed[figure]) return true
      const others = [own, ...events.map(({ observed }) => observed)].map((sum) => sum?.[figure] ?? 0)
      return left < 1 && counted[figure] > observed[figure] && observed[figure] > Math.max(...others)
    })
  }
)

theorem(
  "no number of events by keys that can ask keeps out one by a key that cannot",
  fc.record({ own: sum, events, byAskers: fc.nat(), next: event }),
  ({ byAskers, events, next, own }) =>
    mayBeAppended(own, events, { independent: 1, byAskers: -byAskers }, { ...next, independent: true })
)

theorem(
  "the order in which events are reported changes nothing",
  fc.record({ own: sum, events }),
  ({ events, own }) => {
    const [one, other] = [sumsCorrection(own, events), sumsCorrection(own, events.toReversed())]
    return one.entities === other.entities && one.usdCents === other.usdCents
  }
)
