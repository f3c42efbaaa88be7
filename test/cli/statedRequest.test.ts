/** A tool call or a command in the flags of `assess`. */

import { describe, expect, it } from "vitest"
import { actionRisk } from "../support/inProcess.ts"

const refund = ["--tool", "mcp__stripe__create_refund", "--arguments", '{"amount":5000000,"currency":"usd"}']

describe("assess", () => {
  it("scores the call of a tool, and says which argument an assumption was read from", async () => {
    const { code, stdout } = await actionRisk(["assess", ...refund, "--json"])
    const answer: unknown = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(answer).toMatchObject({ reading: { arguments: [{ path: "$.amount", role: "money" }] } })
    expect(answer).toHaveProperty(
      "assumptions",
      expect.arrayContaining([{ field: "financial_value", assumed: 50_000, argument: "$.amount" }])
    )
  })

  it("scores a command, however long it is", async () => {
    const { stdout } = await actionRisk([
      "assess",
      "--shell",
      `ls ${"x".repeat(300)} && git push --force origin main`,
      "--json"
    ])
    expect(JSON.parse(stdout)).toMatchObject({ reading: { by: "command" }, action_risk: { level: "high" } })
  })

  it("is milder in development", async () => {
    const { stdout } = await actionRisk([
      "assess",
      "--shell",
      "systemctl stop nginx",
      "--environment",
      "development",
      "--json"
    ])
    expect(JSON.parse(stdout)).toHaveProperty("action_risk.level", "low")
  })

  it.each([
    [["--arguments", "{}"], "used with --tool"],
    [["--tool", "x", "--arguments", "{"], "JSON"],
    [["--tool", "x", "--shell", "ls"], "used without --tool"],
    [["--environment", "staging"], "used with --tool or --shell"],
    [["examples/requests/stripe-refund.json", "--tool", "x"], "used without a file"],
    [["--tool", "x".repeat(2000)], "action_type"]
  ])("refuses %j, and says why", async (flags, reason) => {
    const { code, stderr } = await actionRisk(["assess", ...flags])
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
  })

  it("takes a line that is only the call of a tool", async () => {
    const { stdout } = await actionRisk(["assess", "--batch", "-"], {
      input: '{"tool":"mcp__postgres__query","arguments":{"sql":"DELETE FROM orders;"}}\n{"tool":7}\n'
    })
    const [answer, refused] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown)
    expect(answer).toMatchObject({ action_risk: { level: "critical" } })
    expect(refused).toMatchObject({ line: 2, error: { code: "VALIDATION_FAILED" } })
  })
})
