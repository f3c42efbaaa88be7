/** The customer policy rules that matched, and what each asked for. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import type { Sheet } from "../Sheet.ts"
import { table } from "../table.ts"

export const renderPolicies = (sheet: Sheet, matches: AssessmentResponse["policy_context"]) =>
  table(
    sheet,
    matches.map(({ effect, policy, rule }) => [policy, rule, effect])
  )
