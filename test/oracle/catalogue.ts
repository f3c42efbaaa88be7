/** Section 7's table: the category of each factor, the hazard it carries (section 4) and what it recommends. */

import type { FactorCategory, Severity } from "../../src/domain/Opinion.ts"

export const catalogue = {
  PRODUCTION_ENVIRONMENT: ["environment", 1000, "CONFIRM_PRODUCTION_ENVIRONMENT"],
  ENVIRONMENT_CLAIM_INCONSISTENT: ["environment", 1500, "CONFIRM_PRODUCTION_ENVIRONMENT"],
  HIGH_ENTITY_COUNT: ["volume", 0, "VERIFY_SCOPE", "EXECUTE_IN_BATCHES"],
  HIGH_RECORD_COUNT: ["volume", 0, "VERIFY_SCOPE", "USE_DRY_RUN"],
  UNBOUNDED_SCOPE: ["volume", 0, "VERIFY_SCOPE"],
  VOLUME_ABOVE_BASELINE: ["volume", "by band", "VERIFY_SCOPE"],
  CUMULATIVE_VOLUME: ["volume", 0, "VERIFY_SCOPE", "CHECK_AGENT_ACTIVITY"],
  HIGH_FINANCIAL_VALUE: ["financial", 0, "CONFIRM_AMOUNT"],
  FINANCIAL_VALUE_ABOVE_BASELINE: ["financial", "by band", "CONFIRM_AMOUNT"],
  CURRENCY_MISSING: ["financial", 0, "PROVIDE_CURRENCY"],
  FINANCIAL_VALUE_MISSING: ["financial", 0, "PROVIDE_MISSING_CONTEXT"],
  CUMULATIVE_FINANCIAL_VALUE: ["financial", 0, "CONFIRM_AMOUNT"],
  SENSITIVE_DATA_EXPORT: ["data", 0, "VERIFY_DESTINATION", "MINIMIZE_DATA"],
  SENSITIVE_DATA_ACCESS: ["data", 0, "MINIMIZE_DATA"],
  REGULATED_DATA: ["data", 0, "CONFIRM_LEGAL_BASIS"],
  DATA_CLASSIFICATION_UNKNOWN: ["data", 0, "PROVIDE_DATA_CLASSIFICATION"],
  DATA_DESTRUCTION: ["data", 0, "TAKE_BACKUP"],
  NOVEL_DESTINATION: ["destination", 3000, "VERIFY_DESTINATION"],
  UNESTABLISHED_DESTINATION: ["destination", 3000, "VERIFY_DESTINATION"],
  DESTINATION_STEP_UP: ["destination", 2500, "VERIFY_DESTINATION", "CONFIRM_AMOUNT"],
  LOOKALIKE_DESTINATION: ["destination", 0, "VERIFY_DESTINATION"],
  DESTINATION_UNSPECIFIED: ["destination", 2000, "PROVIDE_DESTINATION"],
  PRIVILEGE_CHANGE: ["privilege", 0, "REVIEW_PRIVILEGE_CHANGE"],
  PRIVILEGE_CLAIM_INCONSISTENT: ["privilege", 1500, "REVIEW_PRIVILEGE_CHANGE"],
  ADMIN_PRIVILEGE: ["privilege", 1500, "APPLY_LEAST_PRIVILEGE", "TIME_BOX_ACCESS"],
  CREDENTIAL_OPERATION: ["privilege", 0, "ROTATE_AND_STORE_SECURELY"],
  IRREVERSIBLE_ACTION: ["reversibility", 0, "TAKE_BACKUP", "USE_DRY_RUN"],
  DIFFICULT_TO_REVERSE: ["reversibility", 0, "PREPARE_ROLLBACK_PLAN"],
  REVERSIBILITY_UNKNOWN: ["reversibility", 0, "PROVIDE_REVERSIBILITY"],
  REVERSIBILITY_CLAIM_INCONSISTENT: ["reversibility", 1500, "PREPARE_ROLLBACK_PLAN"],
  PRODUCTION_DEPENDENCY_IMPACT: ["operational", 0, "SCHEDULE_MAINTENANCE_WINDOW"],
  INFRASTRUCTURE_CHANGE: ["operational", 0, "USE_STAGED_ROLLOUT"],
  CODE_EXECUTION: ["operational", 0, "USE_DRY_RUN"],
  SAFEGUARD_WEAKENED: ["operational", 1500, "KEEP_SAFEGUARDS", "CONFIRM_INTENT"],
  MASS_COMMUNICATION: ["communication", 0, "VERIFY_RECIPIENTS"],
  NO_BEHAVIORAL_BASELINE: ["behavior", 1000],
  UNFAMILIAR_ACTION_TYPE: ["behavior", 1000, "CONFIRM_INTENT"],
  ELEVATED_VELOCITY: ["behavior", "by band", "CHECK_AGENT_ACTIVITY"],
  UNFAMILIAR_AGENT: ["identity", 1000, "VERIFY_AGENT_IDENTITY"],
  AGENT_UNIDENTIFIED: ["identity", 1200, "PROVIDE_AGENT_ID"],
  UNCLASSIFIED_ACTION: ["action", 1500, "CONFIRM_INTENT"],
  INSUFFICIENT_CONTEXT: ["completeness", 0, "PROVIDE_MISSING_CONTEXT"],
  CONTRADICTORY_INPUT: ["completeness", 1500, "VERIFY_SCOPE"],
  ASSESSMENT_DEGRADED: ["completeness", 0, "ESCALATE_TO_HUMAN"],
  POLICY_EVALUATION_INCOMPLETE: ["policy", 0, "ESCALATE_TO_HUMAN"],
  CUSTOMER_POLICY_MATCH: ["policy", 0]
} as const satisfies Record<string, readonly [FactorCategory, number | "by band", ...Array<string>]>

const hazardOfBand: Readonly<Record<Severity, number>> = {
  low: 800,
  moderate: 1500,
  high: 2500,
  critical: 3500
}

/** A payment below 50 USD is far less of a hazard than anything else that goes where nothing went before. */
const newPlaces: ReadonlySet<string> = new Set(["NOVEL_DESTINATION", "UNESTABLISHED_DESTINATION"])
const smallPaymentHazard = 800

export interface Found {
  readonly code: keyof typeof catalogue
  readonly severity: Severity
  /** Says something, but adds no hazard. */
  readonly harmless?: true
}

export const categoryOf = ({ code }: Found): FactorCategory => catalogue[code][0]

export const hazardOf = ({ code, harmless, severity }: Found): number => {
  if (harmless) return 0
  const hazard = catalogue[code][1]
  if (hazard === "by band") return hazardOfBand[severity]
  return severity === "low" && newPlaces.has(code) ? smallPaymentHazard : hazard
}

export const recommendedBy = ({ code }: Found): ReadonlyArray<string> => catalogue[code].slice(2).map(String)
