/** Finds facts for which a term holds, or establishes that there are none. */

import { analysisStepsMax } from "../../Limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { pick } from "./Box.ts"
import { regions } from "./regions.ts"
import type { Term } from "./Term.ts"

export const findFacts = (term: Term): Facts | "none" | "undecided" => {
  let steps = 0
  for (const box of regions(term)) {
    if (box !== null) return pick(box)
    if (++steps > analysisStepsMax) return "undecided"
  }
  return "none"
}
