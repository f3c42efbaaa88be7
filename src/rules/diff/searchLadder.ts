/** How a request is found that shows what became of one factor, typology or policy rule. */

import type { Box } from "../analysis/Box.ts"
import { regions } from "../analysis/regions.ts"
import type { Situation } from "../cases.ts"
import type { Ladder } from "../ladders.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Comparison, Shift } from "./compareLadders.ts"
import type { ChangeSearch } from "./Diff.ts"
import { type Grade, isSame, risesAnywhere } from "./grade.ts"
import { raised } from "./raised.ts"
import { withLadder } from "./withLadder.ts"

const boxesPerShiftMax = 40

/** Boxes in which the two ladders differ. */
function* boxesIn(shifts: ReadonlyArray<Shift>): Generator<Box> {
  for (const { where } of shifts) {
    let left = boxesPerShiftMax
    for (const box of regions(where)) {
      if (box !== null) yield box
      if (--left <= 0) break
    }
  }
}

type Way = "up" | "down" | "any"

const isShift = (way: Way, from: Grade, to: Grade): boolean => {
  if (way === "any") return !isSame(from, to)
  return way === "up" ? risesAnywhere(from, to) : risesAnywhere(to, from)
}

/** A fall is what a reviewer has to see first, so a change that does both shows its fall where it can. */
export const searchLadder = ({ code, kind }: Ladder, { down, up }: Comparison): ChangeSearch => ({
  shows: ({ eyes, from, to }) => {
    const way = down.length > 0 ? "down" : "up"
    const alone = withLadder(from, to, kind, code)
    const gradeIn = (book: Rulebook, situation: Situation) =>
      raised(eyes(book, situation).matches, kind, code)
    const shifts = (situation: Situation, towards: Way) =>
      isShift(towards, gradeIn(from, situation), gradeIn(to, situation))
    const gap = (situation: Situation, then = to) => eyes(then, situation).score - eyes(from, situation).score
    const moves = (situation: Situation, then = to) =>
      way === "up" ? gap(situation, then) > 0 : gap(situation, then) < 0
    return [
      (situation) => shifts(situation, way) && moves(situation) && moves(situation, alone),
      (situation) => shifts(situation, way) && moves(situation),
      (situation) => shifts(situation, "any") && gap(situation) !== 0,
      (situation) => shifts(situation, way),
      (situation) => shifts(situation, "any")
    ]
  },
  known: ({ lifelike }) => lifelike,
  boxes: () => boxesIn([...down, ...up])
})
