/** The facts of one completed action: everything that a rule can test, in one flat record that always has the same shape. */

import { dataClassifications, type Environment, environments, reversibilities } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import type { Facts } from "../Facts.ts"
import { countsAsMissing, type FieldBound, type FieldBounds } from "./FieldBounds.ts"
import type { Numbers } from "./Model.ts"
import type { StatedAction } from "./StatedAction.ts"
import { behaviorFacts } from "./behavior.ts"
import type { ResolvedAction } from "./missingFields.ts"

/** The facts that say that the caller contradicted itself. Each also lowers confidence. */
export const contradictionFacts = [
  "environment_claim_inconsistent",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent"
] as const

const isMissing = (value: unknown, bound: FieldBound): boolean =>
  value === undefined && countsAsMissing(bound)

const isCurrencyMissing = ({ currency, value }: StatedAction, bounds: FieldBounds): boolean =>
  value !== undefined && value > 0 && isMissing(currency, bounds.currency)

const isExtentUnbounded = (
  { entities, namesEverything, normalized, records }: StatedAction,
  bounds: FieldBounds
): boolean =>
  namesEverything ||
  (normalized.extent === "bulk" &&
    isMissing(entities, bounds.entities_affected) &&
    isMissing(records, bounds.records_affected))

const runsNothingLive = (environment: Environment): boolean =>
  environment === "development" || environment === "sandbox"

export const gatherFacts = (
  stated: StatedAction,
  resolved: ResolvedAction,
  behavior: Behavior,
  numbers: Numbers,
  bounds: FieldBounds
): Facts => {
  const { normalized, reversibility } = stated
  const history = behaviorFacts(behavior, stated, resolved, numbers, bounds)
  return {
    action_class: normalized.class,
    action_category: stated.class.category,
    normalized_action_type: normalized.type,
    object_kind: "nothing",
    impact_rank: 0,
    extent_rank: 0,
    acts_anywhere: false,
    name_unknown: false,
    name_hinted: false,
    command_unread: false,
    command_contradicts: false,
    catalogue_entry_expired: false,
    environment: stated.environment,
    environment_rank: environments.indexOf(stated.environment),
    environment_claim_inconsistent: stated.environmentInconsistent,
    entities_affected: resolved.entities,
    records_affected: resolved.records,
    financial_value_usd_cents: resolved.usdCents,
    data_classification_rank: dataClassifications.indexOf(resolved.dataClassification),
    reversibility_rank: reversibilities.indexOf(resolved.reversibility),
    privilege_change: resolved.privilegeChange,
    production_impact: resolved.productionImpact,
    data_classification_missing: isMissing(stated.dataClassification, bounds.data_classification),
    reversibility_missing: isMissing(reversibility, bounds.reversibility),
    entities_missing: isMissing(stated.entities, bounds.entities_affected),
    records_missing: isMissing(stated.records, bounds.records_affected),
    financial_value_missing: isMissing(stated.value, bounds.financial_value),
    currency_missing: isCurrencyMissing(stated, bounds),
    destination_missing: isMissing(stated.destination, bounds.destination),
    agent_missing: isMissing(stated.agentId, bounds.agent_id),
    extent_unbounded: isExtentUnbounded(stated, bounds),
    data_store: normalized.dataStore,
    admin_named: normalized.admin,
    credential_operation: normalized.credential,
    also_exports: normalized.alsoExports,
    safeguard_weakened_rank: normalized.safeguardWeakened,
    privilege_claim_inconsistent: stated.class.alwaysChangesPrivilege && stated.privilegeChange === false,
    reversibility_claim_inconsistent: reversibility !== undefined && reversibility !== resolved.reversibility,
    counts_inconsistent: resolved.countsInconsistent,
    production_impact_inconsistent: resolved.productionImpact && runsNothingLive(stated.environment),
    baseline_missing: history.baseline_missing,
    action_type_unfamiliar: history.action_type_unfamiliar,
    agent_unfamiliar: history.agent_unfamiliar,
    destination_novel: history.destination_novel,
    destination_unestablished: history.destination_unestablished,
    destination_step_up: history.destination_step_up,
    destination_lookalike: history.destination_lookalike,
    entity_volume_multiplier_x100: history.entity_volume_multiplier_x100,
    financial_value_multiplier_x100: history.financial_value_multiplier_x100,
    velocity_multiplier_x100: history.velocity_multiplier_x100,
    velocity_last_hour: history.velocity_last_hour,
    cumulative_entities_step: history.cumulative_entities_step,
    cumulative_value_step: history.cumulative_value_step,
    confidence_percent_missing: 0,
    gate_applied: false,
    assessment_degraded: false,
    policy_evaluation_incomplete: false
  }
}
