import { Result } from "effect"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { whatIf } from "../../src/evidence/recorded/reconsider.ts"
import { readRecordedCall, replayAssessment } from "../../src/evidence/replay.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { recordedRules } from "../../src/rules/history/recordedRules.ts"
import { loadPolicyVersion } from "../../src/rules/policies/loadPolicySet.ts"
import type { StoredEvidence } from "../../src/storage/assessments/AssessmentRecord.ts"
import type { PolicySet, RiskModel } from "../../src/scoring/Model.ts"
import { historyLine } from "../support/historyLine.ts"
import { model as draftModel } from "../support/draft.ts"
import { newestRelease } from "../support/newestRelease.ts"
import { noHistory } from "../support/opine.ts"

const { model } = newestRelease()
const { policySet } = Result.getOrThrow(loadPolicyVersion(packageRoot, "starter", "1.0.0"))
const rules = recordedRules(packageRoot)

const line = JSON.parse(
  historyLine(
    {
      action: { actionType: "audit_logging.disable", environment: "production" },
      behavior: "unavailable"
    },
    1,
    model,
    policySet
  )
)

/** The stored part of an answer, as it is or with something changed. */
const storedOf = (
  change: (answer: Record<string, unknown>) => object,
  recorded = line,
  scoredBy: { readonly model: RiskModel; readonly policySet: PolicySet } = { model, policySet }
): StoredEvidence => {
  const { evidence, input, ...answer } = recorded
  const response = Buffer.from(JSON.stringify(change(answer)))
  const snapshot = evidence.behavior_snapshot
  return {
    assessmentId: answer.assessment_id,
    response,
    resultDigest: createHash("sha256").update(response).digest(),
    input: Buffer.from(JSON.stringify(input)),
    inputDigest: Buffer.alloc(32),
    behaviorSnapshot: snapshot === null ? null : Buffer.from(JSON.stringify(snapshot)),
    rulesDigest: Buffer.from(scoredBy.model.digest, "hex"),
    policyDigest: Buffer.from(scoredBy.policySet.digest, "hex"),
    seal: null
  }
}

describe("a replay", () => {
  it("gives the same bytes under a frozen release, with any ids, time and timings", () => {
    expect(
      replayAssessment(
        storedOf((answer) => answer),
        rules
      )
    ).toMatchObject({ problem: null, differences: [] })
  })

  describe("of a tool with its arguments", () => {
    const refund = (amount: number) => ({
      tool_call: { name: "create_refund", arguments: { charge: "ch_1", amount, currency: "usd" } }
    })
    const action = {
      actionType: "mcp__stripe__create_refund",
      environment: "production",
      metadata: refund(5_000_000)
    } as const
    const recorded = JSON.parse(historyLine({ action, behavior: noHistory }, 1, model, policySet))
    const stored = storedOf((answer) => answer, recorded)

    it("gives the same bytes", () => {
      expect(recorded.reading.arguments).toContainEqual({ path: "$.amount", role: "money" })
      expect(replayAssessment(stored, rules)).toMatchObject({ problem: null, differences: [] })
    })

    it("can suppose another argument", () => {
      const call = Result.getOrThrow(readRecordedCall(stored, rules))
      const { answer } = Result.getOrThrow(whatIf(call, { metadata: refund(500) }))
      expect(answer.action_risk.score).toBeLessThan(recorded.action_risk.score)
    })
  })

  it("names each member that differs", () => {
    const stored = storedOf((answer) => ({
      ...answer,
      action_risk: { ...Object(answer["action_risk"]), score: 3 }
    }))
    const { score } = line.action_risk
    expect(replayAssessment(stored, rules).differences).toEqual([
      { path: "action_risk.score", stored: "3", again: String(score) }
    ])
  })

  it("names the rules or policies that are missing, and uses no others", () => {
    const withoutRules = storedOf((answer) => ({ ...answer, risk_engine_version: "1.0.0+0.9.0.abcdef01" }))
    expect(replayAssessment(withoutRules, rules).problem).toBe(
      "its rule release is not installed: 1.0.0+0.9.0.abcdef01"
    )
    const withoutPolicies = storedOf((answer) => ({ ...answer, policy_version: "../x@1.0.0+abcdef01" }))
    expect(replayAssessment(withoutPolicies, rules).problem).toBe(
      "its policies are not installed: ../x@1.0.0+abcdef01"
    )
    expect(
      replayAssessment({ ...storedOf((answer) => answer), rulesDigest: Buffer.alloc(32) }, rules).problem
    ).toContain("its rule release is not installed")
  })

  it("uses the catalogue of the recorded policy set, at the instant of the recorded snapshot", () => {
    const working = Result.getOrThrow(loadPolicyVersion(packageRoot, "starter", "draft"))
    const draft = working.policySet
    const action = { actionType: "acme.frobnicate", environment: "production" } as const
    const recorded = JSON.parse(historyLine({ action, behavior: noHistory }, 1, draftModel, draft))
    const stored = storedOf((answer) => answer, recorded, { model: draftModel, policySet: draft })
    const release = { ...newestRelease(), model: draftModel }
    const replayBy = (policySet: PolicySet) =>
      replayAssessment(stored, { release: () => release, policies: () => ({ ...working, policySet }) })
    expect(recorded.reading.entry).toBe("acme-frobnicate-reads")
    expect(replayBy(draft)).toMatchObject({ problem: null, differences: [] })
    const { policySet: none } = Result.getOrThrow(loadPolicyVersion(packageRoot, "none", "1.0.0"))
    expect(replayBy(none).problem).toContain("its policies are not installed")
  })
})
