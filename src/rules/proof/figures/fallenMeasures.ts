/** Figures of the dimensions that stand lower than before, and where they count. */

import type { Numbers } from "../../../scoring/Model.ts"
import type { Lowered } from "../Lowered.ts"
import { fallen } from "./Figure.ts"
import { measures } from "./measures.ts"
import { fallenScales } from "./scales.ts"

export const fallenMeasures = (from: Numbers, to: Numbers): ReadonlyArray<Lowered> => [
  ...fallen(measures(from), measures(to)),
  ...fallenScales(from, to)
]
