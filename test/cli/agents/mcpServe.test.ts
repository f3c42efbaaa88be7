/** `action-risk mcp serve` as the process that a host starts, spoken to in lines of JSON-RPC. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  exampleEvidence,
  exampleList,
  exampleRequest,
  exampleResponse
} from "../../../src/api/examples/examples.ts"
import { type LineProcess, lineProcess } from "../../support/lineProcess.ts"
import { type ScriptedService, scriptedService } from "../../support/scriptedService.ts"

let service: ScriptedService
let server: LineProcess

const initialize = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}

beforeAll(async () => {
  service = await scriptedService()
  server = lineProcess(["bin/action-risk.js", "mcp", "serve"], {
    ACTION_RISK_URL: service.url,
    ACTION_RISK_KEY: "svc_test_x"
  })
  await server.ask(initialize)
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" })
})
afterAll(async () => {
  await server.end()
  await service.close()
})

let asked = 100
const ask = (method: string, params: object) => server.ask({ jsonrpc: "2.0", id: ++asked, method, params })

const call = (id: number, args: unknown) =>
  server.ask({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "assess_action", arguments: args }
  })

describe("mcp serve", () => {
  it("offers the question with the schemas of the API, and two tools that only read", async () => {
    const { result } = await server.ask({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const [tool] = result.tools
    expect(tool).toMatchObject({
      name: "assess_action",
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false
      },
      inputSchema: { type: "object", required: ["action_type", "environment"], additionalProperties: false },
      outputSchema: { type: "object" }
    })
    expect(result.tools.map((one: typeof tool) => [one.name, one.annotations.readOnlyHint])).toEqual([
      ["assess_action", false],
      ["explain_assessment", true],
      ["list_assessments", true]
    ])
  })

  it("answers with the opinion of the service", async () => {
    service.play((response) =>
      response
        .writeHead(200, { "content-type": "application/json", "svc-risk-opinion": "full" })
        .end(JSON.stringify(exampleResponse))
    )
    const { result } = await call(2, exampleRequest)
    expect(result.isError).not.toBe(true)
    expect(result.structuredContent).toEqual({ opinion: "full", assessment: exampleResponse })
  })

  it("answers with an error that says to hand over where there is no opinion", async () => {
    service.play((response) => response.writeHead(200).end("{}"))
    const { result } = await call(3, exampleRequest)
    expect(result).toMatchObject({ isError: true })
    expect(result).not.toHaveProperty("structuredContent")
    expect(JSON.stringify(result.content)).toContain("Hand this action over to a person")
  })

  it("says that the service cannot be reached where a connection ends", async () => {
    service.play((response) => response.destroy())
    const { result } = await call(5, exampleRequest)
    expect(JSON.stringify(result.content)).toContain("UNREACHABLE")
  })

  it("lists and explains with the key that it was started with, and says why if it cannot", async () => {
    service.play((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(exampleList))
    )
    const listing = { name: "list_assessments", arguments: { level: "high", limit: 5 } }
    const { result } = await ask("tools/call", listing)
    expect(result.structuredContent).toEqual(exampleList)
    expect(service.heard[0]).toMatchObject({
      url: "/api/v1/actions?limit=5&level=high",
      headers: { authorization: "Bearer svc_test_x" }
    })
    service.play((response) => response.destroy())
    const assessment_id = exampleResponse.assessment_id
    const explaining = { name: "explain_assessment", arguments: { assessment_id } }
    const explained = await ask("tools/call", explaining)
    expect(explained["result"]).toMatchObject({ isError: true })
    expect(JSON.stringify(explained["result"].content)).toContain("UNREACHABLE")
    expect(service.heard[0]?.url).toBe(`/api/v1/assessments/${assessment_id}/explanation`)
  })

  it.each([
    ["levels", '["low","moderate","high","critical"]'],
    ["controls", '["NO_ADDITIONAL_CONTROL_RECOMMENDED",'],
    ["request-fields", '"action_type"']
  ])("has a resource that says what %s there are", async (name, text) => {
    const { result } = await ask("resources/read", { uri: `action-risk://${name}` })
    expect(result.contents[0].text).toContain(text)
  })

  it("has each assessment as a resource", async () => {
    service.play((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(exampleEvidence))
    )
    const { assessment_id: id } = exampleEvidence
    const { result } = await ask("resources/read", { uri: `action-risk://assessments/${id}` })
    expect(JSON.parse(result.contents[0].text)).toEqual(exampleEvidence)
    expect(service.heard[0]?.url).toBe(`/api/v1/assessments/${id}`)
    const { result: templates } = await ask("resources/templates/list", {})
    expect(JSON.stringify(templates)).toContain("action-risk://assessments/{")
  })

  it("names what is wrong with arguments, and sends no request", async () => {
    service.play(() => {})
    const { result } = await call(4, { ...exampleRequest, enviroment: "production" })
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result.content)).toContain("enviroment")
    expect(service.heard).toHaveLength(0)
  })
})
