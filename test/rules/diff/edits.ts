/** Single edits of the first release and its starter policies, with what a reviewer has to be told of each. */

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

const factor = (
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

const number = (
  path: string,
  kind: ChangeKind,
  from: string,
  to: string,
  says: string,
  sameScore?: true
) => ({
  ...factor("ruleset", kind, from, to, says, sameScore),
  what: says,
  code: `ruleset.${path}`
})

const atLeast = (fact: string, value: number) => condition(fact, "greaterThanInclusive", value)

export const ruleEdits: ReadonlyArray<EditCase> = [
  factor(
    "HIGH_ENTITY_COUNT",
    "stricter",
    atLeast("entities_affected", 1000),
    atLeast("entities_affected", 500),
    "high from 500 entities, was 1,000"
  ),
  factor(
    "HIGH_ENTITY_COUNT",
    "looser",
    atLeast("entities_affected", 1000),
    atLeast("entities_affected", 5000),
    "high from 5,000 entities, was 1,000"
  ),
  factor(
    "HIGH_ENTITY_COUNT",
    "text",
    atLeast("entities_affected", 1000),
    condition("entities_affected", "greaterThan", 999),
    "raises the same, written differently"
  ),
  factor(
    "HIGH_RECORD_COUNT",
    "looser",
    atLeast("records_affected", 1000000),
    atLeast("records_affected", 2000000),
    "high from 2,000,000 records, was 1,000,000"
  ),
  factor(
    "HIGH_FINANCIAL_VALUE",
    "stricter",
    atLeast("financial_value_usd_cents", 10000000),
    atLeast("financial_value_usd_cents", 5000000),
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
    "PRODUCTION_ENVIRONMENT",
    "stricter",
    '"hazard_bp":1000',
    '"hazard_bp":3000',
    "moderate with hazard 30 %, was 10 %"
  ),
  factor(
    "PRODUCTION_ENVIRONMENT",
    "looser",
    '"hazard_bp":1000',
    '"hazard_bp":0',
    "moderate with hazard 0 %, was 10 %"
  ),
  factor(
    "SENSITIVE_DATA_EXPORT",
    "stricter",
    '["export","communicate","unknown"]},{"fact":"data_classification_rank","operator":"greaterThanInclusive","value":2',
    '["export","communicate","transact","unknown"]},{"fact":"data_classification_rank","operator":"greaterThanInclusive","value":2',
    "high also for transact"
  ),
  factor(
    "SENSITIVE_DATA_ACCESS",
    "moved",
    '["export","communicate","transact","unknown"]},{"fact":"data_classification_rank","operator":"greaterThanInclusive","value":3',
    '["export","communicate","delete","unknown"]},{"fact":"data_classification_rank","operator":"greaterThanInclusive","value":3',
    "high also for transact and no longer for delete"
  ),
  factor("CREDENTIAL_OPERATION", "stricter", '"high"', '"critical"', "critical, was high"),
  factor("INFRASTRUCTURE_CHANGE", "looser", '"high"', '"low"', "low, was high"),
  factor(
    "NOVEL_DESTINATION",
    "stricter",
    atLeast("financial_value_usd_cents", 100000),
    atLeast("financial_value_usd_cents", 10000),
    "high from 100 USD, was 1,000 USD"
  ),
  factor(
    "NOVEL_DESTINATION",
    "looser",
    `,${atLeast("financial_value_usd_cents", 100000)}`,
    "",
    "high no longer where financial_value is at least 1,000 USD"
  ),
  factor(
    "ADMIN_PRIVILEGE",
    "stricter",
    `${condition("environment", "equal", "production")},`,
    "",
    "critical no longer only where the environment is production"
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
    `${atLeast("velocity_multiplier_x100", 500)},${atLeast("velocity_last_hour", 30)}`,
    `${atLeast("velocity_multiplier_x100", 500)},${atLeast("velocity_last_hour", 60)}`,
    "high from 60 assessments, was 30"
  ),
  factor(
    "CUMULATIVE_VOLUME",
    "looser",
    atLeast("cumulative_entities_step", 2),
    atLeast("cumulative_entities_step", 3),
    "high from 3, was 2"
  ),
  factor(
    "INSUFFICIENT_CONTEXT",
    "stricter",
    condition("confidence_percent_missing", "greaterThan", 50),
    condition("confidence_percent_missing", "greaterThan", 30),
    "what confidence lacks is above 30 %",
    true
  ),
  {
    what: "a factor removed",
    edit: ["LOOKALIKE_DESTINATION", null],
    code: "LOOKALIKE_DESTINATION",
    kind: "looser",
    says: "factor removed: was critical when the destination imitates an established one"
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
    '"floor":75',
    "floor 75, was floor 90"
  ),
  factor(
    "large-irreversible-payment-to-novel-destination",
    "stricter",
    atLeast("financial_value_usd_cents", 10000000),
    atLeast("financial_value_usd_cents", 5000000),
    "floor 90 from 50,000 USD, was 100,000 USD"
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

export const numberEdits: ReadonlyArray<EditCase> = [
  number(
    "severity_floors.high",
    "stricter",
    '"critical":70,"high":40,"low":0',
    '"critical":70,"high":45,"low":0',
    "severity_floors.high 45, was 40"
  ),
  number(
    "severity_floors.critical",
    "looser",
    '"critical":70,"high":40,"low":0',
    '"critical":65,"high":40,"low":0',
    "severity_floors.critical 65, was 70"
  ),
  number(
    "anchors.usd",
    "stricter",
    "[50000,5500],[100000,7000]",
    "[50000,5500],[100000,7300]",
    "anchors.usd 73 % at 100,000, was 70 % at 100,000"
  ),
  number(
    "anchors.entities",
    "moved",
    "[10,1500],[100,3500],[1000,6000]",
    "[10,1400],[100,3600],[1000,6000]",
    "anchors.entities 14 % at 10, 36 % at 100, was 15 % at 10, 35 % at 100"
  ),
  number(
    "blast_radius.reversibility_bp",
    "looser",
    '"reversibility_bp":3300',
    '"reversibility_bp":1000',
    "blast_radius.reversibility_bp 10 %, was 33 %"
  ),
  number(
    "behavior.step_up_multiple",
    "stricter",
    '"step_up_multiple":10',
    '"step_up_multiple":5',
    "behavior.step_up_multiple 5, was 10"
  ),
  number(
    "behavior.window_days",
    "moved",
    '"window_days":30',
    '"window_days":3',
    "behavior.window_days 3, was 30"
  ),
  number(
    "single.references.entities",
    "stricter",
    '"references":{"entities":1,"records":10}',
    '"references":{"entities":50,"records":10}',
    "single.references.entities 50, was 1"
  ),
  number("gates", "looser", '"floor":40,"high_from":70', '"floor":40,"high_from":80', "gates"),
  number(
    "levels.high",
    "looser",
    '"critical":90,"high":70,"low":10',
    '"critical":90,"high":75,"low":10',
    "levels.high 75, was 70",
    true
  ),
  number(
    "confidence.contradiction_percent",
    "looser",
    '"contradiction_percent":85',
    '"contradiction_percent":95',
    "confidence.contradiction_percent 95, was 85",
    true
  )
]

export const otherEdits: ReadonlyArray<EditCase> = [
  {
    what: "a dearer euro",
    edit: ["currencies", '"EUR":{"exponent":2,"usd_per_unit":"', '"EUR":{"exponent":2,"usd_per_unit":"1'],
    code: "currencies.EUR",
    kind: "moved",
    says: "EUR at 11"
  },
  {
    what: "another date of the rates",
    edit: ["currencies", '"as_of":"2026', '"as_of":"2027'],
    code: "currencies",
    kind: "text",
    says: "as_of 2027"
  },
  {
    what: "a word of administrators forgotten",
    edit: ["words", '"root",', ""],
    code: "lexicon.words",
    kind: "looser",
    says: "update_root: access single, was access single admin"
  },
  {
    what: "a word more that only excuses",
    edit: ["words", '"negating_prefixes":[', '"negating_prefixes":["post",'],
    code: "lexicon.words",
    kind: "looser",
    says: "record.update on post production: write single, was write single production"
  },
  {
    what: "an entry's reason",
    edit: ["stripe", '"why":"where payouts go"', '"why":"where payouts go to"'],
    code: "lexicon.stripe",
    kind: "text",
    says: "accounts.create_external_account reworded"
  },
  {
    what: "a provider's action read as another class",
    edit: ["stripe", '"payouts.create":{"class":"transact"', '"payouts.create":{"class":"write"'],
    code: "lexicon.stripe",
    kind: "moved",
    says: "stripe.payouts.create: write single, was transact single"
  }
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
    "a high factor, was a moderate factor"
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
