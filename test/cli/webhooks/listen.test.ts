import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { webhooksListenShape } from "../../../src/cli/webhooks/listen.ts"
import { actionRisk } from "../../support/actionRisk.ts"
import { listening, type Listening } from "../../support/listening.ts"
import { spoken } from "../../support/spoken.ts"
import { documentIn } from "../../support/verbs.ts"

const secretOf = () => `whsec_${randomBytes(32).toString("base64")}`
const secret = secretOf()

const event = (id: string) => ({
  id,
  type: "assessment.critical",
  data: {
    normalized_action_type: "payout.create",
    environment: "production",
    action_risk: { score: 90, level: "critical" },
    recommended_control: { type: "SECONDARY_APPROVAL_RECOMMENDED" },
    links: { assessment: "/api/v1/assessments/01a1faa8-096b-732a-8637-7ff3434a9d23" }
  }
})

/** Sends as the service does; resolves with the answer's status. */
const send = async (
  url: string,
  body: object | string,
  { by = secret, id = "evt_1", at = new Date() } = {}
): Promise<number> => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const { status } = await fetch(url, {
    method: "POST",
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(by).sign(id, at, text)
    },
    body: text
  })
  return status
}

let pretty: Listening
let json: Listening
let failing: Listening

beforeAll(async () => {
  ;[pretty, json, failing] = await Promise.all([
    listening([], { WEBHOOK_SECRET: secret }),
    listening(["--json", "--secret", secret]),
    listening(["--answer", "503"])
  ])
})

afterAll(async () => {
  await Promise.all([pretty, json, failing].map((one) => one.end()))
})

describe("webhooks listen", () => {
  it("shows a delivery with its level, its control, its evidence, and that it is verified", async () => {
    expect(await send(pretty.url, event("evt_1"))).toBe(204)
    const text = await pretty.printed("evt_1, verified, answered 204")
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d {2}assessment\.critical {2}CRITICAL 90 {2}payout\.create in production$/m
    )
    expect(text).toContain("SECONDARY_APPROVAL_RECOMMENDED")
    expect(text).toContain("/api/v1/assessments/01a1faa8-096b-732a-8637-7ff3434a9d23")
  })

  it("says that a delivery came before", async () => {
    await send(pretty.url, event("evt_2"), { id: "evt_2" })
    await send(pretty.url, event("evt_2"), { id: "evt_2" })
    expect(await pretty.printed("evt_2, verified, came before")).not.toContain("evt_1, verified, came before")
  })

  it("answers 401 to what is not verified, says why, and shows it all the same", async () => {
    expect(await send(pretty.url, event("evt_3"), { id: "evt_3", by: secretOf() })).toBe(401)
    await pretty.printed("evt_3, not verified: no matching signature found, answered 401")
    expect(await send(pretty.url, event("evt_4"), { id: "evt_4", at: new Date(Date.now() - 400_000) })).toBe(
      401
    )
    await pretty.printed("evt_4, not verified: message timestamp too old")
    await fetch(pretty.url, { method: "POST", body: "{}" })
    await pretty.printed("without an id, not verified: the header webhook-id is missing")
  })

  it("prints with --json one document on a line for each, of the shape that docs/cli.md promises, and nothing else", async () => {
    await send(json.url, event("evt_1"))
    await send(json.url, "no json", { by: secretOf() })
    const lines = (await json.printed(/\n.*\n/)).trimEnd().split("\n")
    const documents = lines.map((line) => documentIn(webhooksListenShape, line))
    expect(documents).toEqual([
      {
        received_at: expect.any(String),
        webhook_id: "evt_1",
        again: false,
        verified: true,
        problem: null,
        answered: 204,
        event: event("evt_1")
      },
      expect.objectContaining({ verified: false, answered: 401, event: null })
    ])
  })

  it("answers what it is told to, to rehearse failures, and says that it verifies nothing", async () => {
    expect(await send(failing.url, event("evt_1"))).toBe(503)
    await failing.printed("evt_1, not verified: no secret to verify with, answered 503")
    expect(failing.output().stderr).toBe("deliveries are not verified: give --secret or WEBHOOK_SECRET\n")
  })

  it("prints no control character of an unverified sender", async () => {
    const nasty = "\u001b[2Jpay\u0007\u202e.create"
    const { data } = event("evt_5")
    await send(
      failing.url,
      { ...event("evt_5"), type: nasty, data: { ...data, normalized_action_type: nasty } },
      { id: "evt_5" }
    )
    const text = await failing.printed("evt_5")
    expect(text).toContain("pay")
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{C}/u)
  })

  it("refuses what is larger than any delivery, and what is no POST", async () => {
    const { status } = await fetch(failing.url, { method: "POST", body: "x".repeat(70_000) })
    expect([status, (await fetch(failing.url)).status]).toEqual([413, 405])
  })

  it("ends with 0 at Ctrl-C", async () => {
    const one = await listening()
    expect(await one.end()).toBe(0)
  })

  it("says in one line that its port is taken", async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve))
    const { port } = squatter.address() as AddressInfo
    const { code, stderr, stdout } = await actionRisk(["webhooks", "listen", "--port", String(port)])
    squatter.close()
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^action-risk: cannot listen on 127\.0\.0\.1:\d+ [^\n]+; give another --port\n$/)
  })

  it.each([
    [["--port", "65536"], "--port"],
    [["--answer", "100"], "a status from 200 to 599"],
    [["--secret", "whsec_tooshort"], "a secret such as whsec_"]
  ])("is told in one line what is wrong with %j", async (args, problem) => {
    const { code, stderr, stdout } = await spoken("webhooks", "listen", ...args)
    expect([code, stdout, stderr.length]).toEqual([2, "", 1])
    expect(stderr[0]).toContain(problem)
    expect(stderr[0]).not.toContain("tooshort")
  })
})
