/** What was not stated, what it was taken for, and where stating it could move the score. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import type { Sheet } from "../Sheet.ts"
import { table } from "../table.ts"

export const renderMissing = (sheet: Sheet, response: AssessmentResponse): ReadonlyArray<string> => {
  const assumed = new Map(response.assumptions.map((each) => [each.field, String(each.assumed)]))
  const { score } = response.action_risk
  return table(
    sheet,
    response.missing_information.map(({ could_lower_to: low, could_raise_to: high, field }) => [
      field,
      assumed.has(field) ? `taken as ${assumed.get(field)}` : "",
      low === score && high === score
        ? "would not move the score"
        : `stating it moves the score to between ${low} and ${high}`
    ])
  )
}
