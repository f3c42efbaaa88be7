/** A summary has the figures and codes of the opinion, and passing a known reading changes nothing. */

import fc from "fast-check"
import { expect, it } from "vitest"
import { historyRecord } from "../../src/scoring/HistoryRecord.ts"
import { readCall, readingKey } from "../../src/scoring/reading/readCall.ts"
import { score } from "../../src/scoring/score.ts"
import { scoreSummary } from "../../src/scoring/scoreSummary.ts"
import { question } from "../support/arbitrary/question.ts"
import { propertyRuns, seed, timeoutMs } from "../support/depth.ts"
import { model } from "../support/draft.ts"
import { policySetOf } from "../support/policySetOf.ts"

const runs = Math.ceil(propertyRuns / 5)
const options = { numRuns: runs, seed }

it(`sums up what the opinion says (seed ${seed})`, { timeout: timeoutMs(runs) }, () => {
  const holds = fc.property(question(), ({ action, behavior, policies }) => {
    const set = policySetOf(policies)
    const { actionCategory, actionRisk, complete, recommendedControl, riskFactors } = score(
      action,
      behavior,
      model,
      set
    )
    const summary = scoreSummary(action, behavior, model, set)
    expect(summary).toMatchObject({
      complete,
      score: actionRisk.score,
      level: actionRisk.level,
      category: actionCategory,
      control: recommendedControl.type
    })
    expect(summary.confidencePercent / 100).toBe(actionRisk.confidence)
    expect(summary.factors.map(({ code }) => code).toSorted()).toEqual(
      riskFactors.map(({ code }) => code).toSorted()
    )
  })
  fc.assert(holds, options)
})

it("a reading that is known already changes no answer", { timeout: timeoutMs(runs) }, () => {
  const holds = fc.property(question(), ({ action, behavior, policies }) => {
    const reading = readCall(action, model.lexicon)
    const set = policySetOf(policies)
    expect(score(action, behavior, model, set, reading)).toEqual(score(action, behavior, model, set))
    expect(historyRecord(action, model, undefined, reading)).toEqual(historyRecord(action, model))
  })
  fc.assert(holds, options)
})

it("calls with the same key have the same reading, whatever their figures are", () => {
  const holds = fc.property(question(), ({ action }) => {
    const { agentId: _, currency: __, entitiesAffected: ___, financialValue: ____, ...other } = action
    expect(readingKey(other)).toBe(readingKey(action))
    expect(readCall(other, model.lexicon)).toEqual(readCall(action, model.lexicon))
  })
  fc.assert(holds, options)
})
