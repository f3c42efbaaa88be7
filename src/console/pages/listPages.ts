/** Reviews and assessments as lists, newest first, each a page of rows that lead to an assessment. */

import type { ActionItem } from "../../api/Actions.ts"
import type { ReviewItem } from "../../api/Reviews.ts"
import type { ReviewState } from "../../domain/Review.ts"
import { searchMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { levelChip } from "../parts/level.ts"
import { ago, attribute, controlName, said, spaced } from "../parts/said.ts"

interface ListView {
  readonly visitor: Visitor
  readonly nowMs: number
  /** The cursor of the next page; null on the last one. */
  readonly older: string | null
  /** Whether this is a later page than the first. */
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
> & { readonly outcome?: ReviewItem["outcome"] }

const row =
  ({ nowMs, visitor }: ListView) =>
  (listed: Row): Markup => {
    const { action_risk, agent_id, outcome, recommended_control } = listed
    const target = listed.target_resource ?? listed.destination ?? listed.target_system
    const about = [
      controlName(recommended_control.type),
      ...(listed.assessment_status === "incomplete" ? ["incomplete"] : []),
      ...(outcome === null || outcome === undefined ? [] : [`closed: ${spaced(outcome)}`])
    ].join(", ")
    return markup`<li class="item"><span class="lv">${levelChip(action_risk.level, action_risk.score)}</span><div class="act"><a href="/${visitor.mode}/assessments/${listed.assessment_id}">${said(listed.action_type)}</a><div class="clip soft">${target === null ? markup`${listed.normalized_action_type}` : said(target)}</div></div><div class="by"><div class="clip">${agent_id === null ? markup`<span class="soft">no agent stated</span>` : said(agent_id)}</div><div class="clip soft small">${about}</div></div><span class="tag ${listed.environment} environment">${listed.environment}</span><span class="age soft num">${ago(listed.created_at, nowMs)}</span></li>`
  }

const rowsOr = (view: ListView, name: string, rows: ReadonlyArray<Row>, none: Markup): Markup =>
  rows.length === 0
    ? markup`<div class="list empty">${view.isLater ? markup`<p>There are no older ones.</p>` : none}</div>`
    : markup`<ol class="list" aria-label="${name}">${rows.map(row(view))}</ol>`

/** `query`: the parameters that every page of the list keeps. */
const pages = (
  { isLater, older, visitor }: ListView,
  path: string,
  query: Readonly<Record<string, string>>
): Markup | null => {
  if (older === null && !isLater) return null
  const to = (more: Readonly<Record<string, string>>) =>
    `/${visitor.mode}/${path}?${new URLSearchParams({ ...query, ...more })}`
  return markup`<nav class="row pages" aria-label="Pages">${isLater ? markup`<a class="button" href="${to({})}">Newest</a>` : null}${older === null ? null : markup`<a class="button" rel="next" href="${to({ cursor: older })}">Older</a>`}</nav>`
}

/** Leads back to what was just closed, because nobody closes a review again. */
export const closedBanner = ({ mode }: Visitor, closed: string | null): Markup | null =>
  closed === null
    ? null
    : markup`<p class="banner" role="status">Recorded. <a href="/${mode}/assessments/${closed}">Look at it again</a></p>`

export interface ReviewsView extends ListView {
  readonly state: ReviewState
  readonly reviews: ReadonlyArray<ReviewItem>
  /** The assessment whose review was just closed. */
  readonly closed: string | null
}

const tab = (view: ReviewsView, state: ReviewState, name: string): Markup =>
  markup`<a href="/${view.visitor.mode}/reviews?state=${state}"${attribute(view.state === state, "aria-current")}>${name}</a>`

const noReviews: Readonly<Record<ReviewState, Markup>> = {
  open: markup`<p><b>Nothing waits for you.</b></p><p class="soft">Every assessment at level high or critical, and every incomplete one, opens a review here.</p>`,
  closed: markup`<p>No review has been closed yet.</p>`
}

export const reviewsPage = (view: ReviewsView): Markup =>
  framed({
    title: view.state === "open" ? "Reviews" : "Closed reviews",
    visitor: view.visitor,
    at: "reviews",
    body: markup`${closedBanner(view.visitor, view.closed)}<h1>Reviews</h1>
<div class="tools"><nav class="tabs" aria-label="State">${tab(view, "open", "Open")}${tab(view, "closed", "Closed")}</nav></div>
${rowsOr(view, "Reviews", view.reviews, noReviews[view.state])}
${pages(view, "reviews", { state: view.state })}
<p class="foot">A review records what a person thought of an assessment. It authorizes nothing.</p>`
  })

export interface AssessmentsView extends ListView {
  /** The text that was searched for; empty without one. */
  readonly q: string
  readonly assessments: ReadonlyArray<ActionItem>
}

const noAssessments = (q: string): Markup =>
  q === ""
    ? markup`<p><b>Nothing has been assessed yet.</b></p><p class="soft">An agent asks before it acts with <code>POST /api/v1/actions/assess</code>.</p>`
    : markup`<p>Nothing that was assessed contains “${said(q)}”.</p><p class="soft">The search looks in the action, agent, target, destination and description, and for a whole id.</p>`

export const assessmentsPage = (view: AssessmentsView): Markup =>
  framed({
    title: "Assessments",
    visitor: view.visitor,
    at: "assessments",
    body: markup`<h1>Assessments</h1>
<div class="tools"><form method="get" role="search"><label class="visually-hidden" for="q">Action, agent, target or id</label><input id="q" type="search" name="q" value="${view.q}" placeholder="Action, agent, target or id" maxlength="${searchMax}"><button class="button">Search</button></form></div>
${rowsOr(view, "Assessments", view.assessments, noAssessments(view.q))}
${pages(view, "assessments", view.q === "" ? {} : { q: view.q })}
<p class="foot">Newest first. An assessment is an opinion; it let nothing through and stopped nothing.</p>`
  })
