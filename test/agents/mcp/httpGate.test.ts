/** `action-risk-agent mcp gate --upstream` before a real HTTP server: which calls reach it, and what the host is told when it fails. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentProgram } from "../../support/agentProgram.ts"
import { type HttpMcpServer, httpMcpServer } from "../../support/httpMcpServer.ts"
import { type LineProcess, lineProcess } from "../../support/lineProcess.ts"
import { opinionAt, type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let server: HttpMcpServer
let folder = ""
let gate: LineProcess
let mute: LineProcess
const opens: Array<LineProcess> = []
let ids = 0

const failing = [
  "unavailable",
  "unauthorized",
  "vanishes",
  "redirects",
  "garbles",
  "says_nothing",
  "cuts_off",
  "answers_another"
]

const start = (url: string, ...more: ReadonlyArray<string>): LineProcess => {
  const words = ["mcp", "gate", "--server", "shop", "--config", folder, "--upstream", url, ...more]
  const started = lineProcess([agentProgram, ...words], {
    ACTION_RISK_URL: service.url,
    ACTION_RISK_KEY: "svc_test_x",
    ACTION_RISK_UPSTREAM_AUTHORIZATION: "Bearer shop",
    HOME: folder
  })
  opens.push(started)
  return started
}

const initialize = (one: LineProcess, capabilities: object) =>
  one.ask({
    jsonrpc: "2.0",
    id: `i${++ids}`,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities }
  })

beforeAll(async () => {
  service = await scriptedService()
  server = await httpMcpServer()
  folder = mkdtempSync(join(tmpdir(), "action-risk-http-gate-"))
  const names = ["refund", "answers_twice", ...failing]
  const tools = Object.fromEntries(names.map((name) => [`mcp:shop/${name}`, { why: "a test" }]))
  writeFileSync(join(folder, "action-risk.tools.json"), JSON.stringify({ version: 1, tools }))
  gate = start(server.url)
  mute = start(server.url)
  await initialize(gate, { elicitation: {} })
  await initialize(mute, {})
})
afterAll(async () => {
  await Promise.all(opens.map((each) => each.end()))
  await server.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

const answerAt = (level: string) => service.play(opinionAt(level))

const callOf = (name = "refund", more: object = {}) => ({
  jsonrpc: "2.0",
  id: ++ids,
  method: "tools/call",
  params: { name, arguments: { nonce: ids }, ...more }
})

const callsOf = (call: object) => server.heard.filter(({ body }) => body === JSON.stringify(call))

const isQuestion = (message: Record<string, unknown>) => message["method"] === "elicitation/create"

describe("a call through the gate to a server behind a URL", () => {
  it("reaches the server as it was written, in its session, without the key", async () => {
    answerAt("low")
    const call = callOf()
    const answer = await mute.ask(call)
    expect(answer["result"].content[0].text).toBe(`called ${JSON.stringify(call)}`)
    const headers = callsOf(call)[0]?.headers
    expect(headers).toMatchObject({
      "mcp-session-id": "session-1",
      "mcp-protocol-version": "2025-11-25",
      authorization: "Bearer shop"
    })
    expect(JSON.stringify(headers)).not.toContain("svc_test_x")
  })

  it("names its subject in headers, including letters that headers do not allow, from 2026-07-28 on", async () => {
    answerAt("low")
    const own = start(server.url)
    await initialize(own, {})
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
    const call = { ...callOf(), method: "prompts/get", params: { name: "refünd\r\nx: y", _meta } }
    await own.ask(call)
    const encoded = Buffer.from("refünd\r\nx: y").toString("base64")
    expect(callsOf(call)[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "prompts/get",
      "mcp-name": `=?base64?${encoded}?=`
    })
  })

  it("reaches the server once a person approves, but not if the person declines", async () => {
    answerAt("high")
    for (const [action, times] of [
      ["accept", 1],
      ["decline", 0]
    ] as const) {
      const call = callOf()
      const answer = gate.ask(call)
      const { id } = await gate.hear(isQuestion)
      expect(callsOf(call)).toHaveLength(0)
      gate.send({ jsonrpc: "2.0", id, result: { action, content: { go_ahead: true } } })
      expect((await answer)["result"].isError ?? false).toBe(times === 0)
      expect(callsOf(call)).toHaveLength(times)
    }
  })

  it.each([
    ["at moderate where the host can ask no person", () => answerAt("moderate")],
    ["without an opinion", () => service.play((response) => response.writeHead(503).end("{}"))]
  ])("does not reach the server %s", async (_, play) => {
    play()
    const call = callOf()
    expect((await mute.ask(call))["result"]).toMatchObject({ isError: true })
    expect(callsOf(call)).toHaveLength(0)
  })

  it.each(failing)("is an error, not a result, if the server %s", async (name) => {
    answerAt("low")
    const answer = await mute.ask(callOf(name))
    expect([answer["result"], answer["error"]]).toEqual([
      undefined,
      {
        code: -32_000,
        message: expect.stringContaining("did not answer, and whether it called the tool is not known")
      }
    ])
  })

  it("has one answer if the server gives two", async () => {
    answerAt("low")
    const call = callOf("answers_twice")
    await mute.ask(call)
    await mute.ask(callOf())
    const second = mute.hear(({ id }) => id === call.id)
    second.catch(() => {})
    expect(await Promise.race([second, Promise.resolve("nothing")])).toBe("nothing")
  })
})

describe("a gate to a server behind a URL", () => {
  it("passes on events of several lines, and unsolicited messages of the server", async () => {
    const { result } = await gate.ask({ jsonrpc: "2.0", id: "list", method: "tools/list" })
    expect(result.tools[0].name).toBe("refund")
    gate.send({ jsonrpc: "2.0", method: "notifications/initialized" })
    const isChange = ({ method }: Record<string, unknown>) => method === "notifications/tools/list_changed"
    expect(await gate.hear(isChange)).toBeDefined()
  })

  it("ends its session when the host ends", async () => {
    const own = start(server.url)
    await initialize(own, {})
    expect(await own.end()).toBe(0)
    expect(server.heard.at(-1)).toMatchObject({
      method: "DELETE",
      headers: { "mcp-session-id": "session-1" }
    })
  })

  it("says so where no server is there", async () => {
    const gone = await httpMcpServer()
    await gone.close()
    const answer = await initialize(start(gone.url), {})
    expect(answer["error"].message).toContain("did not answer: fetch failed: connect ECONNREFUSED")
  })

  it.each([
    ["is none", "shop"],
    ["is of another kind", "file:///etc/passwd"],
    ["holds a password", "http://a:b@127.0.0.1/mcp"]
  ])("does not start where the URL %s", async (_, url) => {
    expect(await start(url).end()).toBe(2)
  })

  it("does not start with a URL and a command", async () => {
    expect(await start(server.url, "--", "cat").end()).toBe(2)
  })
})
