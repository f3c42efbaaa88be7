/** Section 7 as plain ifs: which factors a reading and its history raise, and how severe. */

import type { Severity } from "../../src/domain/Opinion.ts"
import type { Edition1Class } from "../../src/scoring/edition1/NormalizedAction.ts"
import type { Words } from "./Question.ts"
import type { Found } from "./catalogue.ts"
import type { History } from "./history.ts"
import type { Reading } from "./read.ts"

/** Where section 7 only says "a data class": those that touch data, and the one that might. */
const dataClasses: ReadonlyArray<Edition1Class> = [
  "read",
  "write",
  "delete",
  "export",
  "communicate",
  "unknown"
]
const steps: ReadonlyArray<Severity | undefined> = [undefined, "moderate", "high", "critical"]

/** The ladder of multipliers; only what is large in itself can be critical. */
const band = (hundredths: number, mayBeCritical: boolean): Severity | undefined => {
  if (hundredths >= 1000 && mayBeCritical) return "critical"
  if (hundredths >= 500) return "high"
  if (hundredths >= 300) return "moderate"
  return hundredths >= 200 ? "low" : undefined
}

export const factorsOf = (words: Words, reading: Reading, history: History): Array<Found> => {
  const found: Array<Found> = []
  const raise = (code: Found["code"], severity: Severity | undefined): void => {
    if (severity !== undefined) found.push({ code, severity })
  }
  const { class: verb, production, isEgress, entities, records, missing, contradictions } = reading
  const usd = (dollars: number): boolean => reading.usdCents >= dollars * 100
  const rank = reading.classificationRank

  if (production) raise("PRODUCTION_ENVIRONMENT", "moderate")
  if (contradictions.environment) raise("ENVIRONMENT_CLAIM_INCONSISTENT", "high")

  if (entities >= 100_000) raise("HIGH_ENTITY_COUNT", "critical")
  else if (entities >= 1_000) raise("HIGH_ENTITY_COUNT", "high")
  else if (entities >= 100) raise("HIGH_ENTITY_COUNT", "moderate")
  if (records >= 1_000_000) raise("HIGH_RECORD_COUNT", "high")
  else if (records >= 10_000) raise("HIGH_RECORD_COUNT", "moderate")
  if (reading.unbounded) raise("UNBOUNDED_SCOPE", "high")
  if (entities >= 100) raise("VOLUME_ABOVE_BASELINE", band(history.entityMultiplier, entities >= 1_000))
  raise("CUMULATIVE_VOLUME", steps[history.entityStep])

  if (usd(1_000_000)) raise("HIGH_FINANCIAL_VALUE", "critical")
  else if (usd(100_000)) raise("HIGH_FINANCIAL_VALUE", "high")
  else if (usd(10_000)) raise("HIGH_FINANCIAL_VALUE", "moderate")
  if (usd(1_000)) raise("FINANCIAL_VALUE_ABOVE_BASELINE", band(history.valueMultiplier, usd(10_000)))
  if (missing.currency) raise("CURRENCY_MISSING", "moderate")
  if (verb === "transact" && missing.value) raise("FINANCIAL_VALUE_MISSING", production ? "high" : "moderate")
  raise("CUMULATIVE_FINANCIAL_VALUE", steps[history.valueStep])

  const leaves = words.alsoExports || (isEgress && verb !== "transact")
  const touches = ["read", "write", "delete", "access", "deploy", "configure", "destroy", "execute"]
  if (leaves && rank >= 2) raise("SENSITIVE_DATA_EXPORT", rank >= 3 ? "critical" : "high")
  if (touches.includes(verb) && rank >= 2) raise("SENSITIVE_DATA_ACCESS", rank >= 3 ? "high" : "moderate")
  if (rank === 4) raise("REGULATED_DATA", "high")
  if (missing.classification && (words.alsoExports || dataClasses.includes(verb)))
    raise("DATA_CLASSIFICATION_UNKNOWN", isEgress && production ? "high" : "moderate")
  if (verb === "delete" || verb === "destroy") {
    if (records >= 1_000_000) raise("DATA_DESTRUCTION", "critical")
    else if (records >= 10_000) raise("DATA_DESTRUCTION", "high")
    else if (records >= 1 || missing.records) raise("DATA_DESTRUCTION", "moderate")
  }

  const paid = verb === "transact" && usd(50)
  const exported = verb === "export" || words.alsoExports
  const usual = verb === "transact" ? "low" : "moderate"
  const weighty = exported || paid || rank >= 2 || usd(1_000) || entities >= 100 ? "high" : usual
  if (history.novel) raise("NOVEL_DESTINATION", weighty)
  if (history.unestablished) raise("UNESTABLISHED_DESTINATION", weighty)
  if (history.stepUp) raise("DESTINATION_STEP_UP", "high")
  if (history.lookalike)
    raise("LOOKALIKE_DESTINATION", history.novel || history.unestablished ? "critical" : "low")
  if (isEgress && missing.destination) raise("DESTINATION_UNSPECIFIED", "moderate")

  const admin = words.admin && (verb === "access" || verb === "write" || verb === "configure")
  const wide = production && (admin || entities >= 100)
  if (reading.privilegeChange) raise("PRIVILEGE_CHANGE", wide ? "critical" : "high")
  if (contradictions.privilege) raise("PRIVILEGE_CLAIM_INCONSISTENT", "high")
  if (admin) raise("ADMIN_PRIVILEGE", production ? "critical" : "high")
  if (words.credential) raise("CREDENTIAL_OPERATION", "high")

  if (reading.reversibilityRank === 4) raise("IRREVERSIBLE_ACTION", "high")
  // A rank may only push upwards (rule-files.md): what cannot be undone is also difficult to undo.
  if (reading.reversibilityRank >= 3) raise("DIFFICULT_TO_REVERSE", "moderate")
  if (missing.reversibility && verb !== "read") raise("REVERSIBILITY_UNKNOWN", "moderate")
  if (contradictions.reversibility) raise("REVERSIBILITY_CLAIM_INCONSISTENT", "moderate")

  if (reading.productionImpact) raise("PRODUCTION_DEPENDENCY_IMPACT", "high")
  if (verb === "destroy") raise("INFRASTRUCTURE_CHANGE", "high")
  if (verb === "deploy" || verb === "configure") raise("INFRASTRUCTURE_CHANGE", "moderate")
  if (verb === "execute") {
    raise("CODE_EXECUTION", production ? "high" : reading.environment === "staging" ? "moderate" : "low")
  }
  if (words.safeguardWeakened === 2) raise("SAFEGUARD_WEAKENED", production ? "critical" : "high")
  if (words.safeguardWeakened === 1) raise("SAFEGUARD_WEAKENED", production ? "high" : "moderate")
  if (verb === "communicate" && entities >= 100)
    raise("MASS_COMMUNICATION", entities >= 10_000 ? "high" : "moderate")

  if (history.baselineMissing) raise("NO_BEHAVIORAL_BASELINE", "low")
  if (history.typeUnfamiliar) raise("UNFAMILIAR_ACTION_TYPE", "moderate")
  if (history.lastHour >= 30 && history.velocityMultiplier >= 300)
    raise("ELEVATED_VELOCITY", band(history.velocityMultiplier, true))
  if (history.agentUnfamiliar) raise("UNFAMILIAR_AGENT", "moderate")
  const addsUp = ["destroy", "delete", "access", "transact", "export"].includes(verb)
  const nameless = production && addsUp && (entities >= 10 || usd(1_000))
  if (missing.agent) raise("AGENT_UNIDENTIFIED", nameless ? "high" : "low")
  if (verb === "unknown") raise("UNCLASSIFIED_ACTION", "high")
  if (contradictions.counts) raise("CONTRADICTORY_INPUT", "moderate")
  else if (contradictions.productionImpact) {
    // The claimed impact already counts at its worst (ADR 2).
    found.push({ code: "CONTRADICTORY_INPUT", severity: "moderate", harmless: true })
  }
  return found
}
