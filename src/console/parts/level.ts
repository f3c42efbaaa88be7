/** Levels and scores as graphics: a chip with a word, a filled circle and a color, and scales from 0 to 100. */

import { type Level, levels } from "../../domain/Opinion.ts"
import { type Markup, markup } from "../../markup.ts"

/** The lowest score of each level; null if the release that gave the score is not installed. */
export type FirstScores = Readonly<Record<Level, number>> | null

const fullest = levels.length - 1
/** The circumference at half of the circle's radius: a stroke along it fills the circle. */
const circumference = 2 * Math.PI * 3

/** A higher level has a fuller circle, so that the level is recognizable without color. */
const pie = (level: Level): Markup => {
  const share = levels.indexOf(level) / fullest
  return markup`<svg viewBox="0 0 14 14" aria-hidden="true"><circle cx="7" cy="7" r="6" fill="none" stroke="currentColor" stroke-width="1.6"/><circle cx="7" cy="7" r="3" fill="none" stroke="currentColor" stroke-width="6" stroke-dasharray="${(share * circumference).toFixed(2)} 99" transform="rotate(-90 7 7)"/></svg>`
}

export const levelChip = (level: Level, score?: number): Markup =>
  markup`<span class="level ${level}">${pie(level)}${level}${score === undefined ? null : markup` <b>${score}</b>`}</span>`

export const levelDot = (level: Level): Markup => markup`<span class="dot t-${level}">${pie(level)}</span>`

/** The CSS variable for the level's color. */
const inkOf = (level: Level): string => `var(--${level === "minimal" ? "low" : level})`

const zones = (first: Readonly<Record<Level, number>>): ReadonlyArray<Markup> =>
  levels.map((level, at) => {
    const next = levels[at + 1]
    const until = next === undefined ? 100 : first[next]
    return markup`<rect x="${first[level]}%" y="11" width="${Math.max(0.2, until - first[level] - 0.5)}%" height="4" rx="2" fill="${level === "minimal" ? "var(--edge)" : inkOf(level)}" opacity=".38"/>${at === 0 ? null : markup`<text x="${first[level]}%" y="42">${first[level]}<tspan class="zone" dx="5">${level}</tspan></text>`}`
  })

interface Scored {
  readonly score: number
  readonly level: Level
  readonly range: { readonly low: number; readonly high: number }
}

/** The score on its scale, with a band for the scores that missing information leaves open. */
export const scoreScale = ({ level, range: { high, low }, score }: Scored, first: FirstScores): Markup =>
  markup`<svg class="scale" role="img" aria-label="Score ${score} of 100, between ${low} and ${high}">${
    first === null
      ? markup`<rect x="0" y="11" width="100%" height="4" rx="2" fill="var(--edge)"/>`
      : zones(first)
  }<rect x="${low}%" y="6" width="${Math.max(0.6, high - low)}%" height="14" rx="7" fill="${inkOf(level)}" opacity=".24"/><rect x="${score}%" y="1" width="6" height="24" rx="3" transform="translate(-3 0)" fill="${inkOf(level)}"/></svg>`

/** A small scale next to figures that say the same. `before`: a score to compare with. */
export const smallScale = ({ level, range: { high, low }, score }: Scored, before?: number): Markup =>
  markup`<svg class="mini" aria-hidden="true"><rect x="0" y="5" width="100%" height="2" rx="1" fill="var(--edge)"/>${before === undefined ? null : markup`<rect x="${before}%" y="0.5" width="4" height="11" rx="2" transform="translate(-2 0)" fill="var(--card)" stroke="var(--soft)"/>`}<rect x="${low}%" y="2.5" width="${Math.max(0.8, high - low)}%" height="7" rx="3.5" fill="${inkOf(level)}" opacity=".3"/><rect x="${score}%" y="0" width="4" height="12" rx="2" transform="translate(-2 0)" fill="${inkOf(level)}"/></svg>`

/** A bar from 0 to 100, in the color of the level that such a score has. */
export const scoreBar = (value: number, first: FirstScores): Markup => {
  const level = first === null ? undefined : levels.findLast((one) => value >= first[one])
  return markup`<svg aria-hidden="true"><rect width="100%" height="8" rx="4" fill="var(--well)"/><rect width="${value}%" height="8" rx="4" fill="${level === undefined ? "var(--soft)" : inkOf(level)}" opacity=".85"/></svg>`
}
