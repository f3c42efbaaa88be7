/** Arguments with canaries in them: none reaches a log, metric, trace or error of a running service, and the gate and the hook send only what the owner allows. */

import { Effect, Exit, Scope } from "effect"
import { randomBytes, randomInt } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { HandedExtent } from "../../src/agents/handedArguments.ts"
import { type Finished, serving } from "../support/actionRisk.ts"
import { agentProgram } from "../support/agentProgram.ts"
import { collector } from "../support/collector.ts"
import { freePort } from "../support/freePort.ts"
import { lineProcess } from "../support/lineProcess.ts"
import { ownDatabase } from "../support/ownDatabase.ts"
import { runProgram } from "../support/runProgram.ts"

const marker = (of: string) => `kanarie-${of}-${randomBytes(6).toString("hex")}`
const marks = {
  text: marker("text"),
  key: marker("key"),
  secret: marker("secret"),
  schema: marker("schema"),
  number: String(randomInt(1e14, 2e14))
} as const
type Mark = keyof typeof marks

/** The marks in a text, as written or as bytes. */
const marksIn = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  return Object.entries(marks).flatMap(([name, mark]) =>
    [mark, Buffer.from(mark).toString("hex"), Buffer.from(mark).toString("base64").slice(0, 20)].some((one) =>
      lower.includes(one.toLowerCase())
    )
      ? [name]
      : []
  )
}

const { key, number, schema, secret, text } = marks
const given = {
  comment: `${text} ${"long ".repeat(60)} ${text}`,
  sql: `DELETE FROM orders WHERE name = '${text}'`,
  command: `echo ${text}`,
  url: `https://${text}.example/${text}?q=${text}`,
  path: `/srv/${text}`,
  to: [`${text}@shop.example`, { address: `${text}@shop.example` }],
  operations: [{ op: "delete", name: text }],
  payload: JSON.stringify({ inner: text, amount: Number(number) }),
  zqx: text,
  amount: Number(number),
  password: secret,
  api_token: secret,
  [key]: true
}

const tool = {
  name: "refund",
  description: schema,
  annotations: { title: schema, destructiveHint: true },
  inputSchema: {
    type: "object",
    title: schema,
    properties: {
      zqx: { type: "string", title: schema, format: schema, description: schema, enum: [schema] }
    }
  }
}

/** Forwards requests, and records everything that the agents' programs sent. */
const listeningRelay = async (service: string) => {
  const heard: Array<string> = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    heard.push([request.url, JSON.stringify(request.headers), body.toString()].join("\n"))
    const { connection: _, host: __, ...headers } = request.headers
    const answer = await fetch(service + request.url, {
      method: request.method ?? "POST",
      headers: headers as Record<string, string>,
      body
    })
    const answered = Object.fromEntries(
      [...answer.headers].filter(
        ([name]) => !/^(?:content-(?:encoding|length)|transfer-encoding)$/.test(name)
      )
    )
    response.writeHead(answer.status, answered).end(await answer.text())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, heard, close: () => server.close().closeAllConnections() }
}

const echo = join(import.meta.dirname, "../support/echoMcpServer.ts")

/** One call through a gate and one through a hook, for an owner who allows this extent. */
const callBoth = async (extent: HandedExtent, env: Record<string, string>, home: string) => {
  const owner = join(home, ".config/action-risk")
  mkdirSync(owner, { recursive: true })
  writeFileSync(
    join(owner, "action-risk.gate.json"),
    JSON.stringify({ version: 1, arguments: extent, no_opinion: "ask_person" })
  )
  const gate = lineProcess(
    [agentProgram, "mcp", "gate", "--server", "shop", "--", process.execPath, echo, JSON.stringify([tool])],
    env
  )
  const ask = (id: number, method: string, params: object) => gate.ask({ jsonrpc: "2.0", id, method, params })
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} })
  await ask(2, "tools/list", {})
  const gated = await ask(3, "tools/call", { name: tool.name, arguments: given })
  await gate.end()
  const hooked = await runProgram(process.execPath, [agentProgram, "hook", "run", "claude-code"], {
    input: JSON.stringify({
      hook_event_name: "PreToolUse",
      session_id: extent,
      tool_use_id: extent,
      tool_name: "mcp__shop__refund",
      tool_input: given
    }),
    env
  })
  return { gated: JSON.stringify(gated), hooked: hooked.stdout }
}

/** Requests that are refused, each with marks in its arguments. */
const refused: ReadonlyArray<unknown> = [
  { action_type: 7, environment: "production", metadata: { tool_call: { name: text, arguments: given } } },
  { action_type: "refund", environment: text, metadata: { tool_call: { name: text, arguments: given } } },
  { action_type: "refund", environment: "production", metadata: text },
  { action_type: "refund", environment: "production", tool_call: { arguments: given } },
  {
    action_type: "refund",
    environment: "production",
    metadata: { tool_call: { arguments: text.repeat(4000) } }
  },
  `{"action_type":"refund","metadata":{"tool_call":{"arguments":{"a":"${text}","a":"${text}"}}}}`,
  `{"action_type":"refund","metadata":{"tool_call":{"arguments":{"a":"${text}`
]

