/** Counts of an organization's assessments over a range of days. */

import { Clock, Context, Effect, Layer } from "effect"
import type { AssessmentUnavailable } from "../api/Failures.ts"
import type { Statistics as StatisticsAnswer } from "../api/Statistics.ts"
import type { Caller } from "../domain/Caller.ts"
import { dayAfter, dayMs, isoDay } from "../domain/Day.ts"
import {
  type CountedBy,
  countedBy,
  type DaySpan,
  type NameTally,
  type OpenReviews,
  DayCounts
} from "../storage/facets/DayCounts.ts"
import { type AskedAbout, OutcomeRecords } from "../storage/OutcomeRecords.ts"
import { greatestId, idAtInstant, leastId } from "../storage/timeOrderedId.ts"
import { type FacetName, facetNames } from "../storage/facets/facetTables.ts"
import { orAssessmentUnavailable } from "./AssessRequest.ts"

/** One or two of `countedBy`, or one of `facetNames`. */
export type CountBy = ReadonlyArray<CountedBy> | readonly [FacetName]

export const isName = (by: CountBy): by is readonly [FacetName] => facetNames.some((name) => name === by[0])

export const isCountBy = (by: ReadonlyArray<string>): by is CountBy => {
  const [first = "", second] = by
  if (facetNames.some((name) => name === first)) return by.length === 1
  return by.length <= 2 && first !== second && by.every((one) => countedBy.some((counted) => counted === one))
}

/** The last `days` UTC days, ending with today. */
export const lastDays = (nowMs: number, days: number): DaySpan => ({
  from: dayAt(nowMs - (days - 1) * dayMs),
  to: dayAt(nowMs)
})

/** The earliest day that the database writes in the same format. */
const firstDay = "0001-01-01"

const dayAt = (ms: number): string => {
  const day = isoDay(ms)
  // A negative year starts with a minus sign, which sorts before every digit.
  return day < firstDay ? firstDay : day
}

/** The lowest and the highest id that an assessment on these days can have. */
const idsOn = ({ from, to }: DaySpan): readonly [first: string, last: string] => [
  idAtInstant(`${from}T00:00:00Z`) ?? leastId,
  idAtInstant(`${dayAfter(to)}T00:00:00Z`) ?? greatestId
]

const nameRow = ({ count, kind, name, notable }: NameTally) => ({ [kind]: name, count, reviewed: notable })

export interface FiguresQuery {
  /** An ISO day. Null: 29 days before `to`. */
  readonly from: string | null
  /** An ISO day. Null: today. */
  readonly to: string | null
  readonly by: CountBy
}

type Rows = StatisticsAnswer["data"]

export class Figures extends Context.Service<
  Figures,
  {
    /** Only the rows of `count`. */
    readonly tallies: (
      caller: Caller,
      span: DaySpan,
      by: ReadonlyArray<CountedBy>
    ) => Effect.Effect<Rows, AssessmentUnavailable>
    /** The rows for each of several names, read together. */
    readonly names: <Name extends FacetName>(
      caller: Caller,
      span: DaySpan,
      kinds: ReadonlyArray<Name>
    ) => Effect.Effect<Readonly<Record<Name, Rows>>, AssessmentUnavailable>
    readonly count: (
      caller: Caller,
      query: FiguresQuery,
      requestId: string
    ) => Effect.Effect<StatisticsAnswer, AssessmentUnavailable>
    /** How often people were asked about assessments on these days, by action and agent. */
    readonly asked: (
      caller: Caller,
      span: DaySpan
    ) => Effect.Effect<ReadonlyArray<AskedAbout>, AssessmentUnavailable>
    readonly openReviews: (caller: Caller) => Effect.Effect<OpenReviews, AssessmentUnavailable>
  }
>()("action-risk/assessment/Figures") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    Figures,
    Effect.gen(function* () {
      const statistics = yield* DayCounts
      const outcomes = yield* OutcomeRecords

      // Invariant: the rows have the names that the contract lists.
      const rowsOf = (caller: Caller, span: DaySpan, by: CountBy) =>
        isName(by)
          ? Effect.map(statistics.names(caller, span, by), (rows) => rows.map(nameRow) as Rows)
          : Effect.map(
              statistics.tallies(caller, span, by),
              (rows) => rows.map(({ notable, ...row }) => ({ ...row, reviewed: notable })) as Rows
            )

      const task = "count assessments"

      const tallies = Effect.fn("Figures.tallies")(
        (caller: Caller, span: DaySpan, by: ReadonlyArray<CountedBy>) =>
          Effect.catchCause(rowsOf(caller, span, by), orAssessmentUnavailable(task))
      )

      const names = Effect.fn("Figures.names")(function* <Name extends FacetName>(
        caller: Caller,
        span: DaySpan,
        kinds: ReadonlyArray<Name>
      ) {
        const reading = statistics.names(caller, span, kinds)
        const found = yield* Effect.catchCause(reading, orAssessmentUnavailable(task))
        const ofKind = (kind: Name) => found.filter((row) => row.kind === kind).map(nameRow) as Rows
        return Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])) as Record<Name, Rows>
      })

      const count = Effect.fn("Figures.count")(function* (
        caller: Caller,
        { by, from, to }: FiguresQuery,
        requestId: string
      ) {
        const last = to ?? dayAt(yield* Clock.currentTimeMillis)
        const span = { from: from ?? lastDays(Date.parse(last), 30).from, to: last }
        const reading = Effect.all([rowsOf(caller, span, by), statistics.countedTo(caller)], {
          concurrency: "unbounded"
        })
        const [data, countedTo] = yield* Effect.catchCause(reading, orAssessmentUnavailable(task))
        const head = { api_version: "v1" as const, environment_mode: caller.mode, ...span, by }
        return { ...head, counted_to: countedTo?.toISOString() ?? null, data, request_id: requestId }
      })

      const asked = Effect.fn("Figures.asked")((caller: Caller, span: DaySpan) =>
        Effect.catchCause(outcomes.asked(caller, ...idsOn(span)), orAssessmentUnavailable("count questions"))
      )

      const openReviews = Effect.fn("Figures.openReviews")((caller: Caller) =>
        Effect.catchCause(statistics.openReviews(caller), orAssessmentUnavailable("count open reviews"))
      )

      return Figures.of({ asked, count, tallies, names, openReviews })
    })
  ).pipe(Layer.provide([DayCounts.layer, OutcomeRecords.layer]))
}
