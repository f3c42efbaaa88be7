/** What every caller of an edition may count on, whichever edition it is. */

import { describe, expect, it } from "vitest"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { loadDraft } from "../../src/rules/release/loadRelease.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import { edition as first } from "../support/edition1.ts"
import { frozenCalls } from "../support/frozenCalls.ts"
import { read } from "../support/read.ts"

const { edition: second } = read(loadDraft(packageRoot))
const { policySet } = loadPolicySet(packageRoot, "starter")

const actionTypes = [
  "customers.export",
  "mcp__github__merge_pull_request",
  "s3:DeleteBucket",
  "execute_sql",
  "bash",
  "stripe.refund.create",
  "list_pods",
  "frobnicate",
  "role.grant",
  "think"
]
const calls = frozenCalls([...actionTypes, ...actionTypes, ...actionTypes], 7)

describe.each([
  ["first", first],
  ["second", second]
] as const)("the %s edition", (_, edition) => {
  it("says the same with words that it has read before", () => {
    for (const { action, behavior } of calls) {
      const words = edition.read(action)
      expect(edition.score(action, behavior, policySet, words)).toEqual(
        edition.score(action, behavior, policySet)
      )
      expect(edition.historyRecord(action, words)).toEqual(edition.historyRecord(action))
    }
  })

  it("reads the same in calls with the same key, whatever their figures are", () => {
    for (const { action } of calls) {
      const { agentId: _, currency: __, entitiesAffected: ___, financialValue: ____, ...other } = action
      expect(edition.wordsKey(other)).toBe(edition.wordsKey(action))
      expect(edition.read(other)).toEqual(edition.read(action))
    }
  })

  it("sums up what it says", () => {
    for (const { action, behavior } of calls) {
      const { actionCategory, actionRisk, complete, recommendedControl, riskFactors } = edition.score(
        action,
        behavior,
        policySet
      )
      const summary = edition.summarize(action, behavior, policySet)
      expect(summary).toMatchObject({
        complete,
        score: actionRisk.score,
        level: actionRisk.level,
        category: actionCategory,
        control: recommendedControl.type
      })
      expect(summary.factors.map(({ code }) => code).toSorted()).toEqual(
        riskFactors.map(({ code }) => code).toSorted()
      )
    }
  })

  it("says the same with a match that only listens", () => {
    const asked: Array<Facts> = []
    const listening = edition.withMatch((facts) => {
      asked.push(facts)
      return edition.match(facts)
    })
    for (const { action, behavior } of calls) {
      const before = asked.length
      expect(listening.score(action, behavior, policySet)).toEqual(edition.score(action, behavior, policySet))
      expect(asked.length).toBeGreaterThan(before)
    }
  })
})

it("both editions find the same agents and destinations in history", () => {
  for (const { action } of calls) {
    const [one, other] = [first.historyRecord(action), second.historyRecord(action)]
    expect(other).toMatchObject({
      agentId: one.agentId,
      destinationKey: one.destinationKey,
      summedUnder: one.summedUnder
    })
  }
})

it("what is harmless adds nothing to the sums of the last day", () => {
  for (const actionType of ["think", "list_pods"]) {
    const { scoredEntities, scoredUsdCents } = second.historyRecord({
      actionType,
      environment: "production",
      entitiesAffected: 90_000,
      financialValue: 90_000
    })
    expect([actionType, scoredEntities, scoredUsdCents]).toEqual([actionType, 0, 0])
  }
})
