/** A score before and after, as figures and on the scale from 0 to 100. */

import { signed } from "../figures.ts"
import { type Markup, markup } from "../markup.ts"

export const inkOf = (from: number, to: number): "rise" | "fall" | "none" =>
  to > from ? "rise" : to < from ? "fall" : "none"

const scaleWidth = 200

/** The small chart repeats the figures beside it, so that nobody has to be told of it twice. */
const scale = (from: number, to: number): Markup => {
  const x = (score: number) => 8 + (score * (scaleWidth - 16)) / 100
  const ink = to === from ? "var(--soft)" : `var(--${inkOf(from, to)})`
  return markup`<svg class="scale" viewBox="0 0 ${scaleWidth} 14" aria-hidden="true"><path d="M8 7H${scaleWidth - 8}" stroke="var(--line)" stroke-width="2" stroke-linecap="round"/><path d="M${x(from)} 7H${x(to)}" stroke="${ink}" stroke-width="4"/><circle cx="${x(from)}" cy="7" r="4" fill="var(--paper)" stroke="${ink}" stroke-width="2"/><circle cx="${x(to)}" cy="7" r="5.5" fill="${ink}"/></svg>`
}

export const scoreMove = (from: number, to: number): Markup =>
  markup`<div class="scores"><span>scores <b>${from}</b> before, <b class="${inkOf(from, to)}">${to}</b> after (${signed(to - from)})</span>${scale(from, to)}</div>`
