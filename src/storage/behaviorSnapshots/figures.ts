/** How many units had which figure: what medians are read from. */

export interface Figures {
  /** Ascending, each once. */
  readonly figures: ReadonlyArray<number>
  /** Units with the figure in the same place. */
  readonly units: ReadonlyArray<number>
}

export const noFigures: Figures = { figures: [], units: [] }

export const countOf = ({ units }: Figures): number => units.reduce((sum, count) => sum + count, 0)

/** Both together, without one unit of `except`. */
export const together = (past: Figures, today: Figures, except: number | null): Figures => {
  const counts = new Map<number, number>()
  const add = (figure: number, count: number) => counts.set(figure, (counts.get(figure) ?? 0) + count)
  past.figures.forEach((figure, i) => add(figure, past.units[i] ?? 0))
  today.figures.forEach((figure, i) => add(figure, today.units[i] ?? 0))
  if (except !== null) add(except, -1)
  const held = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  return { figures: held.map(([figure]) => figure), units: held.map(([, count]) => count) }
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
