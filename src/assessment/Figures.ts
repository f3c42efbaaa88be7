/** Counts of an organization's assessments over days, as callers ask for them. */

import { Clock, Context, Effect, Layer } from "effect"
import type { AssessmentUnavailable } from "../api/Failures.ts"
import type { Statistics as StatisticsAnswer } from "../api/Statistics.ts"
import type { Caller } from "../domain/Caller.ts"
import { dayMs, isoDay } from "../domain/Day.ts"
import {
  type CountedBy,
  countedBy,
  type DaySpan,
  type OpenReviews,
  DayCounts
} from "../storage/facets/DayCounts.ts"
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

/** The last `days` days in UTC, with today as the last one. */
export const lastDays = (nowMs: number, days: number): DaySpan => ({
  from: dayAt(nowMs - (days - 1) * dayMs),
  to: dayAt(nowMs)
})

/** The database has no earlier day that it writes as we do. */
const firstDay = "0001-01-01"

const dayAt = (ms: number): string => {
  const day = isoDay(ms)
  // A year before 0 starts with a minus sign, which sorts before every digit.
  return day < firstDay ? firstDay : day
}

export interface FiguresQuery {
  /** A day; 29 days before the last one where null. */
  readonly from: string | null
  /** A day; today where null. */
  readonly to: string | null
  readonly by: CountBy
}

export class Figures extends Context.Service<
  Figures,
  {
    readonly count: (
      caller: Caller,
      query: FiguresQuery,
      requestId: string
    ) => Effect.Effect<StatisticsAnswer, AssessmentUnavailable>
    readonly openReviews: (caller: Caller) => Effect.Effect<OpenReviews, AssessmentUnavailable>
  }
>()("action-risk/assessment/Figures") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    Figures,
    Effect.gen(function* () {
      const statistics = yield* DayCounts

      const rowsOf = (caller: Caller, span: DaySpan, by: CountBy) => {
        if (!isName(by))
          return Effect.map(statistics.tallies(caller, span, by), (rows) =>
            rows.map(({ notable, ...row }) => ({ ...row, reviewed: notable }))
          )
        const [kind] = by
        return Effect.map(statistics.names(caller, span, kind), (rows) =>
          rows.map(({ count, name, notable }) => ({ [kind]: name, count, reviewed: notable }))
        )
      }

      const count = Effect.fn("Figures.count")(function* (
        caller: Caller,
        { by, from, to }: FiguresQuery,
        requestId: string
      ) {
        const last = to ?? dayAt(yield* Clock.currentTimeMillis)
        const span = { from: from ?? lastDays(Date.parse(last), 30).from, to: last }
        const reading = Effect.all([rowsOf(caller, span, by), statistics.countedTo(caller)])
        const [rows, countedTo] = yield* Effect.catchCause(
          reading,
          orAssessmentUnavailable("count assessments")
        )
        return {
          api_version: "v1" as const,
          environment_mode: caller.mode,
          ...span,
          by,
          counted_to: countedTo?.toISOString() ?? null,
          // Invariant: the rows are of the names that the contract gives.
          data: rows as StatisticsAnswer["data"],
          request_id: requestId
        }
      })

      const openReviews = Effect.fn("Figures.openReviews")((caller: Caller) =>
        Effect.catchCause(statistics.openReviews(caller), orAssessmentUnavailable("count open reviews"))
      )

      return Figures.of({ count, openReviews })
    })
  ).pipe(Layer.provide(DayCounts.layer))
}
