/** `action-risk-agent mcp gate` between a host and a real process: which calls reach it, and what the host is told about the others. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentProgram } from "../../support/agentProgram.ts"
import { type LineProcess, lineProcess } from "../../support/lineProcess.ts"
import { opinionAt, type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let folder = ""

const echo = join(import.meta.dirname, "../../support/echoMcpServer.ts")

const writeTools = (entry: object = {}) =>
  writeFileSync(
    join(folder, "action-risk.tools.json"),
    JSON.stringify({
      version: 1,
      tools: {
        "mcp:shop/refund": {
          from_arguments: { financial_value: { at: "$.amount" }, target_resource: { at: "$.charge" } },
          why: "card refunds",
          ...entry
        },
        "mcp:shop/wipe": { why: "empties a basket" },
        "mcp:shop/look": { why: "reads a basket" }
      }
    })
  )

const opens: Array<LineProcess> = []
let ids = 0

const open = async (capabilities: object, protocolVersion = "2025-11-25"): Promise<LineProcess> => {
  const gate = lineProcess(
    [agentProgram, "mcp", "gate", "--server", "shop", "--config", folder, "--", process.execPath, echo],
    { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_x", HOME: folder }
  )
  opens.push(gate)
  await gate.ask({
    jsonrpc: "2.0",
    id: `i${++ids}`,
    method: "initialize",
    params: { protocolVersion, capabilities }
  })
  return gate
}

let gate: LineProcess
let mute: LineProcess

beforeAll(async () => {
  service = await scriptedService()
  folder = mkdtempSync(join(tmpdir(), "action-risk-gate-"))
  writeTools()
  gate = await open({ elicitation: {} })
  mute = await open({})
})
afterAll(async () => {
  await Promise.all(opens.map((each) => each.end()))
  await service.close()
  rmSync(folder, { recursive: true })
})

const answerAt = (level: string) => service.play(opinionAt(level))

const callOf = (given: object = { amount: 5, charge: "ch_1" }, name = "refund", id = ++ids) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given }
})

const isQuestion = (message: Record<string, unknown>) => message["method"] === "elicitation/create"

const textOf = (answer: Record<string, { content: ReadonlyArray<{ text: string }> }>) =>
  answer["result"]?.content[0]?.text

describe("a call through the gate", () => {
  it("reaches the server unchanged if there is no objection, and the key does not", async () => {
    answerAt("low")
    const answer = await gate.ask(callOf())
    expect(textOf(answer)).toBe(
      `called ${JSON.stringify({ name: "refund", arguments: { amount: 5, charge: "ch_1" } })} without key`
    )
    expect(JSON.parse(service.heard[0]?.body ?? "")).toMatchObject({
      action_type: "mcp__shop__refund",
      financial_value: 5,
      target_resource: "ch_1"
    })
  })

  it("reaches the server after a person has approved exactly this call", async () => {
    answerAt("high")
    const answer = gate.ask(callOf({ amount: 7 }))
    const question = await gate.hear(isQuestion)
    expect(question["params"]).toMatchObject({
      mode: "form",
      message: expect.stringContaining("Call refund? action risk high")
    })
    const consent = {
      jsonrpc: "2.0",
      id: question["id"],
      result: { action: "accept", content: { go_ahead: true } }
    }
    gate.send(consent)
    expect(textOf(await answer)).toContain('called {"name":"refund","arguments":{"amount":7}}')

    // The same answer does not work again, neither for this call nor for another.
    gate.send(consent)
    const other = gate.ask(callOf({ amount: 7_000_000 }))
    const next = await gate.hear(isQuestion)
    gate.send(consent)
    gate.send({ jsonrpc: "2.0", id: next["id"], result: { action: "decline" } })
    expect((await other)["result"]).toMatchObject({ isError: true })
  })

  it.each([
    ["declines", { result: { action: "decline" } }],
    ["closes the question", { result: { action: "cancel" } }],
    ["accepts without a word", { result: { action: "accept" } }],
    ["accepts and says no", { result: { action: "accept", content: { go_ahead: false } } }],
    ["accepts in another type", { result: { action: "accept", content: { go_ahead: "true" } } }],
    ["cannot be asked", { error: { code: -32_601, message: "no" } }]
  ])("does not reach the server where the person %s", async (_, said) => {
    answerAt("moderate")
    const answer = gate.ask(callOf())
    const { id } = await gate.hear(isQuestion)
    gate.send({ jsonrpc: "2.0", id, ...said })
    expect((await answer)["result"]).toMatchObject({ isError: true })
  })

  it.each(["moderate", "critical"])(
    "does not reach the server at %s where the host can ask no person",
    async (level) => {
      answerAt(level)
      const answer = await mute.ask(callOf())
      expect([answer["result"].isError, textOf(answer)]).toEqual([
        true,
        expect.stringContaining(`Not called. action risk ${level}`)
      ])
    }
  )

  it("does not reach the server where the service vanishes in the middle of its answer", async () => {
    service.play((response) => {
      response.writeHead(200, { "svc-risk-opinion": "full" }).write('{"status":"completed",')
      setImmediate(() => response.destroy())
    })
    expect(textOf(await mute.ask(callOf()))).toContain("Not called. no risk opinion (UNREACHABLE)")
  })

  it("does not reach the server without an opinion", async () => {
    service.play((response) => response.writeHead(200).end("{}"))
    expect(textOf(await mute.ask(callOf()))).toContain("no risk opinion (NOT_UNDERSTOOD)")
  })

  it("is asked about with its arguments where the tool is unmapped", async () => {
    answerAt("low")
    expect(textOf(await mute.ask(callOf({ to: "acct_9" }, "payout")))).toContain("called {")
    expect(JSON.parse(service.heard[0]?.body ?? "")).toMatchObject({
      action_type: "mcp__shop__payout",
      metadata: { tool_call: { name: "mcp__shop__payout", arguments: { to: "acct_9" } } }
    })
  })

  it.each([
    [
      "repeats a key",
      '{"jsonrpc":"2.0","id":901,"method":"tools/list","method":"tools/call","params":{"name":"refund"}}'
    ],
    ["is a batch", '[{"jsonrpc":"2.0","id":902,"method":"tools/call","params":{"name":"refund"}}]'],
    ["is no JSON", "tools/call"]
  ])("does not reach the server in a message that %s", async (_, line) => {
    answerAt("low")
    mute.send(line)
    expect(await mute.hear(({ error, id }) => id === null && error !== undefined)).toMatchObject({
      error: { code: -32_700 }
    })
    expect(service.heard).toHaveLength(0)
  })

  it.each([
    ["no name", { arguments: {} }],
    ["arguments that are no object", { name: "refund", arguments: [] }]
  ])("does not reach the server with %s", async (_, params) => {
    answerAt("low")
    expect(textOf(await mute.ask({ jsonrpc: "2.0", id: ++ids, method: "tools/call", params }))).toContain(
      "was not understood"
    )
  })

  it("does not reach the server after it was cancelled, whatever the person says then", async () => {
    answerAt("moderate")
    const call = callOf({ charge: "cancelled" })
    gate.send(call)
    const { id } = await gate.hear(isQuestion)
    gate.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: call.id } })
    gate.send({ jsonrpc: "2.0", id, result: { action: "accept", content: { go_ahead: true } } })
    answerAt("low")
    await gate.ask(callOf({ charge: "later" }))
    const heard = await Promise.race([
      gate.hear((message) => message["id"] === call.id),
      Promise.resolve("nothing")
    ])
    expect(heard).toBe("nothing")
  })

  it("waits for a person where the server has changed the tool's description since it was mapped", async () => {
    writeTools({ pin: `sha256:${"0".repeat(64)}` })
    answerAt("low")
    await mute.ask({ jsonrpc: "2.0", id: ++ids, method: "tools/list" })
    expect(textOf(await mute.ask(callOf()))).toContain("has changed the tool's description")
    writeTools()
  })

  it("waits for a person where only the server says what a tool does and calls it destructive, and is no milder where it says that it reads", async () => {
    await mute.ask({ jsonrpc: "2.0", id: ++ids, method: "tools/list" })
    answerAt("low")
    expect(textOf(await mute.ask(callOf({}, "wipe")))).toContain(
      "the server says that the tool is destructive"
    )
    service.play(opinionAt("low", "provider"))
    expect(textOf(await mute.ask(callOf({}, "wipe")))).toContain("called {")
    answerAt("low")
    expect(textOf(await mute.ask(callOf({}, "look")))).toContain("called {")
    answerAt("moderate")
    expect(textOf(await mute.ask(callOf({}, "look")))).toContain("Not called. action risk moderate")
  })

  it("passes everything else on, in both directions", async () => {
    const { result } = await mute.ask({ jsonrpc: "2.0", id: "list", method: "tools/list" })
    expect(result.tools[0].name).toBe("refund")
  })
})

describe("the gate", () => {
  it("ends with its server, and ends its server with itself", async () => {
    const own = await open({})
    expect(await own.end()).toBe(0)
    const gone = lineProcess([agentProgram, "mcp", "gate", "--server", "x", "--", "/nonexistent"])
    expect(await gone.end()).toBe(2)
  })
})
