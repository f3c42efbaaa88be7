/** The lists of reviews and of assessments, whose rows link to an assessment. */

import type { ActionItem } from "../../api/Actions.ts"
import type { Problem } from "../../api/Failures.ts"
import type { ReviewItem } from "../../api/Reviews.ts"
import type { ReviewState } from "../../domain/Review.ts"
import { type Markup, markup } from "../../markup.ts"
import {
  assessmentFilters,
  type Chosen,
  chosenList,
  countedList,
  type FacetCounts,
  filteredPath,
  filterProblems,
  type LeftBy,
  leftByEach,
  reviewFilters
} from "../parts/filters.ts"
import { type StatedAct, statedActLine } from "../parts/statedAct.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { levelChip } from "../parts/level.ts"
import { ago, attribute, controlName, countedTo, said, spaced } from "../parts/said.ts"

interface ListView {
  readonly visitor: Visitor
  readonly nowMs: number
  /** The cursor of the next page; null on the last page. */
  readonly older: string | null
  /** Whether this is not the first page. */
  readonly isLater: boolean
}

type Row = Pick<
  ActionItem,
  | "action_risk"
  | "action_type"
  | "agent_id"
  | "assessment_id"
  | "assessment_status"
  | "created_at"
  | "destination"
  | "environment"
  | "normalized_action_type"
  | "recommended_control"
  | "target_resource"
  | "target_system"
> & {
  readonly outcome?: ReviewItem["outcome"]
  /** The act stated by the request; absent if the list does not show it. */
  readonly act?: StatedAct | undefined
}

const row =
  ({ nowMs, visitor }: ListView) =>
  (listed: Row): Markup => {
    const { act, action_risk, agent_id, outcome, recommended_control } = listed
    const on = listed.target_resource ?? listed.target_system
    const target = [
      ...(on === null ? [] : [said(on)]),
      ...(listed.destination === null
        ? []
        : [
            markup`<span class="to" aria-hidden="true">→</span><span class="visually-hidden"> to </span>${said(listed.destination)}`
          ])
    ]
    const line = act === undefined ? null : statedActLine(act)
    const about = [
      controlName(recommended_control.type),
      ...(listed.assessment_status === "incomplete" ? ["incomplete"] : []),
      ...(outcome === null || outcome === undefined ? [] : [`closed: ${spaced(outcome)}`])
    ].join(", ")
    return markup`<li class="item"><span class="lv">${levelChip(action_risk.level, action_risk.score)}</span><div class="act"><a href="/${visitor.mode}/assessments/${listed.assessment_id}">${said(listed.action_type)}</a>${(act?.figures ?? []).map((figure) => markup` <b class="figure num">${figure}</b>`)}<div class="target soft">${target.length === 0 ? markup`${listed.normalized_action_type}` : target}</div>${line === null ? null : markup`<div class="target small">${line}</div>`}</div><div class="by"><div class="clip">${agent_id === null ? markup`<span class="soft">no agent stated</span>` : said(agent_id)}</div><div class="clip soft small">${about}</div></div><span class="tag ${listed.environment} environment">${listed.environment}</span><span class="age soft num">${ago(listed.created_at, nowMs)}</span></li>`
  }

const rowsOr = (view: ListView, name: string, rows: ReadonlyArray<Row>, none: Markup): Markup =>
  rows.length === 0
    ? markup`<div class="list empty">${view.isLater ? markup`<p>There are no older ones.</p>` : none}</div>`
    : markup`<ol class="list" aria-label="${name}">${rows.map(row(view))}</ol>`

/** `query`: the parameters that every page of the list keeps. */
const pages = ({ isLater, older, visitor }: ListView, path: string, query: Chosen): Markup | null => {
  if (older === null && !isLater) return null
  const to = (more: Chosen) => filteredPath(`/${visitor.mode}/${path}`, query, more)
  return markup`<nav class="row pages" aria-label="Pages">${isLater ? markup`<a class="button" href="${to({})}">Newest</a>` : null}${older === null ? null : markup`<a class="button" rel="next" href="${to({ cursor: older })}">Older</a>`}</nav>`
}

/** A link to the review that was just closed, because the list of open reviews no longer contains it. */
export const closedBanner = ({ mode }: Visitor, closed: string | null): Markup | null =>
  closed === null
    ? null
    : markup`<p class="banner" role="status">Recorded. <a href="/${mode}/assessments/${closed}">Look at it again</a></p>`

export interface ReviewsView extends ListView {
  readonly state: ReviewState
  /** The totals, ignoring filters. */
  readonly counts: Readonly<Record<ReviewState, number>>
  /** Otherwise newest first. */
  readonly isWorstFirst: boolean
  /** Without the state. */
  readonly chosen: Chosen
  readonly problems: ReadonlyArray<Problem>
  readonly reviews: ReadonlyArray<ReviewItem & { readonly act?: StatedAct | undefined }>
  /** The assessment whose review was just closed. */
  readonly closed: string | null
  /** The end of the event stream when the page was made, after which the page announces new reviews. Null if the page is not the newest. */
  readonly liveAfter: number | null
}

