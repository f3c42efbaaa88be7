/** Stored assessments as events of the Open Cybersecurity Schema Framework: one API Activity each, and a Detection Finding for each review. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { opensReview } from "../assessment/Reviews.ts"
import type { ActionClass } from "../domain/Action.ts"
import { type ActionRiskLevel, destinationInArguments } from "../domain/Opinion.ts"
import type { JsonObject } from "../json/json.ts"
import type { SealableEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"

/** The mapping is documented in `docs/operations.md`. */
const ocsfVersion = "1.8.0"

/** An OCSF id with its caption. */
interface Named {
  readonly id: number
  readonly name: string
}

const severities: Readonly<Record<ActionRiskLevel, Named>> = {
  low: { id: 2, name: "Low" },
  moderate: { id: 3, name: "Medium" },
  high: { id: 4, name: "High" },
  critical: { id: 5, name: "Critical" }
}

/** OCSF has its own scale for risk. */
const riskLevels: Readonly<Record<ActionRiskLevel, Named>> = {
  low: { id: 1, name: "Low" },
  moderate: { id: 2, name: "Medium" },
  high: { id: 3, name: "High" },
  critical: { id: 4, name: "Critical" }
}

const read: Named = { id: 2, name: "Read" }
const update: Named = { id: 3, name: "Update" }
const remove: Named = { id: 4, name: "Delete" }
/** An activity that OCSF lacks gets our own name. */
const other = (name: ActionClass): Named => ({ id: 99, name })

/** For us, creating and changing are one class. */
const activities: Readonly<Record<ActionClass, Named>> = {
  read,
  export: read,
  write: update,
  configure: update,
  access: update,
  delete: remove,
  destroy: remove,
  unknown: { id: 0, name: "Unknown" },
  internal: other("internal"),
  simulate: other("simulate"),
  communicate: other("communicate"),
  deploy: other("deploy"),
  transact: other("transact"),
  actuate: other("actuate"),
  execute: other("execute")
}

interface EventClass {
  readonly category: Named
  readonly class: Named
}

const apiActivity: EventClass = {
  category: { id: 6, name: "Application Activity" },
  class: { id: 6003, name: "API Activity" }
}
const detectionFinding: EventClass = {
  category: { id: 2, name: "Findings" },
  class: { id: 2004, name: "Detection Finding" }
}

const classified = (of: EventClass, activity: Named, level: ActionRiskLevel) => ({
  category_uid: of.category.id,
  category_name: of.category.name,
  class_uid: of.class.id,
  class_name: of.class.name,
  activity_id: activity.id,
  activity_name: activity.name,
  type_uid: of.class.id * 100 + activity.id,
  type_name: `${of.class.name}: ${activity.name}`,
  severity_id: severities[level].id,
  severity: severities[level].name
})

type OcsfSource = Pick<
  SealableEvidence,
  "organizationId" | "response" | "input" | "inputDigest" | "resultDigest" | "seal"
>

interface Told {
  readonly stored: OcsfSource
  readonly answer: AssessmentResponse
  readonly input: JsonObject
}

