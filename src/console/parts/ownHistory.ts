/** How another release answers the organization's own assessments: levels before and after, controls, and the largest moves. */

import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import { ownHistoryDays, ownHistoryMax } from "../../limits.ts"
import { type Markup, markup } from "../../markup.ts"
import type { Visitor } from "./frame.ts"
import { levelChip, levelDot } from "./level.ts"
import { said, thousands } from "./said.ts"

interface AnsweredBy {
  readonly level: ActionRiskLevel
  readonly score: number
  readonly control: string
}

/** Actions of one type in one environment that move in the same way. */
interface ActionMove {
  readonly actionType: string
  readonly environment: string
  readonly records: number
  readonly largest: {
    readonly assessmentId: string
    readonly from: AnsweredBy
    readonly to: AnsweredBy
    readonly points: number
    /** How many steps the control moves. */
    readonly steps: number
  }
}

type CountName =
  | "falls"
  | "lowered"
  | "raised"
  | "records"
  | "rises"
  | "strengthened"
  | "unchanged"
  | "unreadable"
  | "weakened"

interface Backtest {
  readonly counts: Readonly<Record<CountName, number>>
  /** By the level before, then by the level after. */
  readonly transitions: Readonly<Record<ActionRiskLevel, Readonly<Record<ActionRiskLevel, number>>>>
  /** Largest fall first. */
  readonly actions: ReadonlyArray<ActionMove>
}

export type OwnHistoryResult =
  | { readonly state: "running"; readonly scored: number }
  /** `isAll`: whether no older assessments were left out. */
  | { readonly state: "done"; readonly isAll: boolean; readonly backtest: Backtest }
  | { readonly state: "failed"; readonly reason: string }

export interface OwnHistoryView {
  readonly visitor: Visitor
  /** The query of the page. */
  readonly query: string
  /** Null while the organization waits for its turn. */
  readonly result: OwnHistoryResult | null
  /** The number of assessments in these days, as far as counted. */
  readonly stored: number
}

/** More would not be taken in at a glance. */
const movesShownMax = 8

const head = (about: Markup): Markup =>
  markup`<h2 id="own-title">On your own last ${ownHistoryDays} days <span class="soft">${about}</span></h2>`

const underWay = ({ query }: OwnHistoryView, says: string, share: number | null): Markup =>
  markup`${head(markup`in a separate thread`)}<p>${says}</p>${share === null ? markup`<progress aria-label="Scoring your assessments"></progress>` : markup`<progress aria-label="Scoring your assessments" value="${share.toFixed(3)}" max="1"></progress>`}<a class="small unscripted" href="?${query}">Load again</a>`

const assessments = (count: number): string =>
  `${thousands(count)} ${count === 1 ? "assessment" : "assessments"}`

const cell = ({ transitions }: Backtest, from: number, to: number): Markup => {
  const [before, after] = [actionRiskLevels[from] ?? "low", actionRiskLevels[to] ?? "low"]
  const count = transitions[before][after]
  const kind = count === 0 ? "none" : to < from ? "fell" : to > from ? "rose" : "same"
  return markup`<td class="${kind}">${count === 0 ? "·" : thousands(count)}</td>`
}

const matrix = (backtest: Backtest): Markup =>
  markup`<table class="figures levels"><caption class="soft small">Levels: rows before, columns after</caption><thead><tr><th scope="col"><span class="visually-hidden">Before</span></th>${actionRiskLevels.map((level) => markup`<th scope="col">${level}</th>`)}</tr></thead><tbody>${actionRiskLevels.map((level, from) => markup`<tr><th scope="row">${levelDot(level)} ${level}</th>${actionRiskLevels.map((_, to) => cell(backtest, from, to))}</tr>`)}</tbody></table>`

