/** The facts of one completed call: everything that a rule can test, in one flat record of constant shape. */

import { dataClassifications, type Environment, environments, reversibilities } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Facts } from "./Facts.ts"
import type { Numbers } from "./Numbers.ts"
import type { StatedCall } from "./StatedCall.ts"
import type { ResolvedCall } from "./completeCall.ts"
import { moveHistoryFacts, standingHistoryFacts } from "./history.ts"
import { extents, impacts } from "./reading/Act.ts"

/** The facts that show that the caller contradicted itself. Each of them also lowers confidence. */
export const contradictionFacts = [
  "environment_claim_inconsistent",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent",
  "command_contradicts"
] as const

const isUnbounded = ({ entities, reading, records }: StatedCall): boolean =>
  reading.everything ||
  (extents.indexOf(reading.extent) >= extents.indexOf("bulk") &&
    entities === undefined &&
    records === undefined)

/** The gravest safeguards are audit trails: without them, no one learns what else was done. */
const safeguardRank = ({ impact, weakens }: StatedCall["reading"]): number =>
  weakens ? (impact === "critical" ? 2 : 1) : 0

const runsNothingLive = (environment: Environment): boolean =>
  environment === "development" || environment === "sandbox"

/** The facts that no missing field can change, with neutral values for the rest. Built once per call and then copied. */
export const standingFacts = (
  stated: StatedCall,
  behavior: Behavior,
  numbers: Numbers,
  expired = false
): Facts => {
  const { class: own, environment, reading } = stated
  return {
    action_class: reading.class,
    action_category: own.category,
    normalized_action_type: reading.type,
    object_kind: reading.kind,
    impact_rank: impacts.indexOf(reading.impact),
    extent_rank: extents.indexOf(reading.extent),
    acts_anywhere: reading.anywhere,
    name_unknown: reading.class === "unknown",
    name_hinted: reading.hinted,
    command_unread: reading.unread,
    command_contradicts: reading.contradicted,
    catalogue_entry_expired: expired,
    environment,
    environment_rank: environments.indexOf(environment),
    environment_claim_inconsistent: stated.environmentInconsistent,
    remote_target_unconfirmed: reading.remote,
    instruction_untrusted: stated.instructionUntrusted,
    entities_affected: 0,
    records_affected: 0,
    financial_value_usd_cents: 0,
    data_classification_rank: 0,
    reversibility_rank: 0,
    privilege_change: false,
    production_impact: false,
    data_classification_missing: false,
    reversibility_missing: false,
    entities_missing: false,
    records_missing: false,
    financial_value_missing: false,
    currency_missing: false,
    destination_missing: false,
    agent_missing: false,
    extent_unbounded: false,
    data_store: reading.kind === "container",
    admin_named: reading.admin,
    credential_operation: reading.credential,
    also_exports: reading.alsoExports,
    safeguard_weakened_rank: safeguardRank(reading),
    privilege_claim_inconsistent: false,
    reversibility_claim_inconsistent: false,
    counts_inconsistent: false,
    production_impact_inconsistent: false,
    ...standingHistoryFacts(behavior, stated, numbers),
    confidence_percent_missing: 0,
    assessment_degraded: false,
    policy_evaluation_incomplete: false
  }
}

/** A mutable facts record that consecutive evaluations overwrite. */
export type FactsInHand = { -readonly [Fact in keyof Facts]: Facts[Fact] }

/** Writes the facts that missing fields can change into a copy of the standing facts. */
export const moveFacts = (
  facts: FactsInHand,
  stated: StatedCall,
  resolved: ResolvedCall,
  behavior: Behavior,
  numbers: Numbers
): void => {
  facts.entities_affected = resolved.entities
  facts.records_affected = resolved.records
  facts.financial_value_usd_cents = resolved.usdCents
  facts.data_classification_rank = dataClassifications.indexOf(resolved.dataClassification)
  facts.reversibility_rank = reversibilities.indexOf(resolved.reversibility)
  facts.privilege_change = resolved.privilegeChange
  facts.production_impact = resolved.productionImpact
  facts.data_classification_missing = stated.dataClassification === undefined
  facts.reversibility_missing = stated.reversibility === undefined
  facts.entities_missing = stated.entities === undefined
  facts.records_missing = stated.records === undefined
  facts.financial_value_missing = stated.value === undefined
  facts.currency_missing = stated.value !== undefined && stated.value > 0 && stated.currency === undefined
  facts.destination_missing = stated.destination === undefined
  facts.agent_missing = stated.agentId === undefined
  facts.extent_unbounded = isUnbounded(stated)
  facts.privilege_claim_inconsistent = resolved.privilegeInconsistent
  facts.reversibility_claim_inconsistent =
    stated.reversibility !== undefined && stated.reversibility !== resolved.reversibility
  facts.counts_inconsistent = resolved.countsInconsistent
  facts.production_impact_inconsistent = resolved.productionImpact && runsNothingLive(stated.environment)
  if (behavior !== "unavailable") moveHistoryFacts(facts, behavior, stated, resolved, numbers)
}

/** A copy of `standing` with the facts that missing fields can change. */
export const gatherFacts = (
  standing: Facts,
  stated: StatedCall,
  resolved: ResolvedCall,
  behavior: Behavior,
  numbers: Numbers
): Facts => {
  const facts = { ...standing }
  moveFacts(facts, stated, resolved, behavior, numbers)
  return facts
}
