/** The charts of the console and the reports: SVG without scripts, in the colors of the page. */

import { type Markup, markup } from "./markup.ts"

type Content = ReadonlyArray<Markup | null>

/**
 * Widths are percentages, so the chart fits its page and letters keep their size. The page styles `text`, `.grid`, `.axis` and `.hit` in
 * `.chart`. With links inside, an SVG has the role of a group; without them, a screen reader treats it as one picture.
 */
const chart = (role: "group" | "img", label: string, height: number, content: Content): Markup =>
  markup`<svg class="chart" role="${role}" aria-label="${label}" height="${height}">${content}</svg>`

const percent = (share: number): string => `${share.toFixed(3)}%`

/** Possible maxima of an axis, times a power of ten. */
const roundTops = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The smallest round and even figure that is at least `count`. Even, because half of it is shown too and must be a whole number. */
export const axisTop = (count: number): number => {
  if (count <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(count))
  return roundTops.map((step) => step * power).find((top) => top >= count && top % 2 === 0) ?? 10 * power
}

/** In pixels: the space above the plot for the figure of its upper line, and below it for the labels of the axis. */
export const above = 16
const below = 20

interface Plot {
  readonly label: string
  /** In pixels. */
  readonly height: number
  /** The figure at the upper line. */
  readonly top: string
  /** The labels below the axis: left, middle and right. */
  readonly ends: readonly [left: string, middle: string | null, right: string]
}

/** Draws content between an upper line with a figure and an axis. */
export const plot = ({ ends, height, label, top }: Plot, role: "group" | "img", content: Content): Markup => {
  const [left, middle, right] = ends
  const bottom = above + height
  const line = (y: number, name: string) =>
    markup`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="${name}"/>`
  return chart(role, label, bottom + below, [
    line(above, "grid"),
    line(above + height / 2, "grid"),
    line(bottom, "axis"),
    markup`<text x="0" y="11">${top}</text>`,
    ...content,
    markup`<text x="0" y="${bottom + 15}">${left}</text>`,
    middle === null ? null : markup`<text x="50%" y="${bottom + 15}" text-anchor="middle">${middle}</text>`,
    markup`<text x="100%" y="${bottom + 15}" text-anchor="end">${right}</text>`
  ])
}

interface Bar {
  /** From bottom to top. The ink is a CSS variable of the page. */
  readonly parts: ReadonlyArray<{ readonly size: number; readonly ink: string; readonly faint?: boolean }>
  /** Its figures in words. */
  readonly says: string
  /** The link of the bar. */
  readonly href?: string
}

const gapPercent = 18

/** Bars next to each other, each with stacked parts. */
export const barChart = (bars: ReadonlyArray<Bar>, about: Omit<Plot, "top">): Markup => {
  const sizeOf = ({ parts }: Bar) => parts.reduce((sum, { size }) => sum + size, 0)
  const top = axisTop(Math.max(...bars.map(sizeOf)))
  const width = 100 / bars.length
  const margin = (width * gapPercent) / 200
  const bottom = above + about.height
  const drawn = bars.map(({ href, parts, says }, at) => {
    let base = bottom
    const rects = parts.map(({ faint, ink, size }) => {
      if (size === 0) return null
      // A part above 0 is visible, however small it is.
      const tall = Math.max(1.5, (about.height * size) / top)
      base -= tall
      return markup`<rect x="${percent(at * width + margin)}" y="${base.toFixed(1)}" width="${percent(width - 2 * margin)}" height="${tall.toFixed(1)}" fill="var(--${ink})"${faint === true ? markup` opacity=".55"` : null}/>`
    })
    return href === undefined
      ? markup`<g><title>${says}</title>${rects}</g>`
      : markup`<a href="${href}" aria-label="${says}"><title>${says}</title><rect class="hit" x="${percent(at * width)}" y="0" width="${percent(width)}" height="${bottom}"/>${rects}</a>`
  })
  const role = bars.some(({ href }) => href !== undefined) ? "group" : "img"
  return plot({ ...about, top: top.toLocaleString("en-US") }, role, drawn)
}

interface TwoSidedRow {
  readonly name: string
  readonly down: number
  readonly up: number
}

const rowHeight = 50
/** In percent of the width, on each side of the middle. The rest is for the figure at the end of a bar. */
const reach = 38

/** Rows of two bars that start in the middle: `down` to the left, `up` to the right, with the row's name above them. */
export const twoSidedBars = (rows: ReadonlyArray<TwoSidedRow>, label: string): Markup => {
  const most = Math.max(1, ...rows.flatMap(({ down, up }) => [down, up]))
  const height = rows.length * rowHeight
  const bar = (count: number, side: -1 | 1, y: number): Markup | null => {
    if (count === 0) return null
    const long = Math.max(0.5, (reach * count) / most)
    const [x, ink, anchor] = side < 0 ? [50 - long, "fall", "end"] : [50, "rise", "start"]
    return markup`<rect x="${percent(x)}" y="${y}" width="${percent(long)}" height="14" fill="var(--${ink})"/><text x="${percent(50 + side * long)}" y="${y + 12}" dx="${side * 5}" text-anchor="${anchor}">${count.toLocaleString("en-US")}</text>`
  }
  const drawn = rows.map(({ down, name, up }, at) => {
    const y = at * rowHeight + 26
    return markup`<text x="0" y="${y - 8}">${name}</text>${bar(down, -1, y)}${bar(up, 1, y)}<line x1="50%" x2="50%" y1="${y - 4}" y2="${y + 18}" class="axis"/>`
  })
  return chart("img", label, height, drawn)
}

interface Tiles {
  readonly label: string
  /** The headings of the rows and of the columns. */
  readonly headings: readonly [rows: string, columns: string]
  /** The names of the rows, and also of the columns. */
  readonly names: ReadonlyArray<string>
  readonly tiles: ReadonlyArray<ReadonlyArray<{ readonly text: string; readonly ink: string }>>
}

const tileHeight = 58
/** In percent of the width, before the first column. */
const namesWidth = 26

/** A square of tiles with texts that show how often each row occurred with each column. */
export const tileChart = ({ headings: [rows, columns], label, names, tiles }: Tiles): Markup => {
  const width = (100 - namesWidth) / names.length
  const bottom = tileHeight * names.length
  const middle = (at: number) => percent(namesWidth + (at + 0.5) * width)
  const baseline = (at: number) => (at + 0.5) * tileHeight + 5
  return chart("img", label, bottom + 42, [
    ...tiles.flatMap((row, y) =>
      row.map(
        ({ ink, text }, x) =>
          markup`<rect x="${percent(namesWidth + x * width)}" y="${y * tileHeight}" width="${percent(width)}" height="${tileHeight}" fill="var(--${ink})" stroke="var(--paper)" stroke-width="3"/><text x="${middle(x)}" y="${baseline(y)}" text-anchor="middle">${text}</text>`
      )
    ),
    ...names.map(
      (name, at) =>
        markup`<text x="${percent(namesWidth)}" y="${baseline(at)}" dx="-8" text-anchor="end">${name}</text><text x="${middle(at)}" y="${bottom + 17}" text-anchor="middle">${name}</text>`
    ),
    markup`<text transform="rotate(-90)" x="${-bottom / 2}" y="12" text-anchor="middle" class="heading">${rows}</text><text x="${percent(namesWidth / 2 + 50)}" y="${bottom + 38}" text-anchor="middle" class="heading">${columns}</text>`
  ])
}
