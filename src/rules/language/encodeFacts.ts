/** Facts as numbers at fixed indexes, so that a compiled test is one load and one comparison. */

import { factKinds, type FactName, type Facts } from "../../scoring/Facts.ts"

const factNames = Object.keys(factKinds)

export const placeOf = (fact: FactName): number => factNames.indexOf(fact)

/** The texts used in a rule set's comparisons, numbered from 1. Every other text is 0. */
export type Texts = ReadonlyMap<string, number>

/**
 * A name's number is its index among the names of its fact. Remembers the last name, because an opinion looks up the same one some thirty
 * times in a row.
 */
const numbered = (names: ReadonlyArray<string>): ((name: string) => number) => {
  const numbers = new Map(names.map((name, i) => [name, i]))
  let last = ""
  let number = 0
  return (name) => {
    if (name !== last) {
      last = name
      number = numbers.get(name) ?? 0
    }
    return number
  }
}

const codeOf = {
  action_class: numbered(factKinds.action_class.names),
  action_category: numbered(factKinds.action_category.names),
  object_kind: numbered(factKinds.object_kind.names),
  environment: numbered(factKinds.environment.names)
}

/** Invariant: evaluation never suspends, so every caller has finished reading the array before the next call overwrites it. */
const values = new Float64Array(factNames.length)

/**
 * True is 1, false is 0; counts and ranks stay as they are. One line per fact, in the order of `factKinds`, because this takes a fifth of
 * the time of a loop. A test and the verification of every release check the order.
 */
// oxlint-disable-next-line max-lines-per-function -- a table: one line for each fact
export const encodeFacts = (facts: Facts, texts: Texts): Float64Array => {
  let at = 0
  values[at++] = codeOf.action_class(facts.action_class)
  values[at++] = codeOf.action_category(facts.action_category)
  values[at++] = texts.get(facts.normalized_action_type) ?? 0
  values[at++] = codeOf.object_kind(facts.object_kind)
  values[at++] = facts.impact_rank
  values[at++] = facts.extent_rank
  values[at++] = facts.acts_anywhere ? 1 : 0
  values[at++] = facts.name_unknown ? 1 : 0
  values[at++] = facts.name_hinted ? 1 : 0
  values[at++] = facts.command_unread ? 1 : 0
  values[at++] = facts.command_contradicts ? 1 : 0
  values[at++] = facts.catalogue_entry_expired ? 1 : 0
  values[at++] = codeOf.environment(facts.environment)
  values[at++] = facts.environment_rank
  values[at++] = facts.environment_claim_inconsistent ? 1 : 0
  values[at++] = facts.remote_target_unconfirmed ? 1 : 0
  values[at++] = facts.instruction_untrusted ? 1 : 0
  values[at++] = facts.entities_affected
  values[at++] = facts.records_affected
  values[at++] = facts.financial_value_usd_cents
  values[at++] = facts.data_classification_rank
  values[at++] = facts.reversibility_rank
  values[at++] = facts.privilege_change ? 1 : 0
  values[at++] = facts.production_impact ? 1 : 0
  values[at++] = facts.data_classification_missing ? 1 : 0
  values[at++] = facts.reversibility_missing ? 1 : 0
  values[at++] = facts.entities_missing ? 1 : 0
  values[at++] = facts.records_missing ? 1 : 0
  values[at++] = facts.financial_value_missing ? 1 : 0
  values[at++] = facts.currency_missing ? 1 : 0
  values[at++] = facts.destination_missing ? 1 : 0
  values[at++] = facts.agent_missing ? 1 : 0
  values[at++] = facts.extent_unbounded ? 1 : 0
  values[at++] = facts.data_store ? 1 : 0
  values[at++] = facts.admin_named ? 1 : 0
  values[at++] = facts.credential_operation ? 1 : 0
  values[at++] = facts.also_exports ? 1 : 0
  values[at++] = facts.safeguard_weakened_rank
  values[at++] = facts.privilege_claim_inconsistent ? 1 : 0
  values[at++] = facts.reversibility_claim_inconsistent ? 1 : 0
  values[at++] = facts.counts_inconsistent ? 1 : 0
  values[at++] = facts.production_impact_inconsistent ? 1 : 0
  values[at++] = facts.baseline_missing ? 1 : 0
  values[at++] = facts.action_type_unfamiliar ? 1 : 0
  values[at++] = facts.agent_unfamiliar ? 1 : 0
  values[at++] = facts.destination_novel ? 1 : 0
  values[at++] = facts.destination_unestablished ? 1 : 0
  values[at++] = facts.destination_step_up ? 1 : 0
  values[at++] = facts.destination_lookalike ? 1 : 0
  values[at++] = facts.entity_volume_multiplier_x100
  values[at++] = facts.financial_value_multiplier_x100
  values[at++] = facts.velocity_multiplier_x100
  values[at++] = facts.velocity_last_hour
  values[at++] = facts.cumulative_entities_step
  values[at++] = facts.cumulative_value_step
  values[at++] = facts.confidence_percent_missing
  values[at++] = facts.assessment_degraded ? 1 : 0
  values[at++] = facts.policy_evaluation_incomplete ? 1 : 0
  return values
}
