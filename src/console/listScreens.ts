/** The screens that lead to assessments: the lists of reviews and assessments, and the overview by day. */

import { Clock, Effect, Option, Result } from "effect"
import type { ActionItem, ActionList } from "../api/Actions.ts"
import { Assessments } from "../assessment/Assessments.ts"
import { Figures, lastDays } from "../assessment/Figures.ts"
import type { ReviewItem } from "../api/Reviews.ts"
import { byWorst, opensReview, queuedReview, Reviews } from "../assessment/Reviews.ts"
import type { Caller } from "../domain/Caller.ts"
import { type ReviewState, reviewStates } from "../domain/Review.ts"
import {
  consoleRowsMax,
  resourceTurnsMax,
  reviewsWorstFirstMax,
  searchMax,
  statisticsDaysMax,
  statisticsNamesMax
} from "../limits.ts"
import { RecordedAssessments } from "../evidence/recorded/RecordedAssessments.ts"
import { EventStreams } from "../server/EventStreams.ts"
import { filterNames, notBeforeTo, readFilteredQuery } from "../server/listFilters.ts"
import type { SealedItem } from "../storage/assessments/SealedItems.ts"
import type { DaySpan } from "../storage/facets/DayCounts.ts"
import type { FacetFilter } from "../storage/facets/FilteredLists.ts"
import { cursorOf } from "../storage/timeOrderedId.ts"
import { SignIn } from "./SignIn.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { assessmentsPage, reviewsPage } from "./pages/listPages.ts"
import { overviewDays, overviewPage } from "./pages/overviewPage.ts"
import { statedAct } from "./parts/statedAct.ts"
import { type Chosen, type FacetCounts, filterTitles, type LeftBy } from "./parts/filters.ts"
import { idIn, pageResponse } from "./respond.ts"

/** Drops empty fields, which browsers send too, and texts with characters that no list can search for. */
const chosenIn = (query: URLSearchParams, names: ReadonlyArray<string>): Chosen =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = (query.get(name) ?? "").replaceAll("\0", "").trim()
      return value === "" ? [] : [[name, name === "q" ? value.slice(0, searchMax) : value]]
    })
  )

/** Reads the query like the API does, so that an address means the same in both. An invalid cursor starts at the newest row. */
const readChosen = (chosen: Chosen, cursor: string | null) => {
  const known = cursor === null ? {} : { cursor }
  const read = readFilteredQuery(String(new URLSearchParams({ ...chosen, ...known })), {})
  const problems = Result.isFailure(read)
    ? read.failure
        .filter(({ field }) => field !== "cursor")
        // The API calls the field `to`; the form uses another name.
        .map(({ field, message }) => ({
          field,
          message: message === notBeforeTo ? `must be before “${filterTitles["to"] ?? ""}”` : message
        }))
    : []
  return Result.isSuccess(read)
    ? { filter: read.success.filter, cursor: read.success.cursor, problems }
    : { filter: null, cursor: null, problems }
}

const reviewFilterNames = ["q", "level", "environment", "agent_id", "action_type", "factor", "from", "to"]

interface ReviewsWanted {
  readonly state: ReviewState
  readonly cursor: string | null
  readonly filter: FacetFilter | null
  readonly q: string | null
}

/** The page after the cursor, for a list that is read completely and sorted worst first. */
const worstFirst = (reviews: ReadonlyArray<ReviewItem>, cursor: string | null) => {
  const ordered = reviews.toSorted((a, b) => byWorst(queuedReview(a), queuedReview(b)))
  // If the review at the cursor was closed meanwhile, the list starts from the beginning.
  const start = ordered.findIndex(({ id }) => cursorOf(id) === cursor) + 1
  const data = ordered.slice(start, start + consoleRowsMax)
  const last = start + data.length < ordered.length ? data.at(-1) : undefined
  return { data, next_cursor: last === undefined ? null : cursorOf(last.id), isLater: start > 0 }
}

const readReviews = Effect.fnUntraced(function* (
  { caller, exchange }: Visit,
  wanted: ReviewsWanted,
  open: number
) {
  const { list } = yield* Reviews
  if (wanted.state === "open" && open <= reviewsWorstFirstMax) {
    const all = yield* list(caller, { ...wanted, cursor: null, limit: reviewsWorstFirstMax }, exchange.id)
    return worstFirst(all.data, wanted.cursor)
  }
  const page = yield* list(caller, { ...wanted, limit: consoleRowsMax }, exchange.id)
  return { ...page, isLater: wanted.cursor !== null }
})

