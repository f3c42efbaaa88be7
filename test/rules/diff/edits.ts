/** Single edits of the rules and of the starter policies, with what a reviewer must learn about each. `numberEdits.ts` has those of numbers and words. */

import type { ChangeKind } from "../../../src/rules/diff/Diff.ts"
import type { Edit } from "../../support/rulebooks.ts"

export interface EditCase {
  readonly what: string
  readonly edit: Edit
  readonly code: string
  readonly kind: ChangeKind
  readonly says: string
  /** No request scores differently by it: it only moves a factor, a control or a level. */
  readonly sameScore?: true
}

const condition = (fact: string, operator: string, value: unknown): string =>
  JSON.stringify({ fact, operator, value })

export const factor = (
  code: string,
  kind: ChangeKind,
  from: string,
  to: string,
  says: string,
  sameScore?: true
): EditCase => ({
  what: `${code}: ${says}`,
  edit: [code, from, to],
  code,
  kind,
  says,
  ...(sameScore === undefined ? {} : { sameScore })
})

const atLeast = (fact: string, value: number) => condition(fact, "greaterThanInclusive", value)

const above = (fact: string, value: number) => condition(fact, "greaterThan", value)

const alsoExports = condition("also_exports", "equal", true)

export const ruleEdits: ReadonlyArray<EditCase> = [
  factor(
    "HIGH_ENTITY_COUNT",
    "stricter",
    atLeast("entities_affected", 100_000),
    atLeast("entities_affected", 50_000),
    "critical from 50,000 entities, was 100,000"
  ),
  factor(
    "HIGH_ENTITY_COUNT",
    "looser",
    atLeast("entities_affected", 100_000),
    atLeast("entities_affected", 500_000),
    "critical from 500,000 entities, was 100,000"
  ),
  factor(
    "HIGH_ENTITY_COUNT",
    "text",
    atLeast("entities_affected", 1_000),
    above("entities_affected", 999),
    "raises the same, written differently"
  ),
  factor(
    "HIGH_RECORD_COUNT",
    "looser",
    atLeast("records_affected", 1_000_000),
    atLeast("records_affected", 2_000_000),
    "high from 2,000,000 records, was 1,000,000",
    true
  ),
  factor(
    "HIGH_FINANCIAL_VALUE",
    "stricter",
    atLeast("financial_value_usd_cents", 10_000_000),
    atLeast("financial_value_usd_cents", 5_000_000),
    "high from 50,000 USD, was 100,000 USD",
    true
  ),
  factor(
    "CODE_EXECUTION",
    "looser",
    condition("environment", "in", ["staging", "production"]),
    condition("environment", "in", ["production"]),
    "moderate no longer for staging",
    true
  ),
  factor(
    "CODE_EXECUTION",
    "stricter",
    `,${atLeast("impact_rank", 2)}`,
    `,${atLeast("impact_rank", 1)}`,
    "high",
    true
  ),
  factor(
    "PRODUCTION_ENVIRONMENT",
    "stricter",
    '"hazard_bp":0',
    '"hazard_bp":3000',
    "moderate with hazard 30 %, was 0 %"
  ),
  factor(
    "DESTINATION_STEP_UP",
    "looser",
    '"hazard_bp":1500',
    '"hazard_bp":0',
    "high with hazard 0 %, was 15 %"
  ),
  factor(
    "SENSITIVE_DATA_EXPORT",
    "stricter",
    `["export","communicate","unknown"]},${alsoExports}]},${atLeast("data_classification_rank", 3)}`,
    `["export","communicate","transact","unknown"]},${alsoExports}]},${atLeast("data_classification_rank", 3)}`,
    "critical also for transact"
  ),
  factor(
    "SENSITIVE_DATA_ACCESS",
    "moved",
    `["export","communicate","transact","unknown","internal","simulate"]},${atLeast("data_classification_rank", 3)}`,
    `["export","communicate","delete","unknown","internal","simulate"]},${atLeast("data_classification_rank", 3)}`,
    "high also for transact and no longer for delete",
    true
  ),
  factor("SENSITIVE_DATA_EXPORT", "looser", '"critical"', '"high"', "high"),
  factor("RESOURCE_DESTRUCTION", "looser", '"high"', '"low"', "low, was high", true),
  factor("ADMIN_PRIVILEGE", "stricter", '"severity":"high"', '"severity":"critical"', "critical, was high"),
  factor(
    "ADMIN_PRIVILEGE",
    "stricter",
    `${condition("environment", "equal", "production")},`,
    "",
    "critical no longer only where the environment is production"
  ),
  factor(
    "NOVEL_DESTINATION",
    "stricter",
    atLeast("financial_value_usd_cents", 100_000),
    atLeast("financial_value_usd_cents", 10_000),
    "high from 100 USD, was 1,000 USD"
  ),
  factor(
    "VOLUME_ABOVE_BASELINE",
    "stricter",
    atLeast("entity_volume_multiplier_x100", 500),
    atLeast("entity_volume_multiplier_x100", 350),
    "high from 3.5 times the usual, was 5"
  ),
  factor(
    "ELEVATED_VELOCITY",
    "looser",
    `${atLeast("velocity_multiplier_x100", 1_000)},${atLeast("velocity_last_hour", 30)}`,
    `${atLeast("velocity_multiplier_x100", 1_000)},${atLeast("velocity_last_hour", 60)}`,
    "critical from 60 assessments, was 30"
  ),
  factor(
    "CUMULATIVE_VOLUME",
    "stricter",
    atLeast("cumulative_entities_step", 3),
    atLeast("cumulative_entities_step", 2),
    "critical from 2, was 3"
  ),
  factor(
    "INSUFFICIENT_CONTEXT",
    "stricter",
    above("confidence_percent_missing", 50),
    above("confidence_percent_missing", 30),
    "what confidence lacks is above 30 %",
    true
  ),
  {
    what: "a factor removed",
    edit: ["LOOKALIKE_DESTINATION", null],
    code: "LOOKALIKE_DESTINATION",
    kind: "looser",
    says: "factor removed: was low when the destination imitates an established one"
  },
  {
    what: "a typology removed",
    edit: ["mass-irreversible-change-in-production", null],
    code: "mass-irreversible-change-in-production",
    kind: "looser",
    says: "typology removed: was floor 90"
  },
  factor(
    "large-irreversible-payment-to-novel-destination",
    "looser",
    '"floor":90',
    '"floor":85',
    "floor 85, was floor 90"
  ),
  factor(
    "large-irreversible-payment-to-novel-destination",
    "stricter",
    atLeast("financial_value_usd_cents", 10_000_000),
    atLeast("financial_value_usd_cents", 100_000),
    "floor 90 from 1,000 USD, was 100,000 USD"
  ),
  factor(
    "DIFFICULT_TO_REVERSE",
    "text",
    '"PREPARE_ROLLBACK_PLAN"',
    '"USE_DRY_RUN"',
    "recommendations adds USE_DRY_RUN and drops PREPARE_ROLLBACK_PLAN"
  ),
  factor("DIFFICULT_TO_REVERSE", "text", "Undoing the action", "To undo the action", "message reworded"),
  factor("DIFFICULT_TO_REVERSE", "text", '"stable"', '"deprecated"', "lifecycle deprecated, was stable")
]

