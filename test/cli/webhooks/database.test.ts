/** `webhooks list`, `redeliver` and `test` with a running service, with the example receiver at the other end. */

import { Effect, Exit, type Schema, Scope } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { webhooksCreateShape } from "../../../src/cli/webhooks/create.ts"
import { webhooksListShape } from "../../../src/cli/webhooks/list.ts"
import { webhooksRedeliverShape, webhooksTestShape } from "../../../src/cli/webhooks/redeliver.ts"
import type { DeliveryStatus } from "../../../src/domain/WebhookEvent.ts"
import { type Finished, serving, type Serving } from "../../support/actionRisk.ts"
import { type ExampleReceiver, exampleReceiver } from "../../support/exampleReceiver.ts"
import { freePort } from "../../support/freePort.ts"
import { listening } from "../../support/listening.ts"
import { actionRisk as run } from "../../support/inProcess.ts"
import { ownDatabase } from "../../support/ownDatabase.ts"
import { spoken } from "../../support/spoken.ts"
import { documentIn } from "../../support/verbs.ts"

const scope = Scope.makeUnsafe()
const owner = ["--org", "acme", "--mode", "test"] as const
const id = "00000000-0000-7000-8000-000000000000"
let env: Readonly<Record<string, string>> = {}

const webhooks = (...args: ReadonlyArray<string>): Promise<Finished> => run(["webhooks", ...args], { env })

const request = readFileSync(
  join(import.meta.dirname, "../../../examples/requests/stripe-payout.json"),
  "utf8"
)

let server: Serving
let receiver: ExampleReceiver | undefined
let port = 0
let key = ""
let endpoint: { readonly id: string; readonly secret: string }
/** The delivery that a receiver refused for good. */
let dead = ""

const call = async (method: string, path: string, body?: string) => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body })
  })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return JSON.parse(await response.text())
}

const deliveries = async (status: DeliveryStatus) =>
  (await call("GET", `/api/v1/webhook-endpoints/${endpoint.id}/deliveries?status=${status}`)).data

const decoded = <S extends Schema.Codec<unknown, unknown>>(shape: S, { code, stderr, stdout }: Finished) => {
  expect([code, stderr]).toEqual([0, ""])
  return documentIn(shape, stdout)
}

const listed = async (...args: ReadonlyArray<string>) =>
  decoded(webhooksListShape, await webhooks("list", ...owner, ...args, "--json"))

beforeAll(async () => {
  const database = await Effect.runPromise(Scope.provide(ownDatabase, scope))
  ;({ env, key } = database)
  server = await serving({ env: { ...env, WEBHOOK_ALLOW_INSECURE: "loopback" } })
  port = await freePort()
}, 90_000)

afterAll(async () => {
  await receiver?.end()
  server.signal("SIGTERM")
  await server.finished
  await Effect.runPromise(Scope.close(scope, Exit.void))
}, 60_000)

