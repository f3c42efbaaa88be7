/** Every risk factor with its severity and what it says. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import { table } from "../table.ts"

export const renderFactors = (sheet: Sheet, factors: AssessmentResponse["risk_factors"]) =>
  table(
    sheet,
    factors.map(({ code, message, severity }) => [
      { text: severity, style: styleOf[severity] },
      code,
      message
    ])
  )
