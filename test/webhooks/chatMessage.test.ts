/** A chat message is valid for its chat, says what the agent wanted to do, and keeps foreign text inert. */

import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { exampleRequest, exampleResponse } from "../../src/api/examples/examples.ts"
import { webhookEventTypes, type WebhookEventType } from "../../src/domain/WebhookEvent.ts"
import type { DeliveredEvent } from "../../src/storage/webhooks/ClaimedDelivery.ts"
import { chatMessage } from "../../src/webhooks/chatMessage.ts"
import { chatProblems } from "../support/chatSchemas.ts"

const chats = ["slack", "teams"] as const
const consoleUrl = "https://console.example"
const id = "01928c5e-0000-7000-8000-000000000001"

interface RichText {
  readonly elements: ReadonlyArray<{
    readonly elements: ReadonlyArray<{ readonly text: string; readonly style?: { readonly code?: boolean } }>
  }>
}

interface Told {
  readonly type?: WebhookEventType
  readonly actionType?: string
  readonly answer?: Partial<AssessmentResponse>
}

const eventOf = ({
  actionType = "stripe.create_refund",
  answer,
  type = "review.opened"
}: Told): DeliveredEvent => ({
  id: "evt_01928c5e000070008000000000000001_opened",
  type,
  createdAt: new Date("2026-11-22T01:02:03.456Z"),
  content:
    type === "ping" || type === "webhook_endpoint.disabled"
      ? { of: "data", data: { endpoint_id: id, reason: "failing" } }
      : {
          of: "assessment",
          assessmentId: id,
          response: Buffer.from(JSON.stringify({ ...exampleResponse, ...answer })),
          environment: "production",
          actionType,
          outcome: type === "review.closed" ? "risk_rejected" : null
        }
})

const bodyOf = (chat: "slack" | "teams", told: Told, url: string | null = consoleUrl): string =>
  chatMessage(chat, "live", eventOf(told), url)

/** Every `text`, `title` and `url` of a message, with the type of the element that it is in. */
const textsOf = (value: unknown, found: Array<readonly [type: string, text: string]> = []) => {
  if (Array.isArray(value)) for (const one of value) textsOf(one, found)
  else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      const type = "type" in value ? String(value.type) : "message"
      if (typeof one === "string" && ["text", "title", "url"].includes(name))
        found.push([`${type}.${name}`, one])
      else textsOf(one, found)
    }
  }
  return found
}

const readable = (body: string): string =>
  textsOf(JSON.parse(body))
    .map(([, text]) => text)
    .join("")

describe("docs/webhooks.md", () => {
  it("shows the chat message about the worked example", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8")
    const { blocks } = JSON.parse(bodyOf("slack", { actionType: exampleRequest.action_type }))
    const [header, deed, advice] = blocks
    const lineOf = ({ elements: [section] }: RichText) =>
      section?.elements.map(({ style, text }) => (style?.code === true ? `\`${text}\`` : text)).join("")
    for (const line of [`**${header.text.text}**`, lineOf(deed), lineOf(advice)])
      expect(page).toContain(`> ${line}\n`)
  })
})

describe.each(chats)("a message for %s", (chat) => {
  it.each(webhookEventTypes)("is one that the chat takes, of %s", (type) => {
    expect(chatProblems(chat, bodyOf(chat, { type }))).toEqual([])
    expect(chatProblems(chat, bodyOf(chat, { type }, null))).toEqual([])
  })

  it("says level, tool, deed, amount, receiver, control, and where to look", () => {
    const body = bodyOf(chat, {
      answer: {
        action_risk: { score: 92, level: "critical", confidence: 0.9, range: { low: 90, high: 95 } },
        summary:
          "“refund-agent” wants to create refund (“rf. 7 of 9”) in production, 1,000.5 EUR, to “ACC-991”. Action risk is critical (92 of 100).",
        recommended_control: { type: "SECONDARY_APPROVAL_RECOMMENDED", priority: "critical", because: [] }
      }
    })
    const text = readable(body)
    expect(text).toContain("CRITICAL 92: a review is waiting for a person")
    expect(text).toContain(
      "stripe.create_refund: refund-agent wants to create refund (rf. 7 of 9) in production, 1,000.5 EUR, to ACC-991."
    )
    expect(text).not.toContain("92 of 100")
    expect(text).toContain("Recommended: secondary approval.")
    expect(textsOf(JSON.parse(body))).toContainEqual([
      chat === "slack" ? "link.url" : "Action.OpenUrl.url",
      `${consoleUrl}/live/assessments/${id}`
    ])
    expect(text).toContain(id)
  })

  it("says in which way a review was closed, and that a reminder is one", () => {
    expect(readable(bodyOf(chat, { type: "review.closed" }))).toContain(
      "a review was closed as risk rejected"
    )
    expect(readable(bodyOf(chat, { type: "review.overdue" }))).toContain(
      "a review is still waiting for a person"
    )
  })

  it("holds no link where the console's address is unknown, and still the id", () => {
    const body = bodyOf(chat, {}, null)
    expect(textsOf(JSON.parse(body)).filter(([name]) => name.endsWith(".url"))).toEqual([])
    expect(body).toContain(id)
  })

  it("masks what looks like a secret", () => {
    const secret = "sk-abcdef0123456789abcdef"
    const summary = `“a” wants to execute command (“curl -H 'Authorization: Bearer ${secret}'”) in production. More.`
    const body = bodyOf(chat, { actionType: `curl --token ${secret}`, answer: { summary } })
    expect(body).not.toContain("abcdef01234")
    expect(readable(body)).toContain("Bearer *****")
  })

  it("shows foreign text only where the chat reads no marks, mentions, links or functions", () => {
    const hostile = [
      "<!channel>",
      "<!here|@here>",
      "<@U012AB3CD>",
      "<https://evil.example|sign in>",
      "[sign in](https://evil.example)",
      "*bold* _it_ ~st~ `code`",
      "<at>everyone</at>",
      "{{DATE(2026-01-01T00:00:00Z)}}",
      "@channel",
      "a\nb\u202ec"
    ]
    const foreign = fc
      .array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join(""))
    const claim = fc.property(foreign, foreign, (actionType, quoted) => {
      const shown = quoted.replaceAll("\n", "")
      const body = bodyOf(chat, {
        actionType,
        answer: { summary: `“a” wants to delete file (“${shown}”) in production. Action risk is high.` }
      })
      expect(chatProblems(chat, body)).toEqual([])
      const read = textsOf(JSON.parse(body)).filter(([type]) => !["text.text", "TextRun.text"].includes(type))
      // Only our own text uses markup, whatever the request contains.
      expect(read).toEqual(
        textsOf(JSON.parse(bodyOf(chat, {}))).filter(
          ([type]) => !["text.text", "TextRun.text"].includes(type)
        )
      )
      expect(body).not.toContain("{{")
      expect(body).not.toContain("\u202e")
    })
    fc.assert(claim, { numRuns: 100 })
  })

  it("is short, whatever was asked", () => {
    const longest = "\u{1F600}".repeat(200)
    expect(bodyOf(chat, { actionType: longest, answer: { summary: longest } }).length).toBeLessThan(3_000)
  })
})
