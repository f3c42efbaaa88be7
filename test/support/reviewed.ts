/** Stored assessments with a complete list row, from which reviews are shown. */

import type { ActionItem } from "../../src/api/Actions.ts"
import { exampleList } from "../../src/api/examples/examples.ts"
import type { ActionRiskLevel } from "../../src/domain/Opinion.ts"
import type { AssessmentRecord } from "../../src/storage/assessments/AssessmentRecord.ts"
import { assessmentRecord, type Overrides } from "./assessmentRecord.ts"

export const listedRecord = (
  unit: number,
  level: ActionRiskLevel,
  complete: boolean,
  overrides: Overrides = {}
): AssessmentRecord => {
  const record = assessmentRecord(unit, { level, complete, ...overrides })
  const [example] = exampleList.data
  const item: ActionItem = {
    ...example,
    assessment_id: record.assessmentId,
    action_id: record.actionId,
    request_id: record.requestId,
    action_type: `unit ${unit}`,
    assessment_status: complete ? "complete" : "incomplete",
    status: complete ? "completed" : "incomplete",
    action_risk: { ...example.action_risk, level }
  }
  return { ...record, item }
}
