/** One page of assessed actions, newest first (contract 3.3). */

import { Schema } from "effect"
import { environments } from "../domain/Action.ts"
import { actionCategories } from "../domain/ActionType.ts"
import { ActionRisk, BlastRadius, RecommendedControl } from "./AssessmentResponse.ts"
import { listOf } from "./listOf.ts"
import { IsoMillis, RequestId, Uuid } from "./Scalars.ts"

/** Optional fields that the request left out are null. */
const Stated = Schema.NullOr(Schema.String)

export const ActionItem = Schema.Struct({
  assessment_id: Uuid,
  action_id: Uuid,
  request_id: RequestId,
  action_type: Schema.String,
  normalized_action_type: Schema.String,
  action_category: Schema.Literals(actionCategories),
  environment: Schema.Literals(environments),
  agent_id: Stated,
  target_system: Stated,
  target_resource: Stated,
  destination: Stated,
  status: Schema.Literals(["completed", "incomplete"]),
  assessment_status: Schema.Literals(["complete", "incomplete"]),
  action_risk: Schema.Struct({
    score: ActionRisk.fields.score,
    level: ActionRisk.fields.level,
    confidence: ActionRisk.fields.confidence
  }),
  blast_radius: Schema.Struct({ score: BlastRadius.fields.score, level: BlastRadius.fields.level }),
  recommended_control: Schema.Struct({
    type: RecommendedControl.fields.type,
    priority: RecommendedControl.fields.priority
  }),
  created_at: IsoMillis
}).annotate({ identifier: "ActionItem" })
export type ActionItem = typeof ActionItem.Encoded

export const ActionList = listOf(ActionItem).annotate({ identifier: "ActionList" })
export type ActionList = typeof ActionList.Encoded
