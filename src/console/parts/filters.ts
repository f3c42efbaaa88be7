/** Filters of lists: the form, the chosen values with links that remove them, and counts of possible values. */

import type { Problem } from "../../api/Failures.ts"
import { actionCategories, environments } from "../../domain/Action.ts"
import { actionRiskLevels, type Level, levels } from "../../domain/Opinion.ts"
import { actionTypeMax, agentIdMax, searchMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import { levelDot } from "./level.ts"
import { attribute, said, spaced, thousands } from "./said.ts"

/** The query parameters that are not empty, by their names in the API. */
export type Chosen = Readonly<Record<string, string>>

/** The address of a list with changed filters, starting at the newest row. An empty value removes a filter. */
export const filteredPath = (path: string, chosen: Chosen, change: Chosen = {}): string => {
  const kept = Object.entries({ ...chosen, ...change }).filter(([, value]) => value !== "")
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`
}

/** The names of the filters in forms. */
export const filterTitles: Readonly<Record<string, string>> = {
  q: "Text",
  level: "Level",
  environment: "Environment",
  category: "Category",
  assessment_status: "Status",
  has_review: "Review",
  agent_id: "Agent",
  action_type: "Action",
  factor: "Factor",
  from: "From",
  to: "Until",
  outcome: "Outcome"
}

const valueWords: Readonly<Record<string, string>> = {
  "has_review true": "with a review",
  "has_review false": "without a review"
}

const shownFilter = (name: string, value: string): Markup =>
  ["q", "agent_id", "action_type"].includes(name)
    ? said(value)
    : markup`${valueWords[`${name} ${value}`] ?? (name === "factor" ? value : spaced(value).replaceAll(",", ", "))}`

/** The chosen filters, each linked to the list without it. */
export const chosenList = (path: string, chosen: Chosen): Markup | null => {
  const shown = Object.entries(chosen).filter(([name]) => name in filterTitles)
  if (shown.length === 0) return null
  return markup`<ul class="chips" aria-label="Chosen filters">${shown.map(
    ([name, value]) =>
      markup`<li><a href="${filteredPath(path, chosen, { [name]: "" })}"><span class="soft">${filterTitles[name] ?? ""}</span> ${shownFilter(name, value)} <span aria-hidden="true">×</span><span class="visually-hidden">, take it away</span></a></li>`
  )}</ul>`
}

type Options = ReadonlyArray<readonly [value: string, name: string]>

const options = (values: ReadonlyArray<string>): Options => values.map((value) => [value, spaced(value)])

/** Keeps a value that is not among the options, such as two levels in an address. */
const select = (name: string, all: string, choices: Options, chosen: Chosen): Markup => {
  const value = chosen[name] ?? ""
  const known = value === "" || choices.some(([one]) => one === value)
  const shown: Options = [["", all], ...choices, ...(known ? [] : [[value, spaced(value)] as const])]
  return markup`<select name="${name}">${shown.map(([one, text]) => markup`<option value="${one}"${attribute(one === value, "selected")}>${text}</option>`)}</select>`
}

/** The first option names the filter, so the label is visually hidden. */
const bareSelect = (name: string, all: string, choices: Options, chosen: Chosen): Markup =>
  markup`<label><span class="visually-hidden">${filterTitles[name] ?? ""}</span>${select(name, all, choices, chosen)}</label>`

const levelOptions: Options = [
  ["high,critical", "high and critical"],
  ...options(actionRiskLevels.toReversed())
]

const textInput = (name: string, max: number, chosen: Chosen): Markup =>
  markup`<label><span>${filterTitles[name] ?? ""}</span><input name="${name}" value="${chosen[name] ?? ""}" maxlength="${max}" autocomplete="off" spellcheck="false"></label>`

const dateInput = (name: string, chosen: Chosen): Markup =>
  markup`<label><span>${filterTitles[name] ?? ""}</span><input type="date" name="${name}" value="${(chosen[name] ?? "").slice(0, 10)}"></label>`

/** The filters in the collapsed part of the form. */
const furtherNames = ["assessment_status", "category", "agent_id", "action_type", "factor", "from", "to"]

export const assessmentFilters = (path: string, chosen: Chosen): Markup =>
  markup`<form method="get" action="${path}" role="search" class="filters">
<div class="row"><label class="grow"><span class="visually-hidden">Action, agent, target or id</span><input type="search" name="q" value="${chosen["q"] ?? ""}" placeholder="Action, agent, target or id" maxlength="${searchMax}"></label>${bareSelect("level", "any level", levelOptions, chosen)}${bareSelect("environment", "any environment", options(environments.toReversed()), chosen)}<button class="button">Search</button></div>
<details${attribute(
    furtherNames.some((name) => name in chosen),
    "open"
  )}><summary>More filters</summary><div class="grid">${textInput("agent_id", agentIdMax, chosen)}${textInput("action_type", actionTypeMax, chosen)}${textInput("factor", 80, chosen)}<label><span>Category</span>${select("category", "any", options(actionCategories), chosen)}</label><label><span>Status</span>${select("assessment_status", "any", options(["complete", "incomplete"]), chosen)}</label>${dateInput("from", chosen)}${dateInput("to", chosen)}</div></details></form>`

/** Filters for which the reviews form has no fields, but which a link may have set. */
const keptNames = ["agent_id", "action_type", "factor", "from", "to"]

export const reviewFilters = (path: string, chosen: Chosen): Markup =>
  markup`<form method="get" action="${path}" role="search" class="filters"><div class="row"><input type="hidden" name="state" value="${chosen["state"] ?? "open"}">${keptNames.map((name) => (chosen[name] === undefined ? null : markup`<input type="hidden" name="${name}" value="${chosen[name]}">`))}<label class="grow"><span class="visually-hidden">Action, agent or target</span><input type="search" name="q" value="${chosen["q"] ?? ""}" placeholder="Action, agent or target" maxlength="${searchMax}"></label>${bareSelect("level", "any level", levelOptions, chosen)}${bareSelect("environment", "any environment", options(environments.toReversed()), chosen)}<button class="button">Search</button></div></form>`

export const filterProblems = (problems: ReadonlyArray<Problem>): Markup | null =>
  problems.length === 0
    ? null
    : markup`<div class="problem" role="alert"><p>These filters cannot be read, so nothing is listed:</p><ul>${problems.map(({ field, message }) => markup`<li>${filterTitles[field] ?? field} ${message}.</li>`)}</ul></div>`

/** How many assessments of some days have each value of one filter. */
export interface FacetCounts {
  /** The filter's name in the API. */
  readonly name: string
  readonly title: string
  /** Most frequent first. */
  readonly rows: ReadonlyArray<{ readonly value: string; readonly count: number }>
}

/** The number of values that a card shows per filter. */
const shownMax = 8

export const countBar = (count: number, most: number): Markup =>
  markup`<svg class="count-bar" aria-hidden="true"><rect width="${most === 0 ? 0 : Math.max(1, (100 * count) / most).toFixed(1)}%" height="3" rx="1.5"/></svg>`

const isLevel = (value: string): value is Level => levels.some((level) => level === value)

const countedValue = (name: string, value: string): Markup =>
  isLevel(value)
    ? markup`${levelDot(value)} ${value}`
    : name === "factor"
      ? markup`<code>${value}</code>`
      : name === "agent_id" || name === "action_type"
        ? said(value)
        : markup`${spaced(value)}`

const countRow =
  (path: string, name: string, chosen: Chosen, most: number) =>
  ({ count, value }: FacetCounts["rows"][number]): Markup => {
    const isChosen = chosen[name] === value
    const href = filteredPath(path, chosen, { [name]: isChosen ? "" : value })
    return markup`<li><a href="${href}"${attribute(isChosen, "aria-current")}><span class="clip">${countedValue(name, value)}</span><b class="num">${thousands(count)}</b>${countBar(count, most)}</a></li>`
  }

/** A list of values, linked to the assessments that have them. */
export const countedList = (
  path: string,
  { name, rows, title }: FacetCounts,
  chosen: Chosen
): Markup | null => {
  if (rows.length === 0) return null
  const most = Math.max(...rows.map(({ count }) => count))
  return markup`<h3>${title}</h3><ul class="counts">${rows.slice(0, shownMax).map(countRow(path, name, chosen, most))}</ul>`
}

/** How many assessments of these days each chosen filter would leave on its own; null if that is not counted. */
export interface LeftBy {
  readonly name: string
  readonly value: string
  readonly count: number | null
}

/** Shows which filters leave nothing, strictest first. */
export const leftByEach = (left: ReadonlyArray<LeftBy>, days: string): Markup | null => {
  const counted = left
    .flatMap(({ count, name, value }) => (count === null ? [] : [{ count, name, value }]))
    .toSorted((a, b) => a.count - b.count)
  if (counted.length === 0) return null
  return markup`<p class="soft">${days}, each filter alone leaves:</p><dl class="left-by">${counted.map(({ count, name, value }) => markup`<div><dt><span class="soft">${filterTitles[name] ?? name}</span> ${shownFilter(name, value)}</dt><dd class="num">${thousands(count)}</dd></div>`)}</dl>`
}
