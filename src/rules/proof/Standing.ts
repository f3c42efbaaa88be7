/** What a box leaves of a ladder: the rungs that can still count there. */

import type { Box } from "../analysis/Box.ts"
import { settle } from "../analysis/settle.ts"
import type { Term } from "../analysis/Term.ts"
import type { Ladder, Rung } from "./Ladder.ts"

export interface Open {
  readonly rung: Rung
  /** What is left to ask; true where it holds throughout. */
  readonly rest: Term | true
}

export interface Standing {
  readonly code: string
  /** Strongest first; nothing comes after one that is sure. */
  readonly open: ReadonlyArray<Open>
}

export const standingOf = ({ code, rungs }: Ladder): Standing => ({
  code,
  open: rungs.map((rung) => ({ rung, rest: rung.term }))
})

export const settleStanding = ({ code, open }: Standing, box: Box): Standing => {
  const left: Array<Open> = []
  for (const { rest, rung } of open) {
    const settled = rest === true ? true : settle(rest, box)
    if (settled === false) continue
    left.push({ rung, rest: settled })
    if (settled === true) break
  }
  return { code, open: left }
}

const isSure = ({ open }: Standing): boolean => open.at(-1)?.rest === true

/** At most and at least, wherever in the box. */
export const mostOf = (standing: Standing, what: "floor" | "hazardBp"): number =>
  Math.max(0, ...standing.open.map(({ rung }) => rung[what]))

export const leastOf = (standing: Standing, what: "floor" | "hazardBp"): number =>
  isSure(standing) ? Math.min(...standing.open.map(({ rung }) => rung[what])) : 0