/** Adds the act stated by each review's request. A review whose request cannot be read is listed without it. */
const withStatedActs = Effect.fnUntraced(function* (caller: Caller, reviews: ReadonlyArray<ReviewItem>) {
  if (!caller.scopes.includes("read")) return reviews
  const { find } = yield* RecordedAssessments
  return yield* Effect.forEach(
    reviews,
    (review) =>
      Effect.map(Effect.option(find(caller, review.assessment_id)), (stored) => ({
        ...review,
        act: Option.isSome(stored)
          ? statedAct(JSON.parse(Buffer.from(stored.value.input).toString()))
          : undefined
      })),
    together
  )
})

const noReviews = { data: [], next_cursor: null, isLater: false }

const listReviews = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, query } = visit
  const state: ReviewState = reviewStates.find((one) => one === query.get("state")) ?? "open"
  const chosen = chosenIn(query, reviewFilterNames)
  const { cursor, filter, problems } = readChosen(chosen, query.get("cursor"))
  const wanted = { state, cursor, filter, q: chosen["q"] ?? null }
  // Reads the end of the chain before the list: a review that arrives in between is sent twice, and the page knows which ones it already
  // shows.
  const isLive = state === "open" && cursor === null && Object.keys(chosen).length === 0
  const liveAfter = isLive ? yield* (yield* EventStreams).head(caller) : null
  const { closed, open } = yield* Reviews.use(({ place }) => place(caller, null))
  const page = problems.length > 0 ? noReviews : yield* readReviews(visit, wanted, open)
  return pageResponse(
    reviewsPage({
      visitor: caller,
      counts: { open, closed },
      nowMs: yield* Clock.currentTimeMillis,
      state,
      chosen,
      problems,
      reviews: yield* withStatedActs(caller, page.data),
      older: page.next_cursor,
      isLater: page.isLater,
      isWorstFirst: state === "open" && open <= reviewsWorstFirstMax,
      closed: idIn(query, "closed"),
      liveAfter
    }),
    problems.length > 0 ? 422 : 200
  )
})

const minimal = (item: SealedItem): string | null => {
  if (item.itemJson === null) return null
  const listed: ActionItem = JSON.parse(item.itemJson)
  return opensReview(listed) ? `"${listed.assessment_id}"` : null
}

/** Sends the ids of new reviews to an open page, which loads the rest when a person asks for it. */
const streamReviews = Effect.fnUntraced(function* ({ caller, exchange, query, token }: Visit) {
  const { caller: callerOf } = yield* SignIn
  const given = exchange.request.headers["last-event-id"] ?? query.get("after")
  const isValid = callerOf(token, { address: exchange.address, refusal: () => null }).pipe(
    Effect.map(Option.isSome),
    // A failed look-up does not mean that the session has ended.
    Effect.catch(() => Effect.succeed(true))
  )
  const after = /^\d{1,15}$/.test(String(given)) ? Number(given) : null
  return yield* (yield* EventStreams).open({
    response: exchange.response,
    caller,
    after,
    dataOf: minimal,
    isValid
  })
})

/** The name and title of each filter with counts, in the order on the card. */
const counted = [
  ["level", "Level"],
  ["environment", "Environment"],
  ["action_type", "Action"],
  ["agent_id", "Agent"],
  ["factor", "Factor"]
] as const

const date = /^\d{4}-\d{2}-\d{2}/

/** The days for the counts next to a list: those of its filters, or the last thirty. */
const countedDays = ({ from = "", to = "" }: Chosen, nowMs: number): DaySpan & { readonly name: string } => {
  const usual = lastDays(nowMs, 30)
  if (!date.test(from) && !date.test(to)) return { ...usual, name: "In the last 30 days" }
  const last = date.test(to) ? to.slice(0, 10) : usual.to
  const longest = lastDays(Date.parse(last), statisticsDaysMax).from
  const first = date.test(from) ? from.slice(0, 10) : longest
  return {
    from: first < longest ? longest : first,
    to: last,
    name: `From ${first < longest ? longest : first} to ${last}`
  }
}

/** How many statements of one page may run at once, so that others of its organization get their turn. */
const together = { concurrency: resourceTurnsMax - 2 }

