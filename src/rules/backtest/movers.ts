/** The largest moves of the score so far, in their order: by points, then by their place in the history. */

import { backtestMoversMax } from "../../Limits.ts"
import type { Move } from "./Backtest.ts"

const pointsOf = ({ from, to }: Move): number => Math.abs(to.score - from.score)

const before = (a: Move, b: Move): boolean =>
  pointsOf(a) > pointsOf(b) || (pointsOf(a) === pointsOf(b) && a.line < b.line)

/** Keeps `move` in `movers` where it belongs to the largest; few are kept, so it is put in its place by hand. */
export const keepMover = (movers: Array<Move>, move: Move): void => {
  const last = movers.at(-1)
  if (movers.length === backtestMoversMax && last !== undefined && !before(move, last)) return
  const at = movers.findIndex((other) => before(move, other))
  movers.splice(at === -1 ? movers.length : at, 0, move)
  if (movers.length > backtestMoversMax) movers.pop()
}
