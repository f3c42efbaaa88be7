/** `action-risk tools`, from a server's list of tools to a mapping that counts. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describedTools, scaffoldTools } from "../../../src/agents/scaffoldTools.ts"
import { actionRisk as startProgram } from "../../support/actionRisk.ts"
import { actionRisk } from "../../support/inProcess.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "action-risk-tools-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (content: unknown, name = "file.json"): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const refund = {
  name: "refund",
  description: "Refund a charge",
  inputSchema: {
    type: "object",
    properties: {
      charge_id: { type: "string" },
      amount_cents: { type: "integer" },
      currency: { type: "string" },
      lines: { type: "array" },
      "notify me": { type: "string" }
    }
  }
}

describe("tools scaffold", () => {
  it("guesses what arguments say, and writes a file whose guesses tools check asks to look at", async () => {
    const { code, stdout } = await startProgram([
      "tools",
      "scaffold",
      fileOf({ tools: [refund] }),
      "--server",
      "shop"
    ])
    expect(code).toBe(0)
    const made = JSON.parse(stdout)
    expect(made.tools["mcp:shop/refund"]).toEqual({
      guess: true,
      from_arguments: {
        financial_value: { at: "$.amount_cents", scale: -2 },
        currency: { at: "$.currency" },
        records_affected: { count: "$.lines[*]" },
        target_resource: { at: "$.charge_id" }
      },
      why: expect.stringContaining("remove guess"),
      pin: expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    })
    const checked = await actionRisk(["tools", "check", fileOf(made), "--json"])
    expect([checked.code, JSON.parse(checked.stdout).problems]).toEqual([
      1,
      [{ at: "tools.mcp:shop/refund.guess", message: "is still set: the tool counts as unmapped" }]
    ])
  })

  it("reads the service's own OpenAPI document, with one tool for each operation", () => {
    const openApi = JSON.parse(readFileSync(join(import.meta.dirname, "../../golden/openapi.json"), "utf8"))
    const made = scaffoldTools(describedTools(openApi, "risk") ?? [])
    expect(made.tools["assessAction"]?.from_arguments?.financial_value).toEqual({ at: "$.financial_value" })
    expect(Object.values(made.tools).every(({ guess }) => guess === true)).toBe(true)
  })

  it("refuses what lists no tools", async () => {
    expect(await actionRisk(["tools", "scaffold", fileOf({ a: 1 })])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is neither a list of MCP tools nor an OpenAPI document")
    })
  })
})

describe("tools check", () => {
  it("accepts a valid mapping and a valid gate file", async () => {
    const mapping = { version: 1, tools: { "mcp:shop/refund": { why: "card refunds" } } }
    expect(await actionRisk(["tools", "check", fileOf(mapping)])).toMatchObject({ code: 0 })
    const gate = { version: 1, refuse_from: { level: "critical" } }
    expect(await actionRisk(["tools", "check", fileOf(gate)])).toMatchObject({ code: 0 })
  })

  it("compares a mapping with what the server says of its tools", async () => {
    const described = (name: string, annotations: object) => ({ name, inputSchema: {}, annotations })
    const listed = fileOf(
      {
        tools: [
          described("purge", { destructiveHint: true }),
          described("look", { destructiveHint: true, readOnlyHint: true }),
          described("refund", { destructiveHint: true })
        ]
      },
      "listed.json"
    )
    const pin = `sha256:${"0".repeat(64)}`
    const mapping = {
      version: 1,
      tools: {
        "mcp:shop/purge": { action_type: "shop.orders.list", why: "a wrong one" },
        "mcp:shop/look": { action_type: "shop.orders.list", why: "a right one" },
        "mcp:shop/refund": { action_type: "stripe.refunds.create", pin, why: "card refunds" },
        "mcp:shop/gone": { why: "not there any more" },
        "mcp:other/gone": { why: "of another server" }
      }
    }
    const checked = await actionRisk([
      "tools",
      "check",
      fileOf(mapping),
      "--listed",
      listed,
      "--server",
      "shop",
      "--json"
    ])
    expect([checked.code, JSON.parse(checked.stdout).problems]).toEqual([
      1,
      [
        {
          at: "tools.mcp:shop/purge.action_type",
          message: "counts as read, but the server says that the tool is destructive"
        },
        {
          at: "tools.mcp:shop/refund.pin",
          message: "the server has changed the tool's description since it was mapped"
        },
        { at: "tools.mcp:shop/gone", message: "is not a tool that the server lists" }
      ]
    ])
  })

  it("names mistakes, and expired entries", async () => {
    const gate = {
      version: 1,
      no_opinion: "no_objection",
      not_asked: [{ tools: ["Read"], why: "x", review_by: "2026-01-01" }]
    }
    const broken = await actionRisk(["tools", "check", fileOf(gate)])
    expect([broken.code, broken.stdout]).toEqual([
      1,
      expect.stringContaining("no_opinion must be one of ask_person, refuse")
    ])
    const past = await actionRisk(["tools", "check", fileOf({ ...gate, no_opinion: "refuse" })])
    expect([past.code, past.stdout]).toEqual([
      1,
      expect.stringContaining("not_asked[0].review_by expired after 2026-01-01")
    ])
  })
})
