/** Examples of summaries, beyond the properties that hold for every opinion. */

import { expect, it } from "vitest"
import type { JsonObject } from "../../../src/json/json.ts"
import { firstOpinionOn, opinionOn } from "../../support/opine.ts"

it("gives the kind of an action as the reason ahead of unstated fields, to the approver and for the control", () => {
  const { recommendedControl, summary } = firstOpinionOn({
    actionType: "delete_ticket",
    environment: "production"
  })
  const kind = "By its kind alone, such an action deserves a quick confirmation in production."
  expect(summary).toContain(kind)
  expect(recommendedControl.because[0]).toBe(kind)
  expect(recommendedControl.because[1]).toBe("The action runs in production.")
  expect(recommendedControl.because[2]).toMatch(/^The action deletes data/)
})

it("says that something is destroyed as a whole, and not that systems run differently", () => {
  const { riskFactors, summary } = firstOpinionOn({
    actionType: "execute_sql",
    environment: "production",
    targetResource: "DELETE FROM users"
  })
  expect(riskFactors.map(({ code }) => code)).toContain("RESOURCE_DESTRUCTION")
  expect(riskFactors.map(({ code }) => code)).not.toContain("INFRASTRUCTURE_CHANGE")
  expect(summary).toContain("The action destroys something as a whole")
})

it("names a receiver that only the arguments of the tool name, as it names a stated one", () => {
  const call = (args: JsonObject, destination?: string) =>
    firstOpinionOn({
      actionType: "mcp__gmail__send_email",
      environment: "production",
      ...(destination === undefined ? {} : { destination }),
      metadata: { tool_call: { name: "send_email", arguments: args } }
    }).summary
  expect(call({ to: "ada@shop.example" })).toContain(" in production, to “ada@shop.example”.")
  expect(call({ to: "ada@shop.example" }, "bo@shop.example")).toContain(", to “bo@shop.example”.")
  expect(call({ to: "x\u202e” as agreed." })).not.toContain("\u202e")
  expect(call({ subject: "x" })).not.toContain(", to ")
})

/** Found by a random case: only some entity counts would make it worse, so there is no threshold. */
it("names no figure where no threshold of a worse level is known", () => {
  const opinion = opinionOn(
    {
      actionType: "export_all_contacts",
      environment: "production",
      agentId: "agent-7",
      destination: "partner@example.com",
      // No stated entities contradict these records, and no statement of entities could be worse.
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
