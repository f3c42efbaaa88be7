/** Finds the request that best shows a reviewer where two rulebooks differ, confirmed by scoring both sides whole. */

import { witnessRealizedMax } from "../../Limits.ts"
import { actionClasses } from "../../domain/ActionType.ts"
import { type Box, narrow } from "../analysis/Box.ts"
import type { Situation } from "../cases.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Eyes } from "./look.ts"
import { realize } from "./realize.ts"
import { shrink } from "./shrink.ts"
import { type Witness, witnessOf } from "./Witness.ts"

export interface Pair {
  readonly from: Rulebook
  readonly to: Rulebook
}

export interface Search {
  /** What the witness is to show, most telling first: a less telling one counts only where none of the others is found. */
  readonly wanted: ReadonlyArray<(situation: Situation) => boolean>
  /** Situations to look among first. */
  readonly known: Iterable<Situation>
  /** Facts among which the difference lies, for situations to be made up of. */
  readonly boxes: () => Iterable<Box>
}

/** One for each box, and where a class is left open one for each class: what one class hides another may show. */
function* madeUp(boxes: Iterable<Box>, { from, to }: Pair): Generator<Situation> {
  let made = 0
  for (const box of boxes) {
    for (const name of actionClasses) {
      const part = narrow(box, "action_class", { of: [name] })
      if (part === null) continue
      for (const { release } of [to, from]) {
        const situation = realize(part, release.model)
        if (situation === null) continue
        yield situation
        break
      }
      if (++made >= witnessRealizedMax) return
    }
  }
}

/** Undefined where nothing is found that shows any of it. */
export const findWitness = (
  pair: Pair,
  eyes: Eyes,
  { boxes, known, wanted }: Search
): Witness | undefined => {
  const scores = (situation: Situation) => ({
    from: eyes(pair.from, situation).score,
    to: eyes(pair.to, situation).score
  })
  const gap = (situation: Situation): number => {
    const { from, to } = scores(situation)
    return Math.abs(to - from)
  }
  const candidates: Array<Situation> = [...known]
  let invented = false
  for (const shows of wanted) {
    let found = candidates.find(shows)
    if (found === undefined && !invented) {
      invented = true
      const more = [...madeUp(boxes(), pair)]
      candidates.push(...more)
      found = more.find(shows)
    }
    if (found === undefined) continue
    const least = gap(found)
    const small = shrink(found, (smaller) => shows(smaller) && gap(smaller) >= least)
    return witnessOf(small, scores(small))
  }
  return undefined
}