const reviewsPath = ({ visitor }: ReviewsView): string => `/${visitor.mode}/reviews`

const tab = (view: ReviewsView, state: ReviewState, name: string): Markup =>
  markup`<a href="${filteredPath(reviewsPath(view), { state, ...view.chosen })}"${attribute(view.state === state, "aria-current")}>${name} <span class="count ${state}">${countedTo(view.counts[state])}</span></a>`

const orderOf = ({ isWorstFirst, state }: ReviewsView): string =>
  state === "open" && isWorstFirst ? "Worst first." : "Newest first."

const noReviews: Readonly<Record<ReviewState, Markup>> = {
  open: markup`<p><b>No review is open.</b></p><p class="soft">Every assessment at level high or critical, and every incomplete one, opens a review here.</p>`,
  closed: markup`<p>No review has been closed yet.</p>`
}

const filteredAway = ({ chosen, state, visitor }: ReviewsView): Markup | null =>
  Object.keys(chosen).length === 0
    ? null
    : markup`<p><b>No ${state} review matches these filters.</b></p><p><a class="button" href="/${visitor.mode}/reviews?state=${state}">Clear all filters</a></p>`

export const reviewsPage = (view: ReviewsView): Markup => {
  const path = reviewsPath(view)
  const chosen = { state: view.state, ...view.chosen }
  const live =
    view.liveAfter === null
      ? null
      : markup`<span role="status"><a class="button new" href="${path}" data-live="${path}/events?after=${view.liveAfter}" hidden></a></span>`
  const rows = rowsOr(view, "Reviews", view.reviews, filteredAway(view) ?? noReviews[view.state])
  return framed({
    title: view.state === "open" ? "Reviews" : "Closed reviews",
    visitor: view.visitor,
    at: "reviews",
    body: markup`${closedBanner(view.visitor, view.closed)}<div class="title"><h1>Reviews</h1>${live}</div>
<div class="tools"><nav class="tabs" aria-label="State">${tab(view, "open", "Open")}${tab(view, "closed", "Closed")}</nav>${reviewFilters(path, chosen)}</div>
${chosenList(path, chosen)}${filterProblems(view.problems)}
${view.problems.length > 0 ? null : rows}
${pages(view, "reviews", chosen)}
<p class="foot">${orderOf(view)} A review records what a person thought of an assessment. It authorizes nothing.</p>`
  })
}

export interface AssessmentsView extends ListView {
  readonly chosen: Chosen
  /** Problems of the query. If there are any, nothing is listed. */
  readonly problems: ReadonlyArray<Problem>
  readonly assessments: ReadonlyArray<ActionItem>
  /** The days of the counts, in words: `In the last 30 days`. */
  readonly days: string
  readonly counts: ReadonlyArray<FacetCounts>
  /** Shown only if nothing is listed. */
  readonly left: ReadonlyArray<LeftBy>
}

const noAssessments = ({ chosen, days, left, visitor }: AssessmentsView): Markup => {
  const path = `/${visitor.mode}/assessments`
  if (Object.keys(chosen).length === 0)
    return markup`<p><b>Nothing has been assessed yet.</b></p><p class="soft">An agent asks before it acts with <code>POST /api/v1/actions/assess</code>.</p>`
  return markup`<p><b>No assessment matches these filters.</b></p>${leftByEach(left, days)}${"q" in chosen ? markup`<p class="soft">The text is looked for in the action, agent, target, destination and description; without other filters an id is found too.</p>` : null}<p><a class="button" href="${path}">Clear all filters</a></p>`
}

/** Counts depend only on these filters; other filters do not change them. */
const daysNames = ["from", "to"]

const countsCard = ({ chosen, counts, days, visitor }: AssessmentsView): Markup | null => {
  if (counts.every(({ rows }) => rows.length === 0)) return null
  const isFiltered = Object.keys(chosen).some((name) => !daysNames.includes(name))
  const filtered = isFiltered ? ", counts without your filters" : ""
  return markup`<section class="card facets" aria-labelledby="counts-title"><h2 id="counts-title">Narrow down <span class="soft">${days}${filtered}</span></h2>${counts.map((one) => countedList(`/${visitor.mode}/assessments`, one, chosen))}</section>`
}

export const assessmentsPage = (view: AssessmentsView): Markup => {
  const { chosen, problems, visitor } = view
  const path = `/${visitor.mode}/assessments`
  const card = countsCard(view)
  const list = markup`${rowsOr(view, "Assessments", view.assessments, noAssessments(view))}
${pages(view, "assessments", chosen)}`
  return framed({
    title: "Assessments",
    visitor,
    at: "assessments",
    body: markup`<h1>Assessments</h1>
${assessmentFilters(path, chosen)}${chosenList(path, chosen)}${filterProblems(problems)}
${problems.length > 0 ? null : card === null ? list : markup`<div class="cols lists"><div class="first">${list}</div><div class="side"><div class="stack">${card}</div></div></div>`}
<p class="foot">Newest first. An assessment is an opinion; it let nothing through and stopped nothing.</p>`
  })
}
