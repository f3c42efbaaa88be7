/** How many units had which figure: what medians are read from. */

interface UnsortedCounts {
  /** Each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place. */
  readonly units: ReadonlyArray<number>
}

export interface Histogram {
  /** Ascending, each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place or a smaller one: summed once for all questions that share them. */
  readonly upTo: ReadonlyArray<number>
}

export const emptyHistogram: Histogram = { figures: [], upTo: [] }

const inOrder = (of: UnsortedCounts): UnsortedCounts => {
  if (of.figures.every((figure, i) => i === 0 || figure > (of.figures[i - 1] ?? 0))) return of
  const order = of.figures.map((_, i) => i).toSorted((a, b) => (of.figures[a] ?? 0) - (of.figures[b] ?? 0))
  return { figures: order.map((i) => of.figures[i] ?? 0), units: order.map((i) => of.units[i] ?? 0) }
}

/** The same figures in ascending order, with the sums of their units. */
export const toHistogram = (of: UnsortedCounts): Histogram => {
  const { figures, units } = inOrder(of)
  let sum = 0
  return { figures, upTo: units.map((count) => (sum += count)) }
}

/** How many of the figures do not exceed this one. */
const countNotAbove = ({ figures }: Histogram, figure: number): number => {
  let from = 0
  let to = figures.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((figures[middle] ?? 0) > figure) to = middle
    else from = middle + 1
  }
  return from
}

const has = (of: Histogram, figure: number): boolean => of.figures[countNotAbove(of, figure) - 1] === figure

const unitsUpTo = (of: Histogram, figure: number): number => of.upTo[countNotAbove(of, figure) - 1] ?? 0

export interface Median {
  readonly units: number
  /** The smallest figure that at least half of the units do not exceed; null without units. */
  readonly median: number | null
}

/** The smallest of the figures that at least `rank` units do not exceed, as `passed` counts them; `Infinity` without one. */
const smallest = ({ figures }: Histogram, rank: number, passed: (figure: number) => number): number => {
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
export const combinedMedian = (past: Histogram, today: Histogram, except: number | null): Median => {
  const excepted = except !== null && (has(past, except) || has(today, except)) ? except : Infinity
  const passed = (figure: number) =>
    unitsUpTo(past, figure) + unitsUpTo(today, figure) - (figure >= excepted ? 1 : 0)
  const units = passed(Number.MAX_VALUE)
  if (units < 1) return { units, median: null }
  const rank = Math.ceil(units / 2)
  return { units, median: Math.min(smallest(past, rank, passed), smallest(today, rank, passed)) }
}
