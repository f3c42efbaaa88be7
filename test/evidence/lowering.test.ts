/** Single statements that would have lowered an answer: each is true when asked as a What if, and the nearer of two values is named. */

import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { loweringSteps } from "../../src/evidence/recorded/lowering.ts"
import { whatIf } from "../../src/evidence/recorded/reconsider.ts"
import { readRecordedCall } from "../../src/evidence/replay.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { recordedRules } from "../../src/rules/history/recordedRules.ts"
import { storedAnswerTo } from "../support/consoleView.ts"

const rules = recordedRules(packageRoot)

const considered = (request: JsonObject) => {
  const call = Result.getOrThrow(readRecordedCall(storedAnswerTo(request), rules))
  const steps = loweringSteps(call)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { call, lowerings: step.value }
  }
}

const exporting = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  records_affected: 90_000,
  destination: "sftp://files.partner.example/inc"
}

describe("what would have lowered an answer", () => {
  it("is what the rules answer to only that statement", () => {
    const { call, lowerings } = considered(exporting)
    expect(lowerings.length).toBeGreaterThan(1)
    for (const { field, level, score, value } of lowerings) {
      const { answer } = Result.getOrThrow(whatIf(call, { [field]: value }))
      expect([field, answer.action_risk.score, answer.action_risk.level]).toEqual([field, score, level])
      expect(score).toBeLessThan(call.answer.action_risk.score)
    }
  })

  it("names the environment last, because a reviewer doubts what was stated first", () => {
    const { lowerings } = considered({
      action_type: "database.delete",
      environment: "production",
      records_affected: 90_000
    })
    const last = lowerings.at(-1)
    expect(last?.field).toBe("environment")
    expect(Math.min(...lowerings.map(({ score }) => score))).toBe(last?.score)
  })

  it("is nothing where everything is as small as it can be", () => {
    const { lowerings } = considered({
      action_type: "calendar.events.list",
      environment: "development",
      records_affected: 1,
      entities_affected: 1,
      financial_value: 1,
      currency: "USD",
      data_classification: "public",
      reversibility: "fully_reversible",
      privilege_change: false,
      production_impact: false
    })
    expect(lowerings).toEqual([])
  })
})