const countsOf = Effect.fnUntraced(function* ({ caller }: Visit, span: DaySpan) {
  const { names, tallies } = yield* Figures
  const { named, ...rows } = yield* Effect.all(
    {
      level: tallies(caller, span, ["level"]),
      environment: tallies(caller, span, ["environment"]),
      named: names(caller, span, ["action_type", "agent_id", "factor"])
    },
    together
  )
  const byName = { ...rows, ...named }
  return counted.map(([name, title]): FacetCounts => ({
    name,
    title,
    rows: byName[name].flatMap((row) => {
      const value = row[name]
      return value === undefined || value === null ? [] : [{ value, count: row.count }]
    })
  }))
})

const leftBy = (chosen: Chosen, counts: ReadonlyArray<FacetCounts>): ReadonlyArray<LeftBy> =>
  Object.entries(chosen).map(([name, value]) => {
    const rows = counts.find((one) => one.name === name)?.rows
    if (rows === undefined) return { name, value, count: null }
    const values = name === "level" || name === "environment" ? value.split(",") : [value]
    const found = rows.filter((row) => values.includes(row.value))
    // Only the most frequent values were counted, so the count of another value is unknown.
    const known = found.length > 0 || rows.length < statisticsNamesMax
    return { name, value, count: known ? found.reduce((sum, row) => sum + row.count, 0) : null }
  })

const listAssessments = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, exchange, query } = visit
  const nowMs = yield* Clock.currentTimeMillis
  const chosen = chosenIn(query, ["q", ...filterNames])
  const { cursor, filter, problems } = readChosen(chosen, query.get("cursor"))
  const wanted = { limit: consoleRowsMax, cursor, q: chosen["q"] ?? null, filter }
  const span = countedDays(problems.length > 0 ? {} : chosen, nowMs)
  const nothing: Pick<ActionList, "data" | "next_cursor"> = { data: [], next_cursor: null }
  const list = Effect.map(
    Assessments.use((assessments) => assessments.list(caller, wanted, exchange.id)),
    ({ body }): ActionList => JSON.parse(Buffer.from(body).toString())
  )
  const read = Effect.all({ page: list, counts: countsOf(visit, span) }, { concurrency: 2 })
  const { counts, page } = problems.length > 0 ? { counts: [], page: nothing } : yield* read
  return pageResponse(
    assessmentsPage({
      visitor: caller,
      nowMs,
      chosen,
      problems,
      assessments: page.data,
      days: span.name,
      counts,
      left: leftBy(chosen, counts),
      older: page.next_cursor,
      isLater: cursor !== null
    }),
    problems.length > 0 ? 422 : 200
  )
})

const showOverview = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, query } = visit
  const nowMs = yield* Clock.currentTimeMillis
  const days = overviewDays.find((one) => String(one) === query.get("days")) ?? 30
  const span = lastDays(nowMs, days)
  const before = lastDays(Date.parse(span.from) - 86_400_000, days)
  const { asked, count, names, openReviews, tallies } = yield* Figures
  const { byDay, named, ...figures } = yield* Effect.all(
    {
      byDay: count(caller, { ...span, by: ["day", "level"] }, visit.exchange.id),
      named: names(caller, span, ["factor", "agent_id", "action_type"]),
      statuses: tallies(caller, span, ["assessment_status"]),
      before: tallies(caller, before, ["level"]),
      // Counted from the events themselves, so a range with very many events must not break the page.
      asked: Effect.orElseSucceed(asked(caller, span), () => null),
      open: caller.scopes.includes("reviews") ? openReviews(caller) : Effect.succeed(null)
    },
    together
  )
  return pageResponse(
    overviewPage({
      visitor: caller,
      nowMs,
      days,
      span,
      countedTo: byDay.counted_to,
      byDay: byDay.data,
      ...figures,
      factors: named.factor,
      agents: named.agent_id,
      actions: named.action_type
    })
  )
})

export const listScreens: ReadonlyArray<
  ScreenWith<Assessments | EventStreams | Figures | RecordedAssessments | Reviews | SignIn>
> = [
  { method: "GET", path: /^reviews$/, scope: "reviews", show: listReviews },
  { method: "GET", path: /^reviews\/events$/, scope: "reviews", show: streamReviews },
  { method: "GET", path: /^assessments$/, scope: "read", show: listAssessments },
  { method: "GET", path: /^overview$/, scope: "read", show: showOverview }
]
