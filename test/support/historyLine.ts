/** Lines of a history as an export writes them, made from an action and a snapshot without a service or a database. */

import canonicalize from "canonicalize"
import { createHash } from "node:crypto"
import { encodeAssessment, encodeEvidence, encodeSnapshot } from "../../src/assessment/encode.ts"
import type { Action } from "../../src/domain/Action.ts"
import type { Behavior } from "../../src/domain/Behavior.ts"
import { encodeExportLine } from "../../src/evidence/exportLine.ts"
import type { PolicySet, RiskModel } from "../../src/scoring/Model.ts"
import type { SealableEvidence } from "../../src/storage/assessments/AssessmentRecord.ts"
import { bodyOf } from "./assessCall.ts"
import { policyVersionOf, riskEngineVersionOf } from "../../src/domain/versionNames.ts"
import { score } from "../../src/scoring/score.ts"

const sha256 = (bytes: string | Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

/** A UUIDv7 that depends only on its instant and its number. */
const idOf = (kind: string, atMs: number, number: number): string => {
  const time = atMs.toString(16).padStart(12, "0")
  const tail = sha256(`${kind} ${number}`).toString("hex")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${tail.slice(1, 4)}-${tail.slice(4, 16)}`
}

export interface Told {
  readonly action: Action
  readonly behavior: Behavior
}

const novemberMs = Date.UTC(2026, 10, 2, 12)

/** Without its line break. `number` makes the ids. */
export const historyLine = (
  { action, behavior }: Told,
  number: number,
  model: RiskModel,
  policies: PolicySet,
  atMs = novemberMs + number
): string => {
  const atMicros = atMs * 1_000
  const response = encodeAssessment(score(action, behavior, model, policies), {
    riskEngineVersion: riskEngineVersionOf(model),
    policyVersion: policyVersionOf(policies),
    assessmentId: idOf("assessment", atMs, number),
    actionId: idOf("action", atMs, number),
    requestId: `req_${String(number).padStart(26, "0")}`,
    mode: "live",
    createdAtMicros: atMicros,
    timing: { total: 4.2, validation: 0.2, behavior: 2.5, scoring: 0.1, policy: 0.01 }
  })
  const bytes = Buffer.from(JSON.stringify(response))
  const input = Buffer.from(canonicalize(bodyOf(action)) ?? "")
  const stored: SealableEvidence = {
    organizationId: idOf("organization", novemberMs, 0),
    createdAt: new Date(atMs).toISOString(),
    salt: new Uint8Array(16),
    inputLeaf: null,
    resultLeaf: null,
    snapshotLeaf: null,
    assessmentId: idOf("assessment", atMs, number),
    response: bytes,
    resultDigest: sha256(bytes),
    input,
    inputDigest: sha256(input),
    behaviorSnapshot:
      behavior === "unavailable" ? null : Buffer.from(JSON.stringify(encodeSnapshot(behavior))),
    rulesDigest: Buffer.from(model.digest, "hex"),
    policyDigest: Buffer.from(policies.digest, "hex"),
    seal: null
  }
  // Bodies of `GET /assessments/{id}`, which have no seal, are histories as well.
  return Buffer.from(number % 2 === 0 ? encodeExportLine(stored) : encodeEvidence(stored)).toString("utf8")
}
