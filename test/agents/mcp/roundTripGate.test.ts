/** The gate in revision 2026-07-28, in which a question to a person is a result, and the host repeats the call with the answer. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { agentProgram } from "../../support/agentProgram.ts"
import { type LineProcess, lineProcess } from "../../support/lineProcess.ts"
import { opinionAt, type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let gate: LineProcess
let folder = ""
let ids = 0

beforeAll(async () => {
  service = await scriptedService()
  folder = mkdtempSync(join(tmpdir(), "action-risk-round-trip-"))
  const tools = { "mcp:shop/refund": { why: "refunds" }, "mcp:shop/in_two_rounds": { why: "asks back" } }
  writeFileSync(join(folder, "action-risk.tools.json"), JSON.stringify({ version: 1, tools }))
  const server = [process.execPath, join(import.meta.dirname, "../../support/echoMcpServer.ts")]
  gate = lineProcess([agentProgram, "mcp", "gate", "--server", "shop", "--config", folder, "--", ...server], {
    ACTION_RISK_URL: service.url,
    ACTION_RISK_KEY: "svc_test_x",
    HOME: folder
  })
})
afterAll(async () => {
  await gate.end()
  await service.close()
  rmSync(folder, { recursive: true })
})

const answerAt = (level: string) => service.play(opinionAt(level))

const metaOf = (clientCapabilities: object) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": clientCapabilities
})

interface Given {
  readonly name?: string
  readonly arguments?: object
  readonly [more: string]: unknown
}

const callOf = (given: Given = {}, capabilities: object = { elicitation: { form: {} } }) => ({
  jsonrpc: "2.0",
  id: ++ids,
  method: "tools/call",
  params: { _meta: metaOf(capabilities), name: "refund", arguments: { amount: 5 }, ...given }
})

const accept = { action_risk: { action: "accept", content: { go_ahead: true } } }

/** The host's part of a call that a person is asked about: the state for repeating the call. */
const asked = async (given: Given = {}): Promise<string> => {
  const { result } = await gate.ask(callOf(given))
  expect(result).toMatchObject({
    resultType: "input_required",
    inputRequests: {
      action_risk: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: expect.stringContaining("action risk moderate"),
          requestedSchema: { required: ["go_ahead"] }
        }
      }
    },
    requestState: expect.any(String)
  })
  return result.requestState
}

const notCalled = (reason: string) => ({
  resultType: "complete",
  isError: true,
  content: [{ type: "text", text: expect.stringMatching(`^Not called\\. .*${reason}`) }]
})

describe("a call in revision 2026-07-28", () => {
  beforeEach(() => answerAt("moderate"))

  it("reaches the server once a person has said to go ahead, as it was written and without the gate's own words", async () => {
    const exact = '{ "charge":"ch_1", "amount":12345678901234567890 }'
    const line = (id: number, more: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"refund","_meta":${JSON.stringify(metaOf({ elicitation: {} }))},"arguments":${exact}${more}}}`
    gate.send(line(9001, ""))
    const { result } = await gate.hear(({ id }) => id === 9001)
    gate.send(
      line(9002, `,"inputResponses":${JSON.stringify(accept)},"requestState":"${result.requestState}"`)
    )
    const called = await gate.hear(({ id }) => id === 9002)
    expect(called["result"]._meta.line).toBe(line(9002, ""))
    expect(service.heard).toHaveLength(1)
  })

  it.each([
    ["declines", { action_risk: { action: "decline" } }],
    ["closes the question", { action_risk: { action: "cancel" } }],
    ["accepts and says no", { action_risk: { action: "accept", content: { go_ahead: false } } }],
    ["accepts in another type", { action_risk: { action: "accept", content: { go_ahead: "true" } } }],
    ["answers another question", { another: { action: "accept", content: { go_ahead: true } } }],
    ["is not heard of", undefined]
  ])("does not reach the server where the person %s", async (_, inputResponses) => {
    const requestState = await asked()
    const { result } = await gate.ask(callOf({ requestState, inputResponses }))
    expect(result).toEqual(notCalled("no person approved"))
  })

  it("does not reach the server with an answer that was given before, or to another call", async () => {
    const requestState = await asked()
    const swapped = await gate.ask(
      callOf({ requestState, inputResponses: accept, arguments: { amount: 500 } })
    )
    expect(swapped["result"]).toEqual(notCalled("belongs to another call"))
    const late = await gate.ask(callOf({ requestState, inputResponses: accept }))
    expect(late["result"]).toEqual(notCalled("is no longer open"))

    const once = await asked()
    expect(
      (await gate.ask(callOf({ requestState: once, inputResponses: accept })))["result"]
    ).not.toHaveProperty("isError")
    const twice = await gate.ask(callOf({ requestState: once, inputResponses: accept }))
    expect(twice["result"]).toEqual(notCalled("is no longer open"))
  })

  it("does not reach the server with a state that the gate never gave, and a person is asked again", async () => {
    const { result } = await gate.ask(
      callOf({ requestState: "action-risk:00000000-0000-4000-8000-000000000000", inputResponses: accept })
    )
    expect(result).toEqual(notCalled("is no longer open"))
    await asked({ requestState: "forged", inputResponses: accept })
  })

  it("gives the server its own state and answers back, after the question to a person", async () => {
    answerAt("low")
    const first = await gate.ask(callOf({ name: "in_two_rounds" }))
    expect(first["result"]).toMatchObject({ resultType: "input_required", requestState: "the server's" })
    answerAt("moderate")
    const answers = { theirs: { action: "accept", content: { size: 3 } } }
    const requestState = await asked({
      name: "in_two_rounds",
      requestState: "the server's",
      inputResponses: answers
    })
    const { result } = await gate.ask(callOf({ name: "in_two_rounds", requestState, inputResponses: accept }))
    const text: string = result.content[0].text
    expect(JSON.parse(text.slice("called ".length, text.lastIndexOf(" without key")))).toMatchObject({
      requestState: "the server's",
      inputResponses: answers
    })
  })

  it.each([
    ["nothing", {}],
    ["only addresses to open", { elicitation: { url: {} } }]
  ])("does not reach the server where the host can show a person %s", async (_, capabilities) => {
    const { result } = await gate.ask(callOf({}, capabilities))
    expect(result).toEqual(notCalled("action risk moderate"))
  })
})
