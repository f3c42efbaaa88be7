/** The level and the score first, then what was asked and how sure the answer is. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import type { Asked } from "../assessment.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import { wrap } from "../wrap.ts"

export const renderHeadline = (
  { ink, width }: Sheet,
  asked: Asked,
  response: AssessmentResponse
): ReadonlyArray<string> => {
  const { action_risk: risk, action_category: category } = response
  const badge = ink(styleOf[risk.level], ` ${risk.level.toUpperCase()} ${risk.score} `)
  const named =
    asked.actionType === response.normalized_action_type
      ? asked.actionType
      : `${asked.actionType}, read as ${response.normalized_action_type}`
  const { high, low } = risk.range
  const range = low === high ? [] : [`between ${low} and ${high}`]
  const sure = ["action risk", ...range, `confidence ${risk.confidence.toFixed(2)}`].join(", ")
  const incomplete =
    response.assessment_status === "incomplete"
      ? wrap("Incomplete: a part of the evaluation failed and was taken at its worst.", width).map((line) =>
          ink("yellow", line)
        )
      : []
  return [`${badge} ${sure}`, ...wrap(`${named} (${category}) in ${asked.environment}`, width), ...incomplete]
}
