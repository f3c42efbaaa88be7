/** No log, metric, trace or error shows what a caller sent: requests carry canaries, and the outputs are searched for them. */

import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { formatKey } from "../../src/domain/ApiKey.ts"
import { type Finished, serving } from "../support/actionRisk.ts"
import { type Collected, collector } from "../support/collector.ts"
import { freePort } from "../support/freePort.ts"
import { ownDatabase, type OwnDatabase } from "../support/ownDatabase.ts"
import { sendRaw } from "../support/rawHttp.ts"

/** Every canary has this in it, however the rest is spelled. */
const mark = "kanarie"
const canary = (name: string) => `${mark}-${name}`
const hexCanary = Buffer.from(mark).toString("hex")

const body = (more: object = {}) => ({
  action_type: canary("action_type"),
  environment: "production",
  agent_id: canary("agent_id"),
  target_system: canary("target_system"),
  target_resource: canary("target_resource"),
  destination: canary("destination"),
  action_description: canary("action_description"),
  metadata: { [canary("metadata-key")]: canary("metadata") },
  context: { [canary("context-key")]: [canary("context")] },
  ...more
})

interface Answered {
  readonly status: number
  readonly text: string
}

/** An endpoint that is never reached, its secrets, and everything that can be asked of it. */
const askOfWebhooks = async (
  ask: (path: string, init?: RequestInit) => Promise<Answered>
): Promise<ReadonlyArray<Answered>> => {
  const all = "/api/v1/webhook-endpoints"
  const send = (method: string, path: string, sent?: object) =>
    ask(path, { method, ...(sent !== undefined && { body: JSON.stringify(sent) }) })
  const url = `https://${canary("host")}.example:8443/${canary("url")}?${canary("url-query")}=1`
  const wanted = { url, events: ["ping", "assessment.completed"], description: canary("description") }
  const created = await send("POST", all, wanted)
  // While the database is down there is no endpoint; the requests to it are made all the same.
  const one = `${all}/${/"id":"([^"]+)"/.exec(created.text)?.[1] ?? canary("endpoint")}`
  const tested = await send("POST", `${one}/test`)
  const delivery = /"delivery_id":"([^"]+)"/.exec(tested.text)?.[1] ?? canary("delivery")
  return [
    created,
    tested,
    await send("POST", all, wanted),
    await send("POST", all, { ...wanted, description: canary("other") }),
    await send("POST", all, {
      url: `http://${canary("host")}.example`,
      events: [canary("event")],
      unknown: 1
    }),
    await send("PATCH", one, { description: canary("changed") }),
    await send("PATCH", one, { min_level: canary("level") }),
    await ask(`${one}/rotate-secret`, { method: "POST", headers: { "idempotency-key": canary("rotate") } }),
    await send("POST", `/api/v1/webhook-deliveries/${delivery}/redeliver`),
    await ask(`${one}/deliveries?status=${canary("status")}`),
    await ask(`${one}/deliveries`),
    await ask(one),
    await ask(all),
    await send("DELETE", one)
  ]
}

/** One request for each way into the service, with a canary wherever a caller can put one. */
const askEverything = async (url: string, key: string): Promise<ReadonlyArray<Answered>> => {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": canary("idempotency-key"),
    "user-agent": canary("user-agent"),
    cookie: `${canary("cookie")}=1`,
    referer: `https://${canary("referer")}.example`,
    "x-forwarded-for": canary("x-forwarded-for"),
    traceparent: `00-${hexCanary.padEnd(32, "0")}-${hexCanary.padEnd(16, "0").slice(0, 16)}-01`,
    tracestate: canary("tracestate"),
    "x-other": canary("header")
  }
  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const response = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } })
    return { status: response.status, text: await response.text() }
  }
  const assess = (sent: unknown, more: Record<string, string> = {}) =>
    ask(`/api/v1/actions/assess?${canary("query")}=${canary("query-value")}`, {
      method: "POST",
      body: typeof sent === "string" ? sent : JSON.stringify(sent),
      headers: more
    })
  const stranger = formatKey("test", Buffer.alloc(32, mark))
  return [
    await assess(body()),
    await assess(body()),
    await assess(body({ action_type: canary("other") })),
    await assess(body({ agent_id: 7, environment: canary("environment"), currency: canary("currency") }), {
      "idempotency-key": canary("ü")
        .normalize("NFD")
        .replace(/[^ -~]/g, ""),
      prefer: canary("prefer")
    }),
    await assess(body(), { "idempotency-key": canary("k").repeat(40) }),
    await assess(body(), { "svc-drill": canary("drill") }),
    await assess(`{"action_type": "${canary("broken")}`),
    await assess(body(), { "content-type": canary("content-type"), "idempotency-key": canary("2") }),
    await assess(body(), { authorization: `Bearer ${canary("token")}` }),
    await assess(body(), { authorization: `${canary("scheme")} x` }),
    await assess(body(), { authorization: `Bearer ${stranger}` }),
    await assess(body({ metadata: { x: "y".repeat(70_000) } })),
    await ask(`/api/v1/actions?q=${canary("q")}`),
    await ask(`/api/v1/actions?cursor=${canary("cursor")}&limit=${canary("limit")}`),
    await ask(`/api/v1/assessments/${canary("id")}`),
    await ask(`/${canary("path")}`),
    await ask("/api/v1/actions", { method: "PUT", body: canary("put") }),
    ...(await askOfWebhooks(ask))
  ]
}

