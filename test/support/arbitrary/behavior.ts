/** Random histories that match an action: rich, sparse, none, or unreadable. */

import fc from "fast-check"
import type { Action } from "../../../src/domain/Action.ts"
import type { Behavior, BehaviorSnapshot, Sum } from "../../../src/domain/Behavior.ts"
import { count, usdCents } from "./amounts.ts"

const units = (): fc.Arbitrary<number> => fc.constantFrom(0, 1, 4, 5, 6, 300)

const measured = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<{ units: number; median: A | null }> =>
  fc.tuple(units(), value).map(([n, median]) => ({ units: n, median: n === 0 ? null : median }))

const sum = () => fc.record({ entities: fc.oneof(fc.constant(0), count()), usdCents: usdCents() })

/** Part of what an organization moved went to the destination: never more than all of it. */
const sums = () =>
  fc.tuple(sum(), sum()).map(([destination, elsewhere]) => ({
    destination,
    organization: {
      entities: Math.min(destination.entities + elsewhere.entities, Number.MAX_SAFE_INTEGER),
      usdCents: Math.min(destination.usdCents + elsewhere.usdCents, Number.MAX_SAFE_INTEGER)
    }
  }))

const draw = {
  sampleSize: fc.constantFrom(1, 4, 5, 200),
  entityVolume: measured(count()),
  financialValue: measured(usdCents()),
  velocity: fc.record({
    lastHour: fc.constantFrom(1, 2, 29, 30, 31, 100, 1_000),
    p95PerHour: fc.constantFrom(1, 2, 3, 9, 10, 11, 15, 100),
    days: fc.constantFrom(1, 2, 3, 30),
    hours: fc.constantFrom(1, 23, 24, 25, 700)
  }),
  destination: fc.record({
    days: fc.constantFrom(0, 1, 2, 3, 30),
    firstSeenHours: fc.constantFrom(0, 1, 23, 24, 25, 700),
    largestEntities: fc.oneof(fc.constantFrom(0, 1, 9, 10, 11, 100), count()),
    largestUsdCents: usdCents(),
    lookalike: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) }
    )
  }),
  actionTypeSeen: fc.boolean(),
  agentSeen: fc.boolean(),
  last24Hours: sum(),
  otherSums: sums(),
  usualDay: fc.tuple(fc.constantFrom(0, 2, 3, 29), sum()).map(([days, usual]) => ({ days, ...usual })),
  today: fc.record({
    units: fc.constantFrom(0, 1, 40),
    actionTypeSeen: fc.boolean(),
    destinationSeen: fc.boolean()
  })
}

/** A name of only blanks is none: its history is that of no destination. */
const namesDestination = ({ destination = "" }: Action): boolean => !/^[\s\u200b]*$/u.test(destination)

const takenAt = "2026-11-20T12:00:00.000Z"

const noSum: Sum = { entities: 0, usdCents: 0 }

/** The answer of the database before anything was ever assessed. */
export const noHistory = (action: Action): BehaviorSnapshot => ({
  takenAt,
  windowDays: 30,
  sampleSize: 0,
  entityVolume: { units: 0, median: null },
  financialValue: { units: 0, medianUsdCents: null },
  velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination: !namesDestination(action)
    ? null
    : { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false },
  actionTypeSeen: false,
  agentSeen: false,
  last24Hours: noSum,
  otherSums: { destination: namesDestination(action) ? noSum : null, organization: noSum },
  usualDay: { days: 0, ...noSum },
  today: { units: 0, actionTypeSeen: false, destinationSeen: false }
})

export const snapshot = (action: Action): fc.Arbitrary<BehaviorSnapshot> =>
  fc.record(draw).map(({ destination, entityVolume, financialValue, ...drawn }) => {
    const never = destination.days === 0
    const stated = namesDestination(action)
    return {
      takenAt,
      windowDays: 30,
      ...drawn,
      entityVolume,
      financialValue: { units: financialValue.units, medianUsdCents: financialValue.median },
      destination: !stated
        ? null
        : never
          ? { ...destination, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0 }
          : destination,
      agentSeen: action.agentId !== undefined && drawn.agentSeen,
      otherSums: { ...drawn.otherSums, destination: stated ? drawn.otherSums.destination : null },
      today: { ...drawn.today, destinationSeen: stated && drawn.today.destinationSeen }
    }
  })

/** History in which nothing about the action is new, large or fast. */
export const familiar = (action: Action): BehaviorSnapshot => ({
  ...noHistory(action),
  sampleSize: 1,
  destination: !namesDestination(action)
    ? null
    : { days: 30, firstSeenHours: 720, largestEntities: 1e15, largestUsdCents: 1e15, lookalike: false },
  actionTypeSeen: true,
  agentSeen: action.agentId !== undefined
})

export const behavior = (action: Action): fc.Arbitrary<Behavior> =>
  fc.oneof(
    { weight: 7, arbitrary: snapshot(action) },
    { weight: 2, arbitrary: fc.constant(noHistory(action)) },
    { weight: 3, arbitrary: fc.constant(familiar(action)) },
    { weight: 1, arbitrary: fc.constant("unavailable" as const) }
  )