const moveRow =
  ({ mode }: Visitor) =>
  ({ actionType, environment, largest, records }: ActionMove): Markup => {
    const { assessmentId, from, points, steps, to } = largest
    const control =
      steps === 0
        ? null
        : markup` <span class="small"><code>${from.control}</code> <span aria-hidden="true">→</span><span class="visually-hidden">becomes</span> <code>${to.control}</code></span>`
    return markup`<li><span class="num delta ${(points || steps) < 0 ? "fall" : "rise"}">${points < 0 ? `−${-points}` : points > 0 ? `+${points}` : "±0"}</span><span class="move">${levelChip(from.level, from.score)}<span class="arrow" aria-hidden="true">→</span><span class="visually-hidden">becomes</span>${levelChip(to.level, to.score)}</span><span class="what"><b>${said(actionType)}</b> <span class="soft">in ${environment}${records === 1 ? "" : ` × ${thousands(records)}`}</span>${control}</span><a class="small" href="/${mode}/assessments/${assessmentId}">open ${records === 1 ? "it" : "one"}</a></li>`
  }

const isLevelMove = ({ largest: { from, to } }: ActionMove): boolean => from.level !== to.level

/** Moves that change a level come first: falls, then rises; then moves within a level. */
const inOrder = (actions: ReadonlyArray<ActionMove>): ReadonlyArray<ActionMove> => [
  ...actions.filter(isLevelMove),
  ...actions.filter((action) => !isLevelMove(action))
]

const moves = ({ actions }: Backtest, visitor: Visitor): Markup | null => {
  if (actions.length === 0) return null
  const ordered = inOrder(actions)
  const [shown, rest] = [ordered.slice(0, movesShownMax), ordered.slice(movesShownMax)]
  const list = (some: ReadonlyArray<ActionMove>) =>
    markup`<ul class="own-moves">${some.map(moveRow(visitor))}</ul>`
  return markup`<h3>What moves, the widest of each kind</h3>${list(shown)}${rest.length === 0 ? null : markup`<details><summary class="small">${rest.length} more kinds of actions</summary>${list(rest)}</details>`}`
}

const done = ({ stored, visitor }: OwnHistoryView, backtest: Backtest, isAll: boolean): Markup => {
  const { falls, lowered, raised, records, rises, strengthened, unchanged, unreadable, weakened } =
    backtest.counts
  if (records + unreadable === 0)
    return markup`${head(markup`nothing to compare`)}<p class="soft">No assessment in ${ownHistoryDays} days.</p>`
  const about = isAll
    ? markup`${assessments(records)}`
    : markup`the newest ${thousands(records)}${stored > records ? ` of ${thousands(stored)}` : ""}`
  const isSame = backtest.actions.length === 0
  const told = isSame
    ? markup`<b>None of them would be answered differently.</b>`
    : markup`<b class="${falls === 0 ? "" : "t-critical"}">${thousands(falls)} ${falls === 1 ? "falls" : "fall"} in level</b>, <b>${thousands(rises)} ${rises === 1 ? "rises" : "rise"}</b>. <b class="${weakened === 0 ? "" : "t-critical"}">${thousands(weakened)} ${weakened === 1 ? "gets" : "get"} a weaker control</b>, <b>${thousands(strengthened)} a stronger one</b>. <span class="soft">Scores: ${thousands(lowered)} lower, ${thousands(raised)} higher, ${thousands(unchanged)} the same.</span>`
  const others = unreadable === 0 ? "" : ` ${assessments(unreadable)} could not be read.`
  return markup`${head(about)}<p>${told}${others}</p>${isSame ? null : markup`<div class="own"><div>${matrix(backtest)}</div><div>${moves(backtest, visitor)}</div></div>`}`
}

const inside = (view: OwnHistoryView): Markup => {
  const { result, stored } = view
  if (result === null)
    return underWay(view, "Your organization waits for several histories; this one comes after them.", null)
  switch (result.state) {
    case "running": {
      const wanted = Math.min(stored, ownHistoryMax)
      const share = result.scored === 0 || wanted === 0 ? null : Math.min(1, result.scored / wanted)
      const says =
        result.scored === 0
          ? "Both releases are being opened."
          : `${assessments(result.scored)} scored twice.`
      return underWay(view, says, share)
    }
    case "failed":
      return markup`${head(markup`not scored`)}<p class="problem" role="alert">${result.reason}.</p>`
    case "done":
      return done(view, result.backtest, result.isAll)
  }
}

/** The script requests it again while the comparison is running. */
export const ownHistoryPart = (view: OwnHistoryView): Markup =>
  markup`<section class="card" id="own-history" data-again aria-labelledby="own-title" role="status">${inside(view)}</section>`
