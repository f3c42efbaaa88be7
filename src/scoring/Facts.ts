/** The closed, typed list of facts that rule conditions can use. Every facts record has all of them. */

import { actionCategories, actionClasses, environments } from "../domain/Action.ts"
import { objectKinds } from "./reading/Vocabulary.ts"

/**
 * - `name`: one of `names`; compared by equal, notEqual, in, notIn.
 * - `flag`: a boolean; compared by equal, notEqual.
 * - `count`: an integer from 0, larger is riskier, in `unit`.
 * - `rank`: an integer from 0 to `max`, larger is riskier.
 */
export type FactKind =
  | { readonly kind: "name"; readonly names: ReadonlyArray<string>; readonly says: string }
  | { readonly kind: "text"; readonly says: string }
  | { readonly kind: "flag"; readonly says: string }
  | { readonly kind: "count"; readonly unit: string; readonly says: string }
  | { readonly kind: "rank"; readonly max: number; readonly says: string }

export const factKinds = {
  action_class: {
    kind: "name",
    names: actionClasses,
    says: "the class of the verb"
  },
  action_category: { kind: "name", names: actionCategories, says: "the action category of the class" },
  normalized_action_type: { kind: "text", says: "the canonical action type, `<object>.<verb>`" },
  object_kind: {
    kind: "name",
    names: objectKinds,
    says: "what kind of thing the object is, as far as risk depends on it"
  },
  impact_rank: {
    kind: "rank",
    max: 3,
    says: "the attention that the bare act deserves in production: low 0, moderate 1, high 2, critical 3"
  },
  extent_rank: {
    kind: "rank",
    max: 3,
    says: "how many things such a call touches: single 0, list 1, bulk 2, everything 3"
  },
  acts_anywhere: {
    kind: "flag",
    says: "the act is as grave from a laptop or a sandbox as from production"
  },
  name_unknown: { kind: "flag", says: "no verb of the action type is known" },
  name_hinted: {
    kind: "flag",
    says: "no verb is known, and a word hints at writing, at many things or at the outside"
  },
  command_unread: {
    kind: "flag",
    says: "an execute tool came without its command, or its command was not understood"
  },
  command_contradicts: {
    kind: "flag",
    says: "the description or the metadata contains a riskier command than the call"
  },
  catalogue_entry_expired: {
    kind: "flag",
    says: "the catalogue names this call, and its entry is past its date of review"
  },

  environment: {
    kind: "name",
    names: environments,
    says: "the environment that counts: production when a target names production"
  },
  environment_rank: { kind: "rank", max: 3, says: "development 0, sandbox 1, staging 2, production 3" },
  environment_claim_inconsistent: {
    kind: "flag",
    says: "a non-production environment was stated and a target names production"
  },
  remote_target_unconfirmed: {
    kind: "flag",
    says: "development or staging was stated, and the call changes another machine or service that may be production"
  },
  instruction_untrusted: {
    kind: "flag",
    says: "the caller says that untrusted content asked for the action"
  },

  entities_affected: { kind: "count", unit: "entities", says: "entities in scope, completed" },
  records_affected: { kind: "count", unit: "records", says: "records in scope, completed" },
  financial_value_usd_cents: {
    kind: "count",
    unit: "US cents",
    says: "monetary exposure, completed, in US cents"
  },
  data_classification_rank: {
    kind: "rank",
    max: 4,
    says: "public 0, internal 1, confidential 2, restricted 3, regulated 4, completed"
  },
  reversibility_rank: {
    kind: "rank",
    max: 4,
    says: "fully 0, mostly 1, partially 2, difficult 3, irreversible 4, completed and never below the class floor"
  },
  privilege_change: {
    kind: "flag",
    says: "permissions, roles or credentials change; always true for class access"
  },
  production_impact: { kind: "flag", says: "live operational dependencies are affected, completed" },

  data_classification_missing: { kind: "flag", says: "data_classification was left out or unknown" },
  reversibility_missing: { kind: "flag", says: "reversibility was left out or unknown" },
  entities_missing: { kind: "flag", says: "entities_affected was left out" },
  records_missing: { kind: "flag", says: "records_affected was left out" },
  financial_value_missing: { kind: "flag", says: "financial_value was left out" },
  currency_missing: {
    kind: "flag",
    says: "a value above 0 was stated without a currency, or in one not in the table"
  },
  destination_missing: { kind: "flag", says: "no destination was stated" },
  agent_missing: { kind: "flag", says: "no agent_id was stated" },

  extent_unbounded: {
    kind: "flag",
    says: "target_resource is `*`, `all` or `%`, or a bulk verb came without any count"
  },
  data_store: { kind: "flag", says: "the object is a database, table, bucket, volume, cluster, backup …" },
  admin_named: {
    kind: "flag",
    says: "admin, root, owner, superuser, `*`, mfa or sso is in the action type or target"
  },
  credential_operation: { kind: "flag", says: "creates, rotates or reveals keys, passwords or secrets" },

  also_exports: {
    kind: "flag",
    says: "a riskier verb gives the class, and another verb of the action type exports, as in `export_and_delete`"
  },
  safeguard_weakened_rank: {
    kind: "rank",
    max: 2,
    says: "what the action takes away: no safeguard 0, a protection such as backups 1, 2 for every safeguard whose loss is critical"
  },

  privilege_claim_inconsistent: { kind: "flag", says: "class access with privilege_change stated false" },
  reversibility_claim_inconsistent: {
    kind: "flag",
    says: "reversibility was stated easier than the class floor"
  },
  counts_inconsistent: {
    kind: "flag",
    says: "one count is positive and the other zero where the class needs both"
  },
  production_impact_inconsistent: {
    kind: "flag",
    says: "production_impact is true in development or sandbox"
  },

  baseline_missing: { kind: "flag", says: "the window holds no other unit of history" },
  action_type_unfamiliar: { kind: "flag", says: "a baseline exists and this action type is not in it" },
  agent_unfamiliar: { kind: "flag", says: "a baseline exists and the stated agent is not in it" },
  destination_novel: { kind: "flag", says: "the stated destination was not seen in the window" },
  destination_unestablished: {
    kind: "flag",
    says: "the stated destination was seen on too few days or for too short a time to be trusted"
  },
  destination_step_up: {
    kind: "flag",
    says: "the action is many times the largest seen at its destination, and not small"
  },
  destination_lookalike: { kind: "flag", says: "the destination imitates an established one" },
  entity_volume_multiplier_x100: {
    kind: "count",
    unit: "hundredths",
    says: "entities over the median of the baseline; 0 without enough of it"
  },
  financial_value_multiplier_x100: {
    kind: "count",
    unit: "hundredths",
    says: "value over the median of the category; 0 without enough of it"
  },
  velocity_multiplier_x100: {
    kind: "count",
    unit: "hundredths",
    says: "assessments in the last hour over the usual busy hour; 0 without enough history"
  },
  velocity_last_hour: {
    kind: "count",
    unit: "assessments",
    says: "assessments in the last 60 minutes, this one included"
  },
  cumulative_entities_step: {
    kind: "rank",
    max: 4,
    says: "the step of `cumulative_steps` that the entities of the last 24 h reach, when above the action's own; else 0"
  },
  cumulative_value_step: {
    kind: "rank",
    max: 4,
    says: "the step of `cumulative_steps` that the value of the last 24 h reaches, when above the action's own; else 0"
  },

  confidence_percent_missing: {
    kind: "count",
    unit: "percent",
    says: "how far confidence is below 100 %, 0 at a low level; known only to completeness rules"
  },
  assessment_degraded: { kind: "flag", says: "a part of the evaluation failed and was taken at its worst" },
  policy_evaluation_incomplete: { kind: "flag", says: "a customer policy rule could not be evaluated" }
} as const satisfies Record<string, FactKind>

export type FactName = keyof typeof factKinds

type FactValue<K extends FactKind> = K extends { readonly kind: "flag" }
  ? boolean
  : K extends { readonly kind: "name" | "text" }
    ? string
    : number

export type Facts = { readonly [N in FactName]: FactValue<(typeof factKinds)[N]> }
