/**
 * The bodies that incoming webhooks of Slack and of Teams take, as far as we use them: JSON Schemas after Slack's reference of Block Kit
 * (docs.slack.dev/reference/block-kit, read in November 2026) and the published schema of Adaptive Cards 1.5
 * (adaptivecards.io/schemas/1.5.0/adaptive-card.json). Anything not listed here is an error, so that nothing is sent unread.
 */

import { Ajv2020 } from "ajv/dist/2020.js"

const text = (most: number) => ({ type: "string", minLength: 1, maxLength: most })
const link = { type: "string", pattern: "^https?://\\S+$", maxLength: 3_000 }

const object = (
  required: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>> = {}
) => ({
  type: "object",
  properties: { ...required, ...others },
  required: Object.keys(required),
  additionalProperties: false
})

const plainText = (most: number) =>
  object({ type: { const: "plain_text" }, text: text(most) }, { emoji: { type: "boolean" } })

/** Only rich text elements without side effects: no `user`, `usergroup`, `broadcast`, `emoji`. */
const richTextElement = {
  oneOf: [
    object(
      { type: { const: "text" }, text: text(3_000) },
      { style: object({}, { bold: { type: "boolean" }, code: { type: "boolean" } }) }
    ),
    object({ type: { const: "link" }, url: link }, { text: text(3_000) })
  ]
}

const section = object({
  type: { const: "rich_text_section" },
  elements: { type: "array", minItems: 1, items: richTextElement }
})

const slackMessage = object(
  {
    text: text(3_000),
    blocks: {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: {
        oneOf: [
          object({ type: { const: "header" }, text: plainText(150) }),
          object({ type: { const: "rich_text" }, elements: { type: "array", minItems: 1, items: section } })
        ]
      }
    }
  },
  { unfurl_links: { type: "boolean" }, unfurl_media: { type: "boolean" } }
)

const textRun = object(
  { type: { const: "TextRun" }, text: text(4_000) },
  { fontType: { enum: ["Default", "Monospace"] } }
)

const card = object({
  $schema: { const: "http://adaptivecards.io/schemas/adaptive-card.json" },
  type: { const: "AdaptiveCard" },
  version: { const: "1.5" },
  body: {
    type: "array",
    minItems: 1,
    items: {
      oneOf: [
        object(
          { type: { const: "TextBlock" }, text: text(4_000) },
          {
            size: { enum: ["Small", "Default", "Medium", "Large", "ExtraLarge"] },
            weight: { enum: ["Lighter", "Default", "Bolder"] },
            wrap: { type: "boolean" }
          }
        ),
        object({
          type: { const: "RichTextBlock" },
          inlines: { type: "array", minItems: 1, items: textRun }
        })
      ]
    }
  },
  actions: {
    type: "array",
    items: object({ type: { const: "Action.OpenUrl" }, title: text(200), url: link })
  }
})

/** The message around a card: "Send an Adaptive Card" of the Workflows webhook. */
const teamsMessage = object({
  type: { const: "message" },
  attachments: {
    type: "array",
    minItems: 1,
    maxItems: 1,
    items: object({
      contentType: { const: "application/vnd.microsoft.card.adaptive" },
      contentUrl: { type: "null" },
      content: card
    })
  }
})

const ajv = new Ajv2020({ allErrors: true })
const validators = { slack: ajv.compile(slackMessage), teams: ajv.compile(teamsMessage) }

/** The parts of a body that the chat would refuse; empty if it accepts the body. */
export const chatProblems = (chat: "slack" | "teams", body: string): ReadonlyArray<string> => {
  const validate = validators[chat]
  return validate(JSON.parse(body))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
