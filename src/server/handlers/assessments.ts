/** Handlers that read assessments: one with its evidence, the list of actions, and counts by day. */

import { Clock, Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { NotFound, type Problem } from "../../api/Failures.ts"
import { validationFailed } from "../../api/validation.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import { type CountBy, Figures, type FiguresQuery, isCountBy, lastDays } from "../../assessment/Figures.ts"
import { opensReview } from "../../assessment/Reviews.ts"
import { dayMs } from "../../domain/Day.ts"
import { statisticsDaysMax } from "../../limits.ts"
import { countedBy } from "../../storage/facets/DayCounts.ts"
import { facetNames } from "../../storage/facets/facetTables.ts"
import type { SealedItem } from "../../storage/assessments/SealedItems.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { type Call, type HttpResponse, jsonBytesResponse, jsonResponse } from "../Exchange.ts"
import { Authentication } from "../Authentication.ts"
import { EventStreams } from "../EventStreams.ts"
import { readFilteredQuery } from "../listFilters.ts"
import { type Check, readListQuery, searchCheck } from "../requestInput.ts"

/** RFC 9110 13.1.2: If-None-Match is a list of tags, compared weakly, or a star. */
const matchesTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)

export const assessmentsHandlers = Effect.gen(function* () {
  const assessments = yield* Assessments

  const getAssessment = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const id = asUuid(params.assessment_id ?? "")
    if (id === undefined) return yield* new NotFound()
    const { body } = yield* assessments.get(caller, id)
    const etag = `"${createHash("sha256").update(body).digest("base64url")}"`
    const headers = { etag, "cache-control": "private, no-cache" }
    if (!matchesTag(exchange.request.headers["if-none-match"], etag)) return jsonBytesResponse(body, headers)
    return { status: 304, headers, body: null } satisfies HttpResponse
  })

  const listActions = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readFilteredQuery(exchange.query, { q: searchCheck })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const { body } = yield* assessments.list(caller, query.success, exchange.id)
    return jsonBytesResponse(body)
  })

  return { getAssessment, listActions }
})

const dayCheck: Check = (value) =>
  /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
    ? undefined
    : "must be a date such as 2026-01-31"

const byCheck: Check = (value) =>
  isCountBy(value.split(","))
    ? undefined
    : `must be one or two of ${countedBy.join(", ")}, or one of ${facetNames.join(", ")}`

const spanProblems = (from: string | null, to: string): ReadonlyArray<Problem> => {
  if (from === null) return []
  if (from > to) return [{ field: "from", message: "must not be after to" }]
  return Date.parse(to) - Date.parse(from) >= statisticsDaysMax * dayMs
    ? [{ field: "from", message: `must be less than ${statisticsDaysMax} days before to` }]
    : []
}

/** Reads a statistics query. `nowMs`: unless the query names a last day, it is today. */
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

/** The data of an event; null if it was erased. */
const eventOf = ({ itemJson, sequence }: SealedItem): string | null =>
  itemJson === null
    ? null
    : `{"sequence":${sequence},"opens_review":${opensReview(JSON.parse(itemJson))},"assessment":${itemJson}}`

const lastEventForm = /^(?:0|[1-9]\d{0,14})$/

/** The position to resume from is in a header, so any parameter is a problem: the client would expect it to have an effect. */
const parameterProblems = (query: string): Array<Problem> =>
  [...new Set(new URLSearchParams(query).keys())].map((field) => ({
    field,
    message: "is not a parameter of this request"
  }))

export const eventsHandlers = Effect.gen(function* () {
  const streams = yield* EventStreams
  const authentication = yield* Authentication
  const streamEvents = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const { headers, rawHeaders } = exchange.request
    const after = headers["last-event-id"]
    const problems = parameterProblems(exchange.query)
    if (after !== undefined && !lastEventForm.test(String(after)))
      problems.push({ field: "last-event-id", message: "must be the id of an event" })
    if (problems.length > 0) return yield* validationFailed(problems)
    const isValid = authentication
      .caller(rawHeaders, { address: exchange.address, refusal: () => null })
      .pipe(
        Effect.as(true),
        // A failed look-up says nothing about the key, so the stream continues.
        Effect.catch((failure) => Effect.succeed(failure.code === "ASSESSMENT_UNAVAILABLE"))
      )
    return yield* streams.open({
      response: exchange.response,
      caller,
      after: after === undefined ? null : Number(after),
      dataOf: eventOf,
      isValid
    })
  })
  return { streamEvents }
})
