/** `action-risk tools gaps`: finds undescribed tools in lists and in recorded calls. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listedTools, renderGaps } from "../../../src/cli/agents/gaps.ts"
import { plainTerminal } from "../../../src/cli/Terminal.ts"
import { actionRisk } from "../../support/inProcess.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "action-risk-gaps-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const listOf = (...names: ReadonlyArray<string>): string =>
  fileOf("list.json", JSON.stringify({ tools: names.map((name) => ({ name, inputSchema: {} })) }))

const mappingOf = (tools: object): string => fileOf("mapping.json", JSON.stringify({ version: 1, tools }))

const gapsIn = async (args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await actionRisk(["tools", "gaps", "--json", ...args])
  expect(stderr).toBe("")
  const { gaps, tools } = JSON.parse(stdout) as {
    tools: number
    gaps: ReadonlyArray<{
      tool: string
      calls: number
      mapping: string
      parameters: ReadonlyArray<{ path: string; role: string | null }>
      reading: { by: string; verb: string | null } | null
      missing: ReadonlyArray<string>
    }>
  }
  return { code, tools, gaps }
}

describe("tools gaps of a server's list", () => {
  it("names the tools that are read only by their words, riskiest first", async () => {
    const { code, gaps, tools } = await gapsIn([
      listOf("get_order", "refund", "frobnicate"),
      "--server",
      "shop"
    ])
    expect([code, tools]).toEqual([1, 3])
    expect(gaps.map(({ mapping, reading, tool }) => [tool, mapping, reading?.by, reading?.verb])).toEqual([
      ["mcp:shop/frobnicate", "none", "name", null],
      ["mcp:shop/refund", "none", "name", "refund"]
    ])
  })

  it("names the parameters that are read only by their value, until the mapping says what they give", async () => {
    const properties = {
      amount: { type: "number" },
      frobs: { type: "array", items: { properties: { zorp: { type: "string" } } } }
    }
    const list = fileOf(
      "list.json",
      JSON.stringify({ tools: [{ name: "get_order", inputSchema: { properties } }] })
    )
    const { gaps } = await gapsIn([list, "--server", "shop"])
    expect(gaps[0]?.parameters).toEqual([
      { path: "$.amount", role: "money" },
      { path: "$.frobs[0].zorp", role: null }
    ])
    const tool = { why: "x", from_arguments: { entities_affected: { count: "$.frobs[*]" } } }
    const mapping = mappingOf({ "mcp:shop/get_order": tool })
    expect((await gapsIn([list, "--server", "shop", "--mapping", mapping])).gaps).toEqual([])
  })

  it("finds none where each tool is mapped to a name that a provider knows", async () => {
    const mapping = mappingOf({ "mcp:shop/refund": { why: "refunds", action_type: "stripe.refunds.create" } })
    expect(await gapsIn([listOf("refund"), "--server", "shop", "--mapping", mapping])).toEqual({
      code: 0,
      tools: 1,
      gaps: []
    })
  })

  it("counts a mapping to a name of unknown words as a gap, without the fields that it reads", async () => {
    const mapping = mappingOf({
      "mcp:shop/refund": { why: "refunds", from_arguments: { financial_value: { at: "$.amount" } } }
    })
    const { code, gaps } = await gapsIn([listOf("refund"), "--server", "shop", "--mapping", mapping])
    expect([code, gaps[0]?.mapping, gaps[0]?.reading?.by]).toEqual([1, "mapped", "name"])
    expect(gaps[0]?.missing).not.toContain("financial_value")
    expect(gaps[0]?.missing).toContain("entities_affected")
  })

  it.each([
    ["a guess", { guess: true }, "guess"],
    ["past its day", { review_by: "2026-01-01" }, "review_past"],
    ["of another definition", { pin: `sha256:${"0".repeat(64)}` }, "pin_changed"]
  ])("counts an entry that is %s as a gap", async (_, entry, state) => {
    const mapping = mappingOf({
      "mcp:shop/refund": { why: "refunds", action_type: "stripe.refunds.create", ...entry }
    })
    const { code, gaps } = await gapsIn([listOf("refund"), "--server", "shop", "--mapping", mapping])
    expect([code, gaps.map(({ mapping }) => mapping)]).toEqual([1, [state]])
  })

  it("says so of a name that no service takes", async () => {
    const { gaps } = await gapsIn([listOf("x".repeat(300))])
    expect(gaps).toMatchObject([{ mapping: "none", reading: null }])
  })
})

describe("tools gaps of recorded calls", () => {
  const line = (request: object) => `${JSON.stringify(request)}\n`
  const asked = (tool: string, type: string) => ({
    agent_id: "a",
    action_type: type,
    environment: "production",
    metadata: { tool }
  })

  it("counts the calls of each tool, most first, and looks at the newest", async () => {
    const file = fileOf(
      "history.ndjson",
      line(asked("mcp:shop/refund", "mcp__shop__refund")) +
        line({ input: asked("mcp:shop/frobnicate", "mcp__shop__frobnicate"), assessment_id: "x" }) +
        line({ erased: {} }) +
        line({ input: asked("mcp:shop/frobnicate", "mcp__shop__frobnicate") }) +
        line(asked("Bash", "claude_code.Bash"))
    )
    const { code, gaps, tools } = await gapsIn(["--recorded", file])
    expect([code, tools]).toEqual([1, 3])
    expect(gaps.map(({ calls, tool }) => [tool, calls])).toEqual([
      ["mcp:shop/frobnicate", 2],
      ["mcp:shop/refund", 1]
    ])
  })

  it("refuses a line that is not JSON, and a list together with recorded calls", async () => {
    const file = fileOf("broken.ndjson", '{"a":1}\n{\n')
    expect(await actionRisk(["tools", "gaps", "--recorded", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("line 2")
    })
    expect((await actionRisk(["tools", "gaps", "--recorded", file, "list.json"])).code).toBe(2)
    expect((await actionRisk(["tools", "gaps"])).code).toBe(2)
  })

  it("refuses a mapping that is not one, with every problem", async () => {
    const mapping = mappingOf({ "mcp:shop/refund": { pin: "1" } })
    const { code, stderr } = await actionRisk(["tools", "gaps", listOf("refund"), "--mapping", mapping])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/pin must be .*; .*why is missing/)])
  })
})

describe("the table of gaps", () => {
  it("keeps a hostile tool name on its line, with its invisible characters spelled", () => {
    const gap = {
      tool: "mcp:x/a\u001b[2J\nb\u202e",
      calls: 3,
      mapping: "none",
      reading: null,
      missing: [],
      parameters: []
    } as const
    const text = renderGaps(plainTerminal(120), 1, [gap])
    expect(text.split("\n")[3]).toContain("mcp:x/a\\u001b[2J\\u000ab\\u202e")
    expect(text).toContain("cannot be asked")
  })

  it("asks about the tools of an OpenAPI document by their operation ids", () => {
    const known = { mapping: null, policySet: "none", day: "2026-11-01" }
    expect(listedTools([{ key: "createRefund", properties: {} }], known)).toMatchObject([
      { tool: "createRefund", request: { action_type: "createRefund" } }
    ])
  })
})
