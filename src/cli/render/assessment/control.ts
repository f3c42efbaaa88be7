/** The one recommended control with its reasons, and the recommendation codes. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import { table } from "../table.ts"
import { wrap } from "../wrap.ts"

export const renderControl = (sheet: Sheet, response: AssessmentResponse): ReadonlyArray<string> => {
  const { because, priority, type } = response.recommended_control
  const codes = response.recommendations.join(", ")
  return [
    `  ${sheet.ink("bold", type)}, priority ${sheet.ink(styleOf[priority], priority)}`,
    ...table(
      sheet,
      because.map((reason, index) => [index === 0 ? "because" : "", reason])
    ),
    ...(codes === "" ? [] : wrap(`also recommended: ${codes}`, sheet.width - 2).map((line) => `  ${line}`))
  ]
}
