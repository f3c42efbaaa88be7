/** MCP over HTTP on `serve`: who gets access, and that it answers like the API. */

import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleRequest } from "../../../src/api/examples/examples.ts"
import { mcpRequestBytesMax } from "../../../src/limits.ts"
import { type Serving, serving } from "../../support/actionRisk.ts"
import { removeDataDirectory } from "../../support/dataDirectory.ts"
import { migratedDirectory } from "../../support/migratedDirectory.ts"

const dataDirectory = migratedDirectory()
const anonymousMax = 10
let server: Serving
let url = ""
let key = ""

beforeAll(async () => {
  const env = {
    DATA_DIR: dataDirectory,
    MCP_PORT: "0",
    MCP_ORIGINS: "https://agents.example",
    RATE_LIMIT_ANONYMOUS: String(anonymousMax)
  }
  server = await serving({ env })
  url = /MCP for agents: (\S+)/.exec(server.output().stdout)?.[1] ?? ""
  key = /svc_test_\w+/.exec(server.output().stdout)?.[0] ?? ""
}, 90_000)
afterAll(async () => {
  server.signal("SIGTERM")
  await server.finished
  removeDataDirectory(dataDirectory)
})

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

const post = (method: string, params: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...("name" in params && { "mcp-name": String(params.name) }),
      authorization: `Bearer ${key}`,
      ...headers
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params } })
  })

// Each test looks into the answer itself.
// oxlint-disable-next-line typescript/no-explicit-any
const resultOf = async (response: Response): Promise<Record<string, any>> => {
  expect(response.status).toBe(200)
  // oxlint-disable-next-line typescript/no-explicit-any
  const { result } = (await response.json()) as { result: Record<string, any> }
  return result
}

const asking = { name: "assess_action", arguments: exampleRequest }

describe("MCP over HTTP", () => {
  it("answers with the opinion of the API, and remembers it there", async () => {
    const { structuredContent } = await resultOf(await post("tools/call", asking))
    expect(structuredContent).toMatchObject({
      opinion: "full",
      assessment: { disclaimer: expect.any(String), environment_mode: "test" }
    })
    const listing = { name: "list_assessments", arguments: {} }
    const listed = await resultOf(await post("tools/call", listing))
    expect(listed.structuredContent.data[0].assessment_id).toBe(structuredContent.assessment.assessment_id)
  })

  it("gives no opinion for an invalid key, and names the scope that a key lacks", async () => {
    const none = await resultOf(await post("tools/call", asking, { authorization: "Bearer svc_test_none" }))
    expect(none.isError).toBe(true)
    expect(JSON.stringify(none.content)).toMatch(/INVALID_API_KEY.*Hand this action over to a person/)
    const { assessment } = (await resultOf(await post("tools/call", asking))).structuredContent
    const explaining = { name: "explain_assessment", arguments: { assessment_id: assessment.assessment_id } }
    const unexplained = await resultOf(await post("tools/call", explaining))
    expect([unexplained.isError, JSON.stringify(unexplained.content)]).toEqual([
      true,
      expect.stringContaining("INSUFFICIENT_SCOPE")
    ])
  })

  it.each([{ authorization: "" }, { authorization: "Basic eA==" }])(
    "lets no caller in with %o",
    async (headers) => {
      const response = await post("tools/list", {}, headers)
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    }
  )

  it.each([
    ["https://agents.example", 200],
    ["https://other.example", 403]
  ])("lets pages of %s in with %i", async (origin, status) => {
    expect(await withOrigin(origin)).toBe(status)
  })

  it("takes no request that is longer than a question can be", async () => {
    const long = { name: "assess_action", arguments: { action_description: "x".repeat(mcpRequestBytesMax) } }
    const response = await post("tools/call", long)
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32_700 } })
  })
})

describe("a stranger with invalid keys", () => {
  /** Enough to use up the window even if a new one begins meanwhile. */
  const flood = (more?: Readonly<Record<string, string>>) =>
    Promise.all(
      Array.from({ length: 3 * anonymousMax }, (_, i) => askAs("127.0.0.2", `svc_test_none${i}`, more))
    )

  it("uses up the window of no other address, neither here nor at the API", async () => {
    expect((await flood()).join()).toContain("RATE_LIMITED")
    expect(await askAs("127.0.0.1", "svc_test_unknown")).toContain("INVALID_API_KEY")
    const api = /listening on (\S+)/.exec(server.output().stdout)?.[1] ?? ""
    const unknown = { authorization: "Bearer svc_test_unknown" }
    expect((await fetch(`${api}/api/v1/actions`, { headers: unknown })).status).toBe(401)
  })

  it("cannot say whose question it asks", async () => {
    const names = ["action-risk-mcp-client", "action-risk-on-behalf-of", "x-forwarded-for"]
    const others = Object.fromEntries(names.map((name) => [name, "127.0.0.9"]))
    expect((await flood(others)).join()).toContain("RATE_LIMITED")
  })
})

/** A request from another address of this machine. */
const askAs = (
  localAddress: string,
  as: string,
  more: Readonly<Record<string, string>> = {}
): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...more,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": asking.name,
      authorization: `Bearer ${as}`
    }
    const sent = request(url, { method: "POST", headers, localAddress }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece))
      response.once("end", () => resolve(text))
    })
    sent.once("error", reject)
    const params = { _meta: meta, ...asking }
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }))
  })

/** `fetch` sets the header itself. */
const withOrigin = (origin: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      origin,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
      authorization: `Bearer ${key}`
    }
    const sent = request(url, { method: "POST", headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.once("error", reject)
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }))
  })
