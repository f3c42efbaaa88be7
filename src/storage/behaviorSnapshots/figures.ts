/** How many units had which figure: what medians are read from. */

interface Counted {
  /** Each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place. */
  readonly units: ReadonlyArray<number>
}

export interface Figures {
  /** Ascending, each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place or a smaller one: summed once for all questions that share them. */
  readonly upTo: ReadonlyArray<number>
}

export const noFigures: Figures = { figures: [], upTo: [] }

const inOrder = (of: Counted): Counted => {
  if (of.figures.every((figure, i) => i === 0 || figure > (of.figures[i - 1] ?? 0))) return of
  const order = of.figures.map((_, i) => i).toSorted((a, b) => (of.figures[a] ?? 0) - (of.figures[b] ?? 0))
  return { figures: order.map((i) => of.figures[i] ?? 0), units: order.map((i) => of.units[i] ?? 0) }
}

/** The same figures in ascending order, with the sums of their units. */
export const ascending = (of: Counted): Figures => {
  const { figures, units } = inOrder(of)
  let sum = 0
  return { figures, upTo: units.map((count) => (sum += count)) }
}

/** How many of the figures do not exceed this one. */
const notAbove = ({ figures }: Figures, figure: number): number => {
  let from = 0
  let to = figures.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((figures[middle] ?? 0) > figure) to = middle
    else from = middle + 1
  }
  return from
}

const has = (of: Figures, figure: number): boolean => of.figures[notAbove(of, figure) - 1] === figure

const unitsUpTo = (of: Figures, figure: number): number => of.upTo[notAbove(of, figure) - 1] ?? 0

export interface Middle {
  readonly units: number
  /** The smallest figure that at least half of the units do not exceed; null without units. */
  readonly median: number | null
}

/** The smallest of the figures that at least `rank` units do not exceed, as `passed` counts them; `Infinity` without one. */
const smallest = ({ figures }: Figures, rank: number, passed: (figure: number) => number): number => {
  let from = 0
  let to = figures.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (passed(figures[middle] ?? 0) >= rank) to = middle
    else from = middle + 1
  }
  return figures[from] ?? Infinity
}

/** Of both together, without one unit of `except`. Each question excepts another figure, and walks neither of them. */
export const middleOf = (past: Figures, today: Figures, except: number | null): Middle => {
  const excepted = except !== null && (has(past, except) || has(today, except)) ? except : Infinity
  const passed = (figure: number) =>
    unitsUpTo(past, figure) + unitsUpTo(today, figure) - (figure >= excepted ? 1 : 0)
  const units = passed(Number.MAX_VALUE)
  if (units < 1) return { units, median: null }
  const rank = Math.ceil(units / 2)
  return { units, median: Math.min(smallest(past, rank, passed), smallest(today, rank, passed)) }
}
