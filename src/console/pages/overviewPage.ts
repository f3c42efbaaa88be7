/** The overview: what was assessed in recent days, what raised it, who asked, and how long reviews have waited. */

import type { Statistics } from "../../api/Statistics.ts"
import { overviewQuestionsMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { dayCard, type Days } from "../parts/dayCard.ts"
import { countBar, countedList, filteredPath } from "../parts/filters.ts"
import { framed, type Visitor } from "../parts/frame.ts"
import { ago, attribute, said, thousands } from "../parts/said.ts"

/** The numbers of days that the overview offers. */
export const overviewDays = [7, 30, 90] as const

type Rows = Statistics["data"]

/** Assessments of one action, agent and session about which a person was asked. */
interface Asked {
  readonly actionType: string
  readonly agentId: string | null
  /** Null if none is stated. */
  readonly session: string | null
  readonly questions: number
  readonly agreed: number
  readonly newestId: string
}

interface WaitingReviews {
  readonly count: number
  readonly oldest: Date | null
  /** How many were opened within the last hour, day, week, and earlier. */
  readonly ages: ReadonlyArray<number>
}

export interface OverviewView {
  readonly visitor: Visitor
  readonly nowMs: number
  readonly days: (typeof overviewDays)[number]
  readonly span: Days
  /** Null if nothing has been counted yet. */
  readonly countedTo: string | null
  readonly byDay: Rows
  readonly statuses: Rows
  /** By level, for the same number of days before. */
  readonly before: Rows
  readonly factors: Rows
  readonly agents: Rows
  readonly actions: Rows
  /** How often people were asked, by action, agent and session; null if that could not be counted in time. */
  readonly asked: ReadonlyArray<Asked> | null
  /** Null if the key may not see reviews. */
  readonly open: WaitingReviews | null
}

const sumOf = (rows: Rows, included: (row: Rows[number]) => boolean = () => true): number =>
  rows.filter(included).reduce((sum, { count }) => sum + count, 0)

const isHigh = ({ level }: Rows[number]): boolean => level === "high" || level === "critical"

const share = (part: number, whole: number): string => {
  if (whole === 0 || part === 0) return "none"
  const percent = (100 * part) / whole
  return percent < 0.1 ? "under 0.1 %" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
}

/** Shows plain figures: a percentage of a few assessments, or of days before the first agent asked, is meaningless. */
const change = (before: number, days: number): Markup =>
  before === 0
    ? markup`none in the ${days} days before`
    : markup`${thousands(before)} in the ${days} days before`

interface Tile {
  readonly name: string
  readonly figure: Markup
  /** Null if there is nothing to add. */
  readonly note: Markup | null
  readonly href: string
}

const tile = ({ figure, href, name, note }: Tile): Markup =>
  markup`<li><a class="card tile" href="${href}"><span class="name">${name}</span><b class="num">${figure}</b>${note === null ? null : markup`<span class="soft small">${note}</span>`}</a></li>`

const tiles = (view: OverviewView): Markup => {
  const { before, byDay, days, nowMs, open, span, statuses, visitor } = view
  const path = `/${visitor.mode}/assessments`
  const inSpan = { from: span.from, to: span.to }
  const [all, high] = [sumOf(byDay), sumOf(byDay, isHigh)]
  const incomplete = sumOf(statuses, (row) => row.assessment_status === "incomplete")
  return markup`<ul class="tiles">${[
    tile({
      name: `Assessed in ${days} days`,
      figure: markup`${thousands(all)}`,
      note: change(sumOf(before), days),
      href: filteredPath(path, inSpan)
    }),
    tile({
      name: "High or critical of these",
      figure: markup`${thousands(high)}`,
      note: markup`${share(high, all)}; ${change(sumOf(before, isHigh), days)}`,
      href: filteredPath(path, { ...inSpan, level: "high,critical" })
    }),
    tile({
      name: "Incomplete of these",
      figure: markup`${thousands(incomplete)}`,
      note:
        incomplete === 0 ? null : markup`history or a policy could not be read, so it counts at its worst`,
      href: filteredPath(path, { ...inSpan, assessment_status: "incomplete" })
    }),
    open === null
      ? null
      : tile({
          name: "Open reviews now",
          figure: markup`${thousands(open.count)}`,
          note:
            open.oldest === null
              ? markup`nothing waits`
              : markup`the oldest for ${ago(open.oldest.toISOString(), nowMs)}`,
          href: `/${visitor.mode}/reviews`
        })
  ]}</ul>`
}

const valuesOf = (
  rows: Rows,
  name: "factor" | "agent_id" | "action_type",
  count: (row: Rows[number]) => number
) =>
  rows.flatMap((row) => {
    const value = row[name]
    return value === undefined || value === null ? [] : [{ value, count: count(row) }]
  })

const nameCard = (
  view: OverviewView,
  name: "factor" | "agent_id" | "action_type",
  title: string,
  about: string
): Markup => {
  const rows = { factor: view.factors, agent_id: view.agents, action_type: view.actions }[name]
  const list = countedList(
    `/${view.visitor.mode}/assessments`,
    { name, title: about, rows: valuesOf(rows, name, ({ count }) => count) },
    { from: view.span.from, to: view.span.to }
  )
  return markup`<section class="card facets" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2>${list ?? markup`<p class="soft">None on these days.</p>`}</section>`
}

interface Answers {
  readonly questions: number
  readonly agreed: number
}

const addUp = (rows: ReadonlyArray<Answers>): Answers => ({
  questions: rows.reduce((sum, { questions }) => sum + questions, 0),
  agreed: rows.reduce((sum, { agreed }) => sum + agreed, 0)
})

const agreedTo = ({ agreed, questions }: Answers): Markup => markup`${share(agreed, questions)} agreed to`

const toolsShown = 10

/** How often agents interrupted people. If people always agree, a catalogue entry can answer the question instead. */
const askedCard = ({ asked, span, visitor }: OverviewView): Markup | null => {
  if (asked === null || asked.length === 0) return null
  const all = addUp(asked)
  const byAction = [...Map.groupBy(asked, ({ actionType }) => actionType)]
    .map(([actionType, rows]) => ({
      actionType,
      ...addUp(rows),
      newestId:
        rows
          .map(({ newestId }) => newestId)
          .toSorted()
          .at(-1) ?? ""
    }))
    .toSorted((a, b) => b.questions - a.questions)
  const most = byAction[0]?.questions ?? 1
  const agents = new Set(asked.map(({ agentId }) => agentId)).size
  const stated = asked.filter(({ session }) => session !== null)
  const sessions = new Set(stated.map(({ session }) => session)).size
  const perSession = markup`, <b class="num">${thousands(Math.round(addUp(stated).questions / sessions))}</b> in each session`
  const isCut = all.questions >= overviewQuestionsMax
  const canSuggest = visitor.scopes.includes("explain")
  const path = `/${visitor.mode}/assessments`
  const hrefOf = (action_type: string, newestId: string): string =>
    canSuggest
      ? `${path}/${newestId}/suggestion`
      : filteredPath(path, { action_type, from: span.from, to: span.to })
  const rows = byAction
    .slice(0, toolsShown)
    .map(
      ({ actionType, newestId, ...answers }) =>
        markup`<li><a href="${hrefOf(actionType, newestId)}"><span class="clip">${said(actionType)}</span><span class="soft small">${agreedTo(answers)}</span> <b class="num">${thousands(answers.questions)}</b>${countBar(answers.questions, most)}</a></li>`
    )
  return markup`<section class="card facets" aria-labelledby="asked-title"><h2 id="asked-title">Questions to people</h2><p>${isCut ? "At least " : null}<b class="num">${thousands(all.questions)}</b>, ${agreedTo(all)}; on average <b class="num">${thousands(Math.round(all.questions / agents))}</b> by each agent${sessions === 0 ? null : perSession}.</p><h3>Most asked about${canSuggest ? ", each with entries that would answer it" : null}</h3><ul class="counts">${rows}</ul></section>`
}

const ageNames = ["within an hour", "within a day", "within a week", "longer"]

const reviewsCard = ({ open, visitor }: OverviewView): Markup | null => {
  if (open === null) return null
  const most = Math.max(1, ...open.ages)
  const rows = ageNames.map(
    (name, at) =>
      markup`<li><span class="line"><span>${name}</span><b class="num">${thousands(open.ages[at] ?? 0)}</b><svg class="count-bar${at === 3 ? " late" : ""}" aria-hidden="true"><rect width="${((100 * (open.ages[at] ?? 0)) / most).toFixed(1)}%" height="3" rx="1.5"/></svg></span></li>`
  )
  return markup`<section class="card facets" aria-labelledby="open-title"><h2 id="open-title">Open reviews <a class="small" href="/${visitor.mode}/reviews">all</a></h2>${open.count === 0 ? markup`<p class="soft">Nothing waits.</p>` : markup`<h3>Opened</h3><ul class="counts">${rows}</ul>`}</section>`
}

const nothingYet = ({ visitor }: OverviewView): Markup =>
  markup`<div class="card"><h2>Nothing has been assessed on these days</h2><p>An agent asks before it acts. So does this, with a ${visitor.mode} key of the scope <code>assess</code>:</p><pre tabindex="0">curl -s "$SERVICE_URL/api/v1/actions/assess" \
  -H "authorization: Bearer $SERVICE_KEY" -H "content-type: application/json" \
  -d '{"action_type": "hubspot.contacts.export", "environment": "production", "records_affected": 90000}'</pre></div>`

const counted = ({ countedTo, nowMs }: OverviewView): Markup =>
  countedTo === null
    ? markup`Nothing is counted yet.`
    : markup`Counted up to the assessment of ${ago(countedTo, nowMs)} ago; later ones follow within seconds.`

export const overviewPage = (view: OverviewView): Markup => {
  const { days, visitor } = view
  const isEmpty = sumOf(view.byDay) === 0
  const tabs = overviewDays.map(
    (one) =>
      markup`<a href="/${visitor.mode}/overview?days=${one}"${attribute(one === days, "aria-current")}>${one} days</a>`
  )
  return framed({
    title: "Overview",
    visitor,
    at: "overview",
    body: markup`<h1>Overview</h1>
<div class="tools"><nav class="tabs" aria-label="Days">${tabs}</nav></div>
${
  isEmpty
    ? nothingYet(view)
    : markup`${tiles(view)}
<div class="cols overview"><div class="first stack">${dayCard(view.span, view.byDay, `/${visitor.mode}/assessments`)}<div class="halves">${nameCard(view, "action_type", "Actions", "Most assessed")}${nameCard(view, "agent_id", "Agents", "Most asked")}</div></div><div class="side"><div class="stack">${reviewsCard(view)}${askedCard(view)}${nameCard(view, "factor", "Factors", "Most raised")}</div></div></div>`
}
<p class="foot">${counted(view)} Erased assessments are no longer counted.</p>`
  })
}
