/** Recorded assessments that would be scored otherwise: from which score and level to which, and why. */

import type { FactorMove, Move } from "../../../../rules/backtest/Backtest.ts"
import { type Markup, markup } from "../markup.ts"
import { inkOf } from "./scoreMove.ts"
import { requestDetails } from "./witnessOf.ts"

const factor = ({ code, from, to }: FactorMove): string => {
  if (from === null) return `${code} appears (${to})`
  if (to === null) return `${code} vanishes (was ${from})`
  return `${code} is ${to}, was ${from}`
}

export const reasonsOf = ({ factors }: Move): ReadonlyArray<string> =>
  factors.length === 0 ? ["no factor changed; a floor, a typology or a number did"] : factors.map(factor)

export const actionTypeOf = ({ request }: Move): string => String(request["action_type"] ?? "unnamed")

/** One that stands for all of its like: the same action, scores and reasons. */
export interface Alike {
  readonly move: Move
  readonly count: number
}

/** In the order in which the first of each stands. */
export const alike = (moves: ReadonlyArray<Move>): ReadonlyArray<Alike> => {
  const kinds = Map.groupBy(moves, (move) =>
    JSON.stringify([actionTypeOf(move), move.from, move.to, reasonsOf(move)])
  )
  return [...kinds.values()].flatMap(([move, ...others]) =>
    move === undefined ? [] : [{ move, count: 1 + others.length }]
  )
}

const item = ({ count, move }: Alike): Markup =>
  markup`<li class="move"><details><summary><code>${actionTypeOf(move)}</code><span>${count > 1 ? markup`<span class="soft">${count} times</span> ` : null}${move.from.score} ${move.from.level} → <b class="${inkOf(move.from.score, move.to.score)}">${move.to.score} ${move.to.level}</b></span><span class="soft">${reasonsOf(move).join("; ")}</span></summary>
<p class="soft">Record ${move.line}, assessment <code>${move.assessmentId}</code></p>
${requestDetails({ request: move.request })}</details></li>
`

export const moveList = (moves: ReadonlyArray<Alike>): Markup => markup`<ul class="list">
${moves.map(item)}</ul>
`
