/** The MCP gate reports the calls that it saw end to the service, with a separate key and without delaying anything. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { agentProgram } from "../../support/agentProgram.ts"
import { type LineProcess, lineProcess } from "../../support/lineProcess.ts"
import { isEvent, playAt, told } from "../../support/outcomesTold.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

const tells = { ACTION_RISK_OUTCOMES_KEY: "svc_test_tells" }

let service: ScriptedService
let folder = ""
let gate: LineProcess
let ids = 0
const opens: Array<LineProcess> = []

beforeAll(async () => {
  service = await scriptedService()
  folder = mkdtempSync(join(tmpdir(), "action-risk-outcomes-"))
  const tools = Object.fromEntries(
    ["refund", "fails", "is_unknown"].map((name) => [`mcp:shop/${name}`, { why: "a test" }])
  )
  writeFileSync(join(folder, "action-risk.tools.json"), JSON.stringify({ version: 1, tools }))
  gate = await start(tells)
})
afterAll(async () => {
  await Promise.all(opens.map((each) => each.end()))
  await service.close()
  rmSync(folder, { recursive: true })
})

const start = async (env: Readonly<Record<string, string>>): Promise<LineProcess> => {
  const server = [process.execPath, join(import.meta.dirname, "../../support/echoMcpServer.ts")]
  const started = lineProcess(
    [agentProgram, "mcp", "gate", "--server", "shop", "--config", folder, "--", ...server],
    { ACTION_RISK_URL: service.url, ACTION_RISK_KEY: "svc_test_asks", HOME: folder, ...env }
  )
  opens.push(started)
  const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } }
  await started.ask({ jsonrpc: "2.0", id: `i${++ids}`, method: "initialize", params })
  return started
}

const callOf = (name = "refund") => ({
  jsonrpc: "2.0",
  id: ++ids,
  method: "tools/call",
  params: { name, arguments: {} }
})

describe("the gate with a key for reports", () => {
  it.each([
    ["refund", "executed"],
    ["fails", "failed"],
    ["is_unknown", "failed"]
  ])("reports that the call of %s was %s, as the server said", async (name, type) => {
    playAt(service, "low")
    await gate.ask(callOf(name))
    expect(await told(service, 1)).toEqual([type])
  })

  it.each([
    ["agrees", { result: { action: "accept", content: { go_ahead: true } } }, ["executed", "person_agreed"]],
    ["declines", { result: { action: "decline" } }, ["not_executed", "person_declined"]],
    ["says nothing", { result: { action: "cancel" } }, ["not_executed", "person_absent"]],
    [
      "agrees in an answer that is an error too",
      { result: { action: "accept", content: { go_ahead: true } }, error: { code: 1, message: "x" } },
      ["not_executed", "person_absent"]
    ]
  ])("reports that a person %s", async (_, said, types) => {
    playAt(service, "moderate")
    const answer = gate.ask(callOf())
    const { id } = await gate.hear(({ method }) => method === "elicitation/create")
    gate.send({ jsonrpc: "2.0", id, ...said })
    await answer
    expect(await told(service, 2)).toEqual(types)
  })

  it("reports that a refused call was not executed", async () => {
    playAt(service, "critical")
    await gate.ask(callOf())
    expect(await told(service, 1)).toEqual(["not_executed"])
  })

  it("reports a person's answer in revision 2026-07-28", async () => {
    playAt(service, "moderate")
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} }
    }
    const ask = (more: object) => {
      const call = callOf()
      return gate.ask({ ...call, params: { ...call.params, _meta: meta, ...more } })
    }
    const { result } = await ask({})
    const answers = { action_risk: { action: "accept", content: { go_ahead: true } } }
    await ask({ requestState: result.requestState, inputResponses: answers })
    expect(await told(service, 2)).toEqual(["executed", "person_agreed"])

    playAt(service, "moderate")
    const again = await ask({})
    await ask({
      requestState: again["result"].requestState,
      inputResponses: { action_risk: { action: "decline" } }
    })
    expect(await told(service, 2)).toEqual(["not_executed", "person_declined"])
  })

  it("reports nothing without such a key", async () => {
    const silent = await start({})
    playAt(service, "low")
    await silent.ask(callOf())
    await silent.end()
    expect(service.heard.filter(isEvent)).toHaveLength(0)
  })

  it("does not delay calls while the service is slow, and still ends", async () => {
    playAt(service, "low", "never")
    const answers = await Promise.all([gate.ask(callOf()), gate.ask(callOf())])
    expect(answers.map(({ result }) => result.isError)).toEqual([undefined, undefined])
    await vi.waitUntil(() => service.heard.filter(isEvent).length === 2)
    expect(await gate.end()).toBe(0)
  })
})