describe("the operator's commands on webhooks", { timeout: 120_000 }, () => {
  it("show that there are no endpoints yet, and then one without its secret", async () => {
    expect((await webhooks("list", ...owner)).stdout).toBe(
      "no webhook endpoints of acme in test mode yet: docs/webhooks.md\n"
    )
    const url = `http://127.0.0.1:${port}/`
    endpoint = await call(
      "POST",
      "/api/v1/webhook-endpoints",
      JSON.stringify({ url, events: ["assessment.critical"], description: "a\u001b[2Jb" })
    )
    const document = await listed()
    expect(document).toMatchObject({
      organization: "acme",
      mode: "test",
      endpoints: [
        { endpoint_id: endpoint.id, url, events: ["assessment.critical"], enabled: true, deliveries: [] }
      ]
    })
    expect(JSON.stringify(document)).not.toContain("whsec_")
    const { stdout } = await webhooks("list", ...owner)
    expect(stdout).toContain(`${endpoint.id}  enabled  ${url}\n`)
    expect(stdout).toContain(
      "a\\u001b[2Jb\n  receives assessment.critical, from level low on\n  no deliveries yet\n"
    )
  })

  it("show undelivered events, and queue nothing for a disabled endpoint", async () => {
    const gone = await listening(["--answer", "410"], {}, port)
    await call("POST", "/api/v1/actions/assess", request)
    await expect.poll(() => deliveries("dead"), { timeout: 40_000 }).toHaveLength(1)
    await gone.end()
    ;[{ id: dead }] = await deliveries("dead")
    const [document, shown, ...refused] = await Promise.all([
      listed("--failed"),
      webhooks("list", ...owner, "--failed", "--endpoint", endpoint.id),
      webhooks("test", endpoint.id, ...owner),
      webhooks("redeliver", dead, ...owner),
      webhooks("redeliver", "--failed", "--endpoint", endpoint.id, ...owner)
    ])
    expect(document.endpoints[0]?.deliveries).toEqual([
      {
        delivery_id: dead,
        event_id: expect.stringMatching(/_critical$/),
        type: "assessment.critical",
        status: "dead",
        attempts: 1,
        last_status: 410,
        next_attempt_at: null,
        created_at: expect.any(String)
      }
    ])
    expect(shown.stdout).toContain(`${endpoint.id}  disabled  `)
    expect(shown.stdout).toMatch(/delivery id +status +attempts +answer +next attempt +event\n/)
    expect(shown.stdout).toMatch(new RegExp(`${dead} +dead +1 +410 +assessment\\.critical\\n`))
    expect(refused).toEqual(
      [
        `the webhook endpoint \`${endpoint.id}\` is disabled`,
        `the endpoint of the delivery \`${dead}\` is disabled`,
        `the webhook endpoint \`${endpoint.id}\` is disabled: enable it first`
      ].map((line) => ({ code: 1, stdout: "", stderr: `action-risk: ${line}\n` }))
    )
  })

  it("send all of it again once the receiver is back", async () => {
    receiver = await exampleReceiver(endpoint.secret, port)
    await call("PATCH", `/api/v1/webhook-endpoints/${endpoint.id}`, JSON.stringify({ enabled: true }))
    const failed = ["--failed", "--endpoint", endpoint.id, ...owner] as const
    const told = decoded(webhooksRedeliverShape, await webhooks("redeliver", ...failed, "--json"))
    expect(told).toEqual({ queued: [{ delivery_id: expect.any(String), redelivers: dead }], refused: [] })
    await receiver.printed(/critical 91: payouts\.create in production/)
    expect(await webhooks("redeliver", ...failed)).toEqual({
      code: 0,
      stdout: "no delivery has failed, so nothing was redelivered\n",
      stderr: ""
    })
    await expect.poll(() => deliveries("delivered"), { timeout: 40_000 }).toHaveLength(1)
    expect((await listed("--limit", "1")).endpoints[0]).toMatchObject({
      deliveries: [{ delivery_id: told.queued[0]?.delivery_id, status: "delivered", last_status: 204 }],
      more_deliveries: true
    })
  })

  it("redeliver deliveries by their ids, say who sends them, and the receiver knows them by their event", async () => {
    const { code, stderr, stdout } = await webhooks("redeliver", dead, ...owner)
    expect([code, stderr]).toEqual([
      0,
      "a running service sends it within a second; without one, it waits until a service starts\n"
    ])
    expect(stdout).toMatch(new RegExp(`^${dead} is queued again as [0-9a-f-]{36}\\n$`))
    await receiver?.printed("came again and was left alone")
  })

  it("send a ping, which the endpoint has not subscribed to", async () => {
    const told = decoded(
      webhooksTestShape,
      await run(["webhooks", "test", endpoint.id, ...owner, "--json"], { env })
    )
    expect(told.endpoint_id).toBe(endpoint.id)
    await receiver?.printed(/^ping evt_/m)
  })

  it("find nothing of another organization or mode, and nothing by what is no id", async () => {
    await run(["orgs", "create", "other"], { env })
    const other = ["--org", "other", "--mode", "test"] as const
    const live = ["--org", "acme", "--mode", "live"] as const
    const refusals = await Promise.all([
      webhooks("redeliver", dead, ...other),
      webhooks("redeliver", dead, ...live),
      webhooks("test", endpoint.id, ...other)
    ])
    const see = "see action-risk webhooks list"
    expect(refusals).toEqual(
      [
        `there is no delivery \`${dead}\` in test mode`,
        `there is no delivery \`${dead}\` in live mode`,
        `there is no webhook endpoint \`${endpoint.id}\` in test mode: ${see}`
      ].map((line) => ({ code: 1, stdout: "", stderr: `action-risk: ${line}\n` }))
    )
    expect(await run(["webhooks", "list", "--endpoint", dead, ...owner], { env })).toEqual({
      code: 1,
      stdout: "",
      stderr: `action-risk: there is no webhook endpoint \`${dead}\` in test mode: ${see}\n`
    })
  })

  it.each([
    [["redeliver", ...owner], "--failed"],
    [["redeliver", id, "--failed", "--endpoint", id, ...owner], "--failed"],
    [["redeliver", "--failed", ...owner], "together with --endpoint"],
    [["list", ...owner, "--limit", "0"], "a whole number from 1 to 1000"],
    [["test", ...owner], "Missing required argument: endpoint id"]
  ])("are told in one line how they are used: %j", async (args, problem) => {
    const { code, stderr, stdout } = await spoken("webhooks", ...args)
    expect([code, stdout, stderr.length]).toEqual([2, "", 1])
    expect(stderr[0]).toContain(problem)
  })

  it("make an endpoint for a chat, which receives reviews and is listed with its format", async () => {
    const url = "https://hooks.slack.com/services/T000/B000/0000"
    const made = decoded(
      webhooksCreateShape,
      await webhooks("create", ...owner, "--url", url, "--format", "slack", "--json")
    )
    expect(made).toMatchObject({
      url,
      format: "slack",
      events: ["review.opened", "review.overdue"],
      min_level: "low"
    })
    const document = await listed("--endpoint", made.endpoint_id)
    expect(document.endpoints).toMatchObject([{ endpoint_id: made.endpoint_id, format: "slack" }])
    expect(JSON.stringify(document)).not.toContain(made.secret)
    expect((await webhooks("list", ...owner, "--endpoint", made.endpoint_id)).stdout).toContain(
      "as messages for slack, receives review.opened, review.overdue, from level low on"
    )
    const { code, stderr, stdout } = await webhooks(
      "create",
      ...owner,
      "--url",
      url,
      "--events",
      "ping",
      "--note",
      "b"
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)])
    expect(stderr).toContain("shown this once; endpoint ")
  })

  it("make no endpoint that the API would refuse", async () => {
    const before = await listed()
    for (const [url, problem] of [
      ["http://hooks.example.com/", "url must start with https://"],
      ["https://10.0.0.1/", "url must not lead to an address outside the public internet"]
    ] as const) {
      const { code, stderr, stdout } = await webhooks("create", ...owner, "--url", url, "--format", "teams")
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toContain(problem)
    }
    const unknown = await webhooks("create", ...owner, "--url", "https://a.example/", "--events", "ping,pong")
    expect(unknown.code).toBe(2)
    expect(await listed()).toEqual(before)
  })
})
