/** The six dimensions of a completed action, in basis points. */

import type { Dimensions } from "../domain/BlastRadius.ts"
import type { Measured } from "./Claims.ts"
import type { Completed } from "./complete.ts"
import { dataImpact } from "./dimensions/dataImpact.ts"
import { entityImpact } from "./dimensions/entityImpact.ts"
import { financialImpact } from "./dimensions/financialImpact.ts"
import { operationalImpact } from "./dimensions/operationalImpact.ts"
import { privilegeImpact } from "./dimensions/privilegeImpact.ts"
import { reversibility } from "./dimensions/reversibility.ts"
import type { Numbers } from "./Model.ts"

export const measureDimensions = (claims: Measured, completed: Completed, numbers: Numbers): Dimensions => ({
  financialImpact: financialImpact(completed, numbers),
  entityImpact: entityImpact(claims, completed, numbers),
  dataImpact: dataImpact(claims, completed, numbers),
  operationalImpact: operationalImpact(claims, completed, numbers),
  privilegeImpact: privilegeImpact(claims, completed, numbers),
  reversibility: reversibility(completed, numbers)
})