export const policyEdits: ReadonlyArray<EditCase> = [
  factor(
    "production-data-stores-are-never-routine",
    "stricter",
    '"score":75',
    '"score":85',
    "floor 85, was floor 75"
  ),
  factor(
    "bulk-deletion-in-production",
    "looser",
    atLeast("entities_affected", 500),
    atLeast("entities_affected", 5000),
    "from 5,000 entities, was 500",
    true
  ),
  factor(
    "nameless-agents-in-production",
    "stricter",
    '"severity":"moderate"',
    '"severity":"high"',
    "a high factor, was a moderate factor",
    true
  ),
  factor(
    "admin-grants-are-reviewed",
    "stricter",
    "HUMAN_REVIEW_RECOMMENDED",
    "SECONDARY_APPROVAL_RECOMMENDED",
    "control SECONDARY_APPROVAL_RECOMMENDED",
    true
  ),
  factor(
    "small-known-payments-are-sampled",
    "text",
    condition("financial_value_usd_cents", "lessThan", 10000),
    condition("financial_value_usd_cents", "lessThan", 20000),
    "a note"
  ),
  factor(
    "small-known-payments-are-sampled",
    "text",
    "Part of the monthly",
    "Belongs to the monthly",
    "note reworded"
  ),
  factor(
    "credentials-go-through-the-vault",
    "text",
    "USE_SECRETS_VAULT",
    "ROTATE_AND_STORE_SECURELY",
    "recommends ROTATE_AND_STORE_SECURELY, was recommends USE_SECRETS_VAULT"
  ),
  {
    what: "a policy rule removed",
    edit: ["unknown-verbs-in-production", null],
    code: "unknown-verbs-in-production",
    kind: "looser",
    says: "policy rule removed: was floor 70"
  }
]
