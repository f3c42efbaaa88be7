/** How much money stands behind the action, on a logarithmic scale. */

import type { Completed } from "../complete.ts"
import { interpolate } from "../interpolate.ts"
import type { Numbers } from "../Model.ts"

const centsPerUsd = 100

export const financialImpact = (completed: Completed, numbers: Numbers): number =>
  interpolate(numbers.anchors.usd, completed.usdCents, centsPerUsd)
