/** What a summary says, beyond what the properties of every opinion hold. */

import { expect, it } from "vitest"
import { opinionOn } from "../../support/next.ts"

/** Found by a random case: only a few entities of many would make it worse, so there is no figure from which on it is. */
it("names no figure where none is known from which on it would be worse", () => {
  const opinion = opinionOn(
    {
      actionType: "export_all_contacts",
      environment: "production",
      agentId: "agent-7",
      destination: "partner@example.com",
      // No entities beside them contradict them, and nothing else that could be stated of entities is worse.
      recordsAffected: 10_000,
      financialValue: 900,
      currency: "USD",
      dataClassification: "internal",
      productionImpact: false
    },
    { days: 30, firstSeenHours: 720, largestEntities: 1e15, largestUsdCents: 1e15, lookalike: false }
  )
  expect(opinion.missingInformation.find(({ field }) => field === "entities_affected")?.higher).toEqual({
    level: "critical"
  })
  expect(opinion.summary).toContain("It would be critical with another number of entities.")
})