const textOf = (input: JsonObject, field: string): string | undefined => {
  const value = input[field]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The stated destination, or the one in the tool's arguments. */
const destinationOf = ({ answer, input }: Told): string | undefined =>
  textOf(input, "destination") ?? destinationInArguments(answer.assumptions)

/** Events of one assessment share its id for correlation. Each also has its own id, by which duplicates are recognized. */
const metadataOf = ({ answer, input, stored }: Told, uid: string) => ({
  version: ocsfVersion,
  product: { name: "action-risk", vendor_name: "action-risk", version: answer.risk_engine_version },
  uid,
  correlation_uid: answer.assessment_id,
  original_event_uid: answer.request_id,
  original_time: answer.created_at,
  tenant_uid: stored.organizationId,
  log_name: `assessments of ${answer.environment_mode} mode`,
  labels: [`environment:${textOf(input, "environment") ?? ""}`, `mode:${answer.environment_mode}`]
})

/** The caller, its purpose and its target. The service stores no addresses of callers, so the agent's name is the source. */
const actOf = (told: Told) => {
  const { answer, input } = told
  const agent = textOf(input, "agent_id") ?? "not stated"
  const service = textOf(input, "target_system")
  const resource = textOf(input, "target_resource")
  const destination = destinationOf(told)
  return {
    actor: { app_name: agent },
    api: {
      operation: textOf(input, "action_type") ?? answer.normalized_action_type,
      ...(service !== undefined && { service: { name: service } }),
      request: { uid: answer.request_id }
    },
    src_endpoint: { name: agent },
    ...(destination !== undefined && { dst_endpoint: { name: destination } }),
    ...(resource !== undefined && { resources: [{ name: resource }] })
  }
}

const unmappedOf = ({ answer, stored }: Told) => ({
  normalized_action_type: answer.normalized_action_type,
  action_category: answer.action_category,
  action_class: answer.reading.class,
  assessment_status: answer.assessment_status,
  action_risk: answer.action_risk,
  blast_radius: answer.blast_radius,
  recommended_control: {
    type: answer.recommended_control.type,
    priority: answer.recommended_control.priority
  },
  risk_factors: answer.risk_factors.map(({ code }) => code),
  policy_version: answer.policy_version,
  evidence: {
    input_digest: hex(stored.inputDigest),
    result_digest: hex(stored.resultDigest),
    sequence: stored.seal?.sequence ?? null,
    entry_digest: stored.seal === null ? null : hex(stored.seal.entryDigest)
  }
})

/** An assessed action was only proposed. Whether it was taken is unknown here, so no OCSF status fits. */
const activityEvent = (told: Told) => {
  const { answer } = told
  return {
    ...classified(apiActivity, activities[answer.reading.class], answer.action_risk.level),
    time: Date.parse(answer.created_at),
    metadata: metadataOf(told, answer.assessment_id),
    message: answer.summary,
    status_id: 99,
    status: "Proposed",
    status_detail: "Assessed before the action was taken; this event does not say whether it was taken.",
    ...actOf(told),
    unmapped: unmappedOf(told)
  }
}

const created: Named = { id: 1, name: "Create" }

const findingEvent = (told: Told) => {
  const { answer } = told
  const { level, score } = answer.action_risk
  const { resources, ...evidence } = actOf(told)
  return {
    ...classified(detectionFinding, created, level),
    time: Date.parse(answer.created_at),
    metadata: metadataOf(told, `${answer.assessment_id}_finding`),
    message: answer.summary,
    status_id: 1,
    status: "New",
    is_alert: true,
    confidence_score: Math.round(answer.action_risk.confidence * 100),
    risk_score: score,
    risk_level_id: riskLevels[level].id,
    risk_level: riskLevels[level].name,
    impact_score: answer.blast_radius.score,
    finding_info: {
      uid: answer.assessment_id,
      title: `Action risk ${level}: ${evidence.api.operation}`,
      desc: answer.summary,
      types: answer.risk_factors.map(({ code }) => code),
      created_time: Date.parse(answer.created_at),
      analytic: { name: "action-risk", type_id: 1, type: "Rule", version: answer.risk_engine_version }
    },
    evidences: [evidence],
    ...(resources !== undefined && { resources }),
    remediation: { desc: answer.recommended_control.because.join(" ") || answer.recommended_control.type },
    unmapped: unmappedOf(told)
  }
}

/** The events of an assessment, each as a line without a line break. */
export const encodeOcsf = (stored: OcsfSource): ReadonlyArray<string> => {
  // Invariant: this service encoded the answer and accepted the input, and stored rows never change.
  const answer = JSON.parse(Buffer.from(stored.response).toString("utf8")) as AssessmentResponse
  const input = JSON.parse(Buffer.from(stored.input).toString("utf8")) as JsonObject
  const told = { stored, answer, input }
  const events = opensReview(answer) ? [activityEvent(told), findingEvent(told)] : [activityEvent(told)]
  return events.map((event) => JSON.stringify(event))
}
