/** How many units had which figure: what medians are read from. */

export interface Figures {
  /** Ascending, each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place. */
  readonly units: ReadonlyArray<number>
}

export const noFigures: Figures = { figures: [], units: [] }

export const countOf = ({ units }: Figures): number => units.reduce((sum, count) => sum + count, 0)

const ascending = (of: Figures): Figures => {
  if (of.figures.every((figure, i) => i === 0 || figure > (of.figures[i - 1] ?? 0))) return of
  const order = of.figures.map((_, i) => i).toSorted((a, b) => (of.figures[a] ?? 0) - (of.figures[b] ?? 0))
  return { figures: order.map((i) => of.figures[i] ?? 0), units: order.map((i) => of.units[i] ?? 0) }
}

/** Both together, without one unit of `except`. */
export const together = (past: Figures, today: Figures, except: number | null): Figures => {
  const added = ascending(today)
  const figures: Array<number> = []
  const units: Array<number> = []
  let i = 0
  let j = 0
  while (i < past.figures.length || j < added.figures.length) {
    const figure = Math.min(past.figures[i] ?? Infinity, added.figures[j] ?? Infinity)
    let count = figure === except ? -1 : 0
    if (past.figures[i] === figure) count += past.units[i++] ?? 0
    if (added.figures[j] === figure) count += added.units[j++] ?? 0
    if (count <= 0) continue
    figures.push(figure)
    units.push(count)
  }
  return { figures, units }
}

/** The smallest figure that at least half of the units do not exceed; null without units. */
export const medianOf = (of: Figures): number | null => {
  const rank = Math.ceil(countOf(of) / 2)
  let passed = 0
  for (const [i, count] of of.units.entries()) {
    passed += count
    if (passed >= rank) return of.figures[i] ?? null
  }
  return null
}
