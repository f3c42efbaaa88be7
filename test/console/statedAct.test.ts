/** The act that a request asks for, taken from the request only: a reviewer reads it before anything else. */

import { describe, expect, it } from "vitest"
import { statedActCard, statedActLine, statedAct } from "../../src/console/parts/statedAct.ts"
import { consoleCallMax } from "../../src/limits.ts"

const bash = (command: string) => ({
  action_type: "Bash",
  metadata: { tool_call: { name: "Bash", arguments: { command } } }
})

describe("what a request states of the act", () => {
  it.each([
    ["the command of a shell", bash("rm -rf build"), "rm -rf build"],
    [
      "the whole command, where the resource holds its beginning",
      { target_resource: "kubectl dele", metadata: { command: "kubectl delete ns checkout" } },
      "kubectl delete ns checkout"
    ],
    [
      "a statement",
      {
        metadata: { tool_call: { name: "execute_sql", arguments: { db: "shop", sql: "DROP TABLE orders" } } }
      },
      "DROP TABLE orders"
    ],
    [
      "the arguments of another tool",
      { metadata: { tool_call: { name: "refund", arguments: { amount: 5 } } } },
      '{"amount":5}'
    ],
    ["nothing without a call", { metadata: { ticket: "OPS-1" } }, null],
    ["nothing of a call without arguments", { metadata: { tool_call: { name: "x", arguments: {} } } }, null],
    ["nothing of metadata of another shape", { metadata: "rm" }, null]
  ])("says %s", (_, input, call) => {
    expect(statedAct(input).call).toBe(call)
  })

  it("says how much, with its unit", () => {
    const input = {
      financial_value: 148_600,
      currency: "USD",
      records_affected: 1,
      entities_affected: 41_200
    }
    expect(statedAct(input).figures).toEqual(["148,600 USD", "1 record", "41,200 entities"])
    expect(statedAct({}).figures).toEqual([])
  })

  it("shows no more of a call than a page can", () => {
    expect(statedAct(bash("x".repeat(consoleCallMax + 1))).call).toBe(`${"x".repeat(consoleCallMax)} …`)
  })
})

describe("a row of a list", () => {
  it("shows the command, or else the agent's own words", () => {
    expect(statedActLine(statedAct(bash("rm -rf build")))?.html).toContain("rm -rf build")
    expect(statedActLine(statedAct({ action_description: "Pay the invoice" }))?.html).toContain(
      "Pay the invoice"
    )
    expect(statedActLine(statedAct({}))).toBeNull()
  })

  it("does not say the resource twice", () => {
    expect(statedActLine(statedAct({ ...bash("ls"), target_resource: "ls" }))).toBeNull()
  })
})

describe("the head of an assessment", () => {
  const answer = {
    assumptions: [{ field: "records_affected", assumed: 1_000 } as const],
    safer_alternatives: ["Take a backup first."]
  }
  const { html } = statedActCard(statedAct({ ...bash("DROP"), agent_id: "migrator" }), "staging", answer)

  it("says who, what, where, how much and what instead, in this order", () => {
    const terms = [...html.matchAll(/<dt>([^<]+)/g)].map(([, term]) => term)
    expect(terms).toEqual(["Who", "What", "Where", "How much", "Instead"])
    expect(html).toContain("not stated: 1,000 records assumed")
    expect(html).toContain("Take a backup first.")
  })

  it("says that no agent is stated", () => {
    expect(statedActCard(statedAct({}), "staging", answer).html).toContain("no agent stated")
  })
})
