/** Handler of statistics: counts of assessments over days. */

import { Clock, Effect, Result } from "effect"
import type { Problem } from "../../api/Failures.ts"
import { validationFailed } from "../../api/validation.ts"
import { type CountBy, Figures, type FiguresQuery, isCountBy, lastDays } from "../../assessment/Figures.ts"
import { statisticsDaysMax } from "../../limits.ts"
import { countedBy } from "../../storage/facets/Statistics.ts"
import { facetNames } from "../../storage/facets/facetTables.ts"
import { type Call, jsonResponse } from "../Exchange.ts"
import { type Check, readListQuery } from "../requestInput.ts"

const dayCheck: Check = (value) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
    ? undefined
    : "must be a date such as 2026-01-31"

const byCheck: Check = (value) =>
  isCountBy(value.split(","))
    ? undefined
    : `must be one or two of ${countedBy.join(", ")}, or one of ${facetNames.join(", ")}`

const dayMs = 86_400_000

const spanProblems = (from: string | null, to: string): ReadonlyArray<Problem> => {
  if (from === null) return []
  if (from > to) return [{ field: "from", message: "must not be after to" }]
  return Date.parse(to) - Date.parse(from) >= statisticsDaysMax * dayMs
    ? [{ field: "from", message: `must be less than ${statisticsDaysMax} days before to` }]
    : []
}

/** Reads a query for statistics. `nowMs`: today is the last day unless the query names one. */
const readFiguresQuery = (
  query: string,
  nowMs: number
): Result.Result<FiguresQuery, ReadonlyArray<Problem>> => {
  const read = readListQuery(query, { from: dayCheck, to: dayCheck, by: byCheck })
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { by, from, to } = read.success
  const problems = spanProblems(from, to ?? lastDays(nowMs, 1).to)
  // Invariant: `byCheck` accepts nothing else.
  const wanted = (by ?? "level").split(",") as unknown as CountBy
  return problems.length > 0 ? Result.fail(problems) : Result.succeed({ from, to, by: wanted })
}

export const statisticsHandlers = Effect.gen(function* () {
  const { count } = yield* Figures
  const getStatistics = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readFiguresQuery(exchange.query, yield* Clock.currentTimeMillis)
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    return jsonResponse(yield* count(caller, query.success, exchange.id))
  })
  return { getStatistics }
})
