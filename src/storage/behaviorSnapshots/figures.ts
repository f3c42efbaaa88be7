/** How many units had which figure: what medians are read from. */

export interface Figures {
  /** Ascending, each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place. */
  readonly units: ReadonlyArray<number>
}

export const noFigures: Figures = { figures: [], units: [] }

/** The same figures in ascending order. */
export const ascending = (of: Figures): Figures => {
  if (of.figures.every((figure, i) => i === 0 || figure > (of.figures[i - 1] ?? 0))) return of
  const order = of.figures.map((_, i) => i).toSorted((a, b) => (of.figures[a] ?? 0) - (of.figures[b] ?? 0))
  return { figures: order.map((i) => of.figures[i] ?? 0), units: order.map((i) => of.units[i] ?? 0) }
}

const countOf = ({ units }: Figures): number => {
  let count = 0
  for (let i = 0; i < units.length; i++) count += units[i] ?? 0
  return count
}

export interface Middle {
  readonly units: number
  /** The smallest figure that at least half of the units do not exceed; null without units. */
  readonly median: number | null
}

/** Of both together, without one unit of `except`. Walks them side by side: each question excepts another figure. */
export const middleOf = (past: Figures, today: Figures, except: number | null): Middle => {
  const excepted = except !== null && (past.figures.includes(except) || today.figures.includes(except))
  const units = countOf(past) + countOf(today) - (excepted ? 1 : 0)
  const rank = Math.ceil(units / 2)
  let passed = 0
  let i = 0
  let j = 0
  while (i < past.figures.length || j < today.figures.length) {
    const figure = Math.min(past.figures[i] ?? Infinity, today.figures[j] ?? Infinity)
    if (past.figures[i] === figure) passed += past.units[i++] ?? 0
    if (today.figures[j] === figure) passed += today.units[j++] ?? 0
    if (figure === except) passed -= 1
    if (passed > 0 && passed >= rank) return { units, median: figure }
  }
  return { units, median: null }
}
