/** The example receiver, with requests like the service's and a stranger's; test/cli/webhooks sends real ones. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ExampleReceiver, exampleReceiver } from "../support/exampleReceiver.ts"
import { secret } from "./verifiers/deliveries.ts"

const payload = readFileSync(
  join(import.meta.dirname, "../../examples/webhook-receiver/payload.json"),
  "utf8"
)
const { id } = JSON.parse(payload)

let receiver: ExampleReceiver

beforeAll(async () => {
  receiver = await exampleReceiver(secret)
})

afterAll(() => receiver.end())

const send = async (body: string, signed = body): Promise<number> => {
  const at = new Date()
  const { status } = await fetch(receiver.url, {
    method: "POST",
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, signed)
    },
    body
  })
  return status
}

describe("examples/webhook-receiver", () => {
  it("answers 204 to what the service signed, and takes it once however often it comes", async () => {
    expect(await send(payload)).toBe(204)
    expect(await send(payload)).toBe(204)
    const text = await receiver.printed("came again and was left alone")
    expect(text.match(/critical 91: payouts\.create in production/g)).toHaveLength(1)
    expect(text).toContain("SECONDARY_APPROVAL_RECOMMENDED, see /api/v1/assessments/")
  })

  it("answers 401 to a payload that was changed on its way, and takes nothing from it", async () => {
    expect(await send(payload.replace("payouts.create", "payouts.read"), payload)).toBe(401)
    expect(await receiver.printed("not verified: ")).not.toContain("payouts.read")
  })

  it("takes no more than an event may have, and only POST", async () => {
    expect(await send("x".repeat(70_000))).toBe(413)
    expect((await fetch(receiver.url)).status).toBe(405)
  })
})
