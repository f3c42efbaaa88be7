/** Asking an MCP server for its tools, with real processes that behave well and badly. */

import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { listMcpTools } from "../../../src/agents/mcp/listMcpTools.ts"
import { actionRisk } from "../../support/inProcess.ts"

const server = join(import.meta.dirname, "../../support/listingMcpServer.ts")

const listed = (manner: string, waitMs?: number) =>
  listMcpTools({
    command: [process.execPath, server, manner],
    env: { PATH: process.env["PATH"], ACTION_RISK_KEY: "svc_test_x" },
    signal: new AbortController().signal,
    version: "1.0.0",
    ...(waitMs !== undefined && { waitMs })
  })

describe("an MCP server that is asked for its tools", () => {
  it("is read to its last page, whatever else it prints and asks", async () => {
    expect(await listed("pages")).toMatchObject({
      tools: [{ name: "refund" }, { name: "get_order" }, { name: "frobnicate" }]
    })
  })

  it.each([
    ["refuses", "refused initialize: only a later\u001b[31m revision; its last output: key none"],
    ["bare", "answered tools/list without a list of tools; its last output: key none"],
    ["endless", expect.stringContaining("or repeats a page")],
    [
      "crashes",
      "ended with 7 before it had listed its tools; its last output: no database at \u001b[31mlocalhost"
    ],
    ["floods", expect.stringContaining("wrote more than a list of tools needs")]
  ])("says what is wrong, and ends, where it %s", async (manner, problem) => {
    expect(await listed(manner)).toEqual({ problem })
  })

  it("is ended where it neither answers nor ends by itself", async () => {
    const before = performance.now()
    expect(await listed("silent", 300)).toEqual({
      problem: expect.stringContaining("did not list its tools within 0.3 s")
    })
    expect(performance.now() - before).toBeLessThan(30_000)
  }, 40_000)

  it("is reported where there is no such program", async () => {
    const { signal } = new AbortController()
    expect(await listMcpTools({ command: ["/nonexistent"], env: {}, signal, version: "1.0.0" })).toEqual({
      problem: expect.stringContaining("cannot be started")
    })
  })
})

describe("tools scaffold --mcp", () => {
  it("writes an entry for each tool of the server", async () => {
    const { code, stdout } = await actionRisk([
      "tools",
      "scaffold",
      "--server",
      "shop",
      "--mcp",
      "--",
      process.execPath,
      server,
      "pages"
    ])
    expect([code, Object.keys(JSON.parse(stdout).tools)]).toEqual([
      0,
      ["mcp:shop/frobnicate", "mcp:shop/get_order", "mcp:shop/refund"]
    ])
  })

  it("says on one line, with its invisible characters spelled, why there is no list", async () => {
    const { code, stderr, stdout } = await actionRisk([
      "tools",
      "scaffold",
      "--mcp",
      "--",
      process.execPath,
      server,
      "crashes"
    ])
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringContaining(
        "the server ended with 7 before it had listed its tools; its last output: no database at \\u001b[31mlocalhost"
      )
    ])
  })

  it("wants a command after --mcp, and without it one file", async () => {
    expect((await actionRisk(["tools", "scaffold", "--mcp"])).code).toBe(2)
    expect(await actionRisk(["tools", "scaffold", "a.json", "b.json"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("one file")
    })
  })
})
