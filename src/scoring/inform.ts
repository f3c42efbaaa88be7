/** Tells which missing information could move the reported score, and how far. */

import type { MissingInformation } from "../domain/Opinion.ts"
import type { Deliberation } from "./Deliberation.ts"
import { gate } from "./gate.ts"
import { type MissableField, readAll, readOne } from "./Reading.ts"
import type { Settled } from "./settle.ts"
import { type Case, weigh } from "./weigh.ts"

const statedAtCeiling = readOne(readAll("reference"), "ceiling")
const statedAtLeast = readOne(readAll("reference"), "least")
const restOpen = readOne(readAll("open"), "least")

/** The scores that would be reported with `field` stated at its ceiling and at its least, everything else as it is. */
function* informOf(
  field: MissableField,
  { floor, range: { high }, score }: Settled,
  it: Case
): Deliberation<MissingInformation> {
  const { claims, model } = it
  const gated = (evaluated: number, then: number) =>
    Math.max(floor, gate(evaluated, then, claims.production, model.numbers))
  const worst = yield* weigh(it, statedAtCeiling[field])
  const best = yield* weigh(it, statedAtLeast[field])
  const lifted = gated(best.score, high) > best.score
  // Stating the field at its least also lowers what the rest could lead to, and so may open a gate that lifts.
  const highThen = lifted ? yield* weigh(it, restOpen[field]) : best
  return {
    field,
    couldRaiseTo: Math.max(score, gated(worst.score, high)),
    couldLowerTo: Math.min(score, gated(best.score, highThen.score))
  }
}

/** Most influential first: by how far the first figure lies above the score, then the second below it, then by name. */
const byInfluence = (a: MissingInformation, b: MissingInformation): number =>
  b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)

export function* inform(settled: Settled, it: Case): Deliberation<ReadonlyArray<MissingInformation>> {
  const information: Array<MissingInformation> = []
  for (const field of settled.missing) information.push(yield* informOf(field, settled, it))
  return information.toSorted(byInfluence)
}
