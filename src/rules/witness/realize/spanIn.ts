/** The stretch of whole numbers that a box leaves to a count or a rank. */

import type { FactName } from "../../../scoring/Facts.ts"
import { type Box, valuesIn } from "../../analysis/Box.ts"
import type { Span } from "../../analysis/Values.ts"

export const spanIn = (box: Box, fact: FactName): Span => {
  const values = valuesIn(box, fact)
  return "min" in values ? values : { min: 0, max: 0 }
}