/** Calls of other shapes, which are not errors. */
const odd: ReadonlyArray<unknown> = [
  text,
  [text],
  { name: text, arguments: text, server: text, annotations: text, input_schema: text, left_out: [text] },
  { name: text, arguments: given, annotations: { [text]: true }, input_schema: tool.inputSchema, [text]: 1 }
]

const extents = ["whole", "shape", "names"] as const

describe("arguments with canaries", () => {
  const scope = Scope.makeUnsafe()
  const home = mkdtempSync(join(tmpdir(), "action-risk-canaries-"))
  const left = new Map<HandedExtent, ReadonlyArray<string>>()
  const reasons: Array<string> = []
  const answers: Array<{ readonly status: number; readonly text: string }> = []
  let told: Readonly<Record<string, string>> = {}
  let finished: Finished

  beforeAll(async () => {
    const database = await Effect.runPromise(Scope.provide(ownDatabase, scope))
    const { close, collected, url: endpoint } = await collector()
    const adminPort = await freePort()
    const service = await serving({
      env: {
        ...database.env,
        LOG_FORMAT: "json",
        LOG_LEVEL: "trace",
        ADMIN_PORT: String(adminPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint
      }
    })
    const relay = await listeningRelay(service.url)
    const env = { HOME: home, ACTION_RISK_URL: relay.url, ACTION_RISK_KEY: database.key }
    const send = async (body: unknown) => {
      const response = await fetch(`${service.url}/api/v1/actions/assess`, {
        method: "POST",
        headers: { authorization: `Bearer ${database.key}`, "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body)
      })
      answers.push({ status: response.status, text: await response.text() })
    }
    const sendAll = async () => {
      for (const body of refused) await send(body)
      for (const call of odd)
        await send({ action_type: "refund", environment: "production", metadata: { tool_call: call } })
    }
    for (const extent of extents) {
      const from = relay.heard.length
      const { gated, hooked } = await callBoth(extent, env, home)
      reasons.push(gated, hooked)
      left.set(extent, relay.heard.slice(from))
    }
    await sendAll()
    database.proxy.setReachable(false)
    await sendAll()
    await callBoth("whole", env, home)
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    database.proxy.setReachable(true)
    relay.close()
    service.signal("SIGTERM")
    finished = await service.finished
    close()
    const traces = collected.map(({ body, path }) => `${path} ${body.toString("latin1")}`).join("\n")
    told = { log: finished.stderr, output: finished.stdout, metrics, traces }
  }, 240_000)
  afterAll(async () => {
    rmSync(home, { recursive: true, force: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("reach the service whole, except secrets, by default", () => {
    const sent = left.get("whole") ?? []
    expect(sent).toHaveLength(2)
    for (const request of sent) {
      const found = new Set(marksIn(request))
      expect([found.has("text"), found.has("key"), found.has("number"), found.has("secret")]).toEqual([
        true,
        true,
        true,
        false
      ])
    }
  })

  it.each([
    ["shape", ["key", "number"]],
    ["names", []]
  ] as const)("leave the machine as `%s` says, through the gate and the hook", (extent, allowed) => {
    const sent = left.get(extent) ?? []
    expect(sent).toHaveLength(2)
    for (const request of sent) {
      expect(request).toContain("mcp__shop__refund")
      expect(marksIn(request).filter((name) => !allowed.some((one: Mark) => one === name))).toEqual([])
    }
  })

  it("stop at a person, through the gate and the hook", () => {
    for (const reason of reasons) expect(reason).toMatch(/Not called|"permissionDecision":"(?:ask|deny)"/)
  })

  it("are not in refusals of requests, nor in answers while the database is unreachable", () => {
    const errors = answers.filter(({ status }) => status >= 400)
    expect(new Set(errors.map(({ status }) => status))).toEqual(new Set([400, 413, 422, 503]))
    expect(errors.filter((error) => marksIn(error.text).length > 0)).toEqual([])
  })

  it("are not in logs of any level, metrics, traces or other exports", () => {
    expect(finished.code).toBe(0)
    expect(told["traces"]).toContain("/v1/traces")
    expect(told["traces"]).toContain("/v1/logs")
    expect(told["metrics"]).toContain("http_server_request_duration_seconds_bucket")
    expect(told["log"]?.length).toBeGreaterThan(200)
    for (const [where, said] of Object.entries(told)) expect([where, marksIn(said)]).toEqual([where, []])
  })
})
