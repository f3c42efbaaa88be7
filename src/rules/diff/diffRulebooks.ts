/** Compares two rulebooks by what they mean, and shows each change of meaning with a request. */

import type { Situation } from "../cases.ts"
import type { Rulebook } from "../Rulebook.ts"
import { findWitness } from "../witness/findWitness.ts"
import { openEyes } from "../witness/look.ts"
import { changesBetween } from "./changesBetween.ts"
import type { Change, Diff, Sight, Unwitnessed } from "./Diff.ts"

const witnessed = ({ search, ...change }: Unwitnessed, sight: Sight): Change => {
  if (search === null) return change
  const witness = findWitness(sight, sight.eyes, {
    wanted: search.shows(sight),
    known: search.known(sight),
    boxes: search.boxes
  })
  return witness === undefined ? change : { ...change, witness }
}

/** `lifelike`: situations in which witnesses are looked for first, those that read best first. */
export const diffRulebooks = (
  from: Rulebook,
  to: Rulebook,
  lifelike: ReadonlyArray<Situation> = []
): Diff => {
  const sight = { eyes: openEyes(), from, to, lifelike }
  const changes = changesBetween(from, to).map((change) => witnessed(change, sight))
  return { from: from.label, to: to.label, changes }
}