/** Texts that must not be found: the canaries, as written and as bytes, and the secret part of a key. */
const leaks = (text: string, key: string) =>
  [mark, hexCanary, Buffer.from(mark).toString("base64").slice(0, 8), key.slice(9, 52)].filter((secret) =>
    text.toLowerCase().includes(secret.toLowerCase())
  )

describe.each([
  ["json", "http/json"],
  ["pretty", "http/protobuf"]
] as const)("with %s logs of every level and %s to a collector", (format, protocol) => {
  const scope = Scope.makeUnsafe()
  let key = ""
  let answers: ReadonlyArray<Answered> = []
  let metrics = ""
  let finished: Finished
  let sent: ReadonlyArray<Collected> = []

  const run = async ({ env, proxy }: OwnDatabase) => {
    const { close, collected, url: endpoint } = await collector()
    const adminPort = await freePort()
    const server = await serving({
      env: {
        ...env,
        LOG_FORMAT: format,
        LOG_LEVEL: "trace",
        // Counted here, requests go on to meet the database that is down.
        RATE_LIMIT_STORE: "memory",
        ADMIN_PORT: String(adminPort),
        TRUSTED_PROXIES: "127.0.0.1",
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=ours"
      }
    })
    const well = await askEverything(server.url, key)
    const [garbage] = await sendRaw(Number(new URL(server.url).port), `${mark} ${mark}\r\n\r\n`)
    proxy.setReachable(false)
    const away = await askEverything(server.url, key)
    answers = [...well, { status: garbage?.status ?? 0, text: garbage?.body ?? "" }, ...away]
    metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    proxy.setReachable(true)
    server.signal("SIGTERM")
    finished = await server.finished
    sent = collected
    close()
  }

  beforeAll(async () => {
    const database = await Effect.runPromise(Scope.provide(ownDatabase, scope))
    key = database.key
    await run(database)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("requests succeed, are refused in every way, and meet a database that is down", () => {
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([
      200, 201, 202, 204, 400, 401, 404, 405, 409, 413, 422, 503
    ])
  })

  it("no error echoes a value", () => {
    const errors = answers.filter(({ status }) => status >= 400)
    expect(errors.filter(({ text }) => leaks(text, key).length > 0)).toEqual([])
  })

  it("no log line, no metric and nothing that is exported has any of it", () => {
    const secrets = answers.flatMap(({ text }) => text.match(/whsec_[\w+/]+=/g) ?? [])
    expect(new Set(secrets).size).toBe(2)
    expect(finished.code).toBe(0)
    expect(finished.stdout).toMatch(/^action-risk listening on \S+\n$/)
    expect(finished.stderr.length).toBeGreaterThan(200)
    expect(leaks(finished.stderr, key)).toEqual([])
    expect(metrics).toContain("http_server_request_duration_seconds_bucket")
    expect(metrics).toContain('db_client_connection_count{db_client_connection_pool_name="test"')
    expect(leaks(metrics, key)).toEqual([])
    for (const { body, path } of sent) expect([path, leaks(body.toString("latin1"), key)]).toEqual([path, []])
    const told = [finished.stderr, metrics, ...sent.map(({ body }) => body.toString("latin1"))]
    for (const secret of secrets) for (const text of told) expect(text).not.toContain(secret.slice(6, 40))
  })

  it("traces, metrics and logs arrive, with spans named by templates", () => {
    const of = (path: string) => sent.filter((one) => one.path === path)
    const text = (path: string) =>
      of(path)
        .map(({ body }) => body.toString("latin1"))
        .join("")
    expect(sent.every(({ headers }) => headers["x-tenant"] === "ours")).toBe(true)
    for (const name of [
      "POST /api/v1/actions/assess",
      "GET /api/v1/assessments/{assessment_id}",
      "action-risk"
    ])
      expect(text("/v1/traces")).toContain(name)
    expect(text("/v1/metrics")).toContain("http.server.request.duration")
    expect(text("/v1/logs")).toContain("could not")
  })

  it.runIf(format === "json")("each line of the log about a request carries its id", () => {
    const lines = finished.stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const about = lines.filter(({ message }) =>
      /^could not (?!seal|count|claim|sweep|deliver |put |give )|^a key could not/.test(String(message))
    )
    expect(about.length).toBeGreaterThan(0)
    for (const { annotations } of about) expect(annotations.request_id).toMatch(/^req_[0-9A-Z]{26}$/)
  })
})
