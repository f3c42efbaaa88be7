/** Everything that rules may ask about one completed action, as one flat record of the same shape every time. */

import { dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Facts } from "./Facts.ts"
import { countsAsMissing, type FieldBound, type FieldBounds } from "./FieldBounds.ts"
import type { Numbers } from "./Model.ts"
import type { StatedAction } from "./StatedAction.ts"
import { behaviorFacts } from "./behavior.ts"
import type { ResolvedAction } from "./missingFields.ts"

/** What the caller contradicted, as facts. Each also lowers confidence. */
export const contradictionFacts = [
  "environment_claim_inconsistent",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent"
] as const

export const gatherFacts = (
  claims: StatedAction,
  completed: ResolvedAction,
  behavior: Behavior,
  numbers: Numbers,
  readings: FieldBounds
): Facts => {
  const { normalized } = claims
  const missing = (stated: unknown, reading: FieldBound) => stated === undefined && countsAsMissing(reading)
  const entitiesMissing = missing(claims.entities, readings.entities_affected)
  const recordsMissing = missing(claims.records, readings.records_affected)
  const environmentRank = environments.indexOf(claims.environment)
  const history = behaviorFacts(behavior, claims, completed, numbers, readings)
  return {
    action_class: normalized.class,
    action_category: claims.class.category,
    normalized_action_type: normalized.type,
    environment: claims.environment,
    environment_rank: environmentRank,
    environment_claim_inconsistent: claims.environmentInconsistent,
    entities_affected: completed.entities,
    records_affected: completed.records,
    financial_value_usd_cents: completed.usdCents,
    data_classification_rank: dataClassifications.indexOf(completed.dataClassification),
    reversibility_rank: reversibilities.indexOf(completed.reversibility),
    privilege_change: completed.privilegeChange,
    production_impact: completed.productionImpact,
    data_classification_missing: missing(claims.dataClassification, readings.data_classification),
    reversibility_missing: missing(claims.reversibility, readings.reversibility),
    entities_missing: entitiesMissing,
    records_missing: recordsMissing,
    financial_value_missing: missing(claims.value, readings.financial_value),
    currency_missing:
      claims.value !== undefined && claims.value > 0 && missing(claims.currency, readings.currency),
    destination_missing: missing(claims.destination, readings.destination),
    agent_missing: missing(claims.agentId, readings.agent_id),
    extent_unbounded:
      claims.namesEverything || (normalized.extent === "bulk" && entitiesMissing && recordsMissing),
    data_store: normalized.dataStore,
    admin_named: normalized.admin,
    credential_operation: normalized.credential,
    also_exports: normalized.alsoExports,
    safeguard_weakened_rank: normalized.safeguardWeakened,
    privilege_claim_inconsistent: claims.class.alwaysChangesPrivilege && claims.privilegeChange === false,
    reversibility_claim_inconsistent:
      claims.reversibility !== undefined && claims.reversibility !== completed.reversibility,
    counts_inconsistent: completed.countsInconsistent,
    production_impact_inconsistent:
      completed.productionImpact &&
      (claims.environment === "development" || claims.environment === "sandbox"),
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
