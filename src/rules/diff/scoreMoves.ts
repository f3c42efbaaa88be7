/** What the witness of a number, a rate or a word is to show: the score moving, else its level, else its confidence. */

import type { Situation } from "../cases.ts"
import type { ChangeSearch } from "./Diff.ts"
import type { Direction } from "./Direction.ts"

/** A fall comes first: it is what a reviewer has to see. */
export const scoreMoves =
  ({ falls }: Direction): ChangeSearch["shows"] =>
  ({ eyes, from, to }) => {
    const gap = (situation: Situation) => eyes(to, situation).score - eyes(from, situation).score
    return [
      (situation) => (falls ? gap(situation) < 0 : gap(situation) > 0),
      (situation) => gap(situation) !== 0,
      (situation) => eyes(to, situation).level !== eyes(from, situation).level,
      (situation) => eyes(to, situation).confidencePercent !== eyes(from, situation).confidencePercent
    ]
  }
