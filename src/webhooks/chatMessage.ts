/** An event as a chat message for people, in the format of incoming webhooks of Slack and Teams. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { Mode } from "../domain/Caller.ts"
import { maskSecrets } from "../domain/maskSecrets.ts"
import type { WebhookEventType, WebhookFormat } from "../domain/WebhookEvent.ts"
import { onOneLine, quoted } from "../foreignText.ts"
import type { Json, JsonObject } from "../json/json.ts"
import { quotedTextMax } from "../limits.ts"
import type { AssessmentContent, DeliveredEvent } from "../storage/webhooks/ClaimedDelivery.ts"

/** Part of a sentence: our own words, or a caller's. */
interface Run {
  readonly text: string
  readonly foreign: boolean
}

interface Message {
  /** Only our own words, because notifications and lock screens show it. */
  readonly headline: string
  readonly paragraphs: ReadonlyArray<ReadonlyArray<Run>>
  /** The URL of the console's page; null if the console's address is unknown. */
  readonly url: string | null
}

const ours = (text: string): Run => ({ text, foreign: false })

/** Cards expand `{{DATE(…)}}` in every text, so two braces are separated. */
const theirs = (text: string): Run => ({
  text: onOneLine(text).replaceAll(/\{(?=\{)/g, "{ "),
  foreign: true
})

const quotation = /“([^”]*)”/

/** Our sentences put other people's texts into quotation marks, which no such text can end. */
const runsOf = (sentence: string): ReadonlyArray<Run> =>
  sentence
    .split(quotation)
    // Every second part is a captured quotation.
    .map((text, i) => (i % 2 === 1 ? theirs(text) : ours(text)))
    .filter(({ text }) => text !== "")

const firstSentence = (summary: string): string =>
  /^(?:“[^”]*”|[^“.]|\.(?! ))*/.exec(summary)?.[0].replace(/\.$/, "") ?? ""

/** The agent, its action, the place, the amount and the receiver. */
const deedOf = ({ summary }: AssessmentResponse): string => maskSecrets(`${firstSentence(summary)}.`)

const inWords = (code: string): string => code.replaceAll("_", " ").toLowerCase()

const adviceOf = ({ recommended_control: { type } }: AssessmentResponse): string =>
  `Recommended: ${inWords(type.replace(/_RECOMMENDED$/, ""))}. This is an opinion and authorizes nothing.`

const happenings: Readonly<Record<WebhookEventType, string>> = {
  "assessment.completed": "an action was assessed",
  "assessment.incomplete": "an action was assessed, and a part counts at its worst",
  "assessment.high": "an action was assessed",
  "assessment.critical": "an action was assessed",
  "review.opened": "a review is waiting for a person",
  "review.overdue": "a review is still waiting for a person",
  "review.closed": "a review was closed",
  "webhook_endpoint.disabled": "A webhook endpoint was disabled",
  ping: "A test of this webhook"
}

const aboutAssessment = (
  type: WebhookEventType,
  { actionType, assessmentId, outcome, response }: AssessmentContent
) => {
  // Invariant: this service encoded these bytes, and stored rows never change.
  const answer = JSON.parse(Buffer.from(response).toString("utf8")) as AssessmentResponse
  const { level, score } = answer.action_risk
  const closing = type === "review.closed" && outcome !== null ? ` as ${inWords(outcome)}` : ""
  const tool = quoted(maskSecrets(String(actionType)), quotedTextMax)
  return {
    headline: `${level.toUpperCase()} ${score}: ${happenings[type]}${closing}`,
    paragraphs: [
      runsOf(`${tool}: ${deedOf(answer)}`),
      [ours(adviceOf(answer))],
      [ours(`Assessment ${assessmentId}`)]
    ],
    path: `assessments/${assessmentId}`
  }
}

const aboutEndpoint = (type: WebhookEventType, data: Json) => {
  // Invariant: the statement that writes such an event writes these members.
  const { endpoint_id: id, reason } = data as JsonObject
  const why =
    reason === "gone" ? "It answered that it is gone." : "Nothing has been delivered to it for days."
  const said = type === "ping" ? "Events of this endpoint arrive here." : why
  return {
    headline: happenings[type],
    paragraphs: [[ours(said)], [ours(`Endpoint ${String(id)}`)]],
    path: `webhooks/${String(id)}`
  }
}

const messageOf = (mode: Mode, { content, type }: DeliveredEvent, consoleUrl: string | null): Message => {
  const { path, ...message } =
    content.of === "data" ? aboutEndpoint(type, content.data) : aboutAssessment(type, content)
  return { ...message, url: consoleUrl === null ? null : `${consoleUrl}/${mode}/${path}` }
}

const linkText = "Look at it in the console"

/** Rich text elements are shown literally, without formatting, mentions or links. */
const richText = (elements: ReadonlyArray<object>) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements }]
})

/** Notifications show `text`, and Slack interprets formatting in it, so it contains only our own words. */
const slackBody = ({ headline, paragraphs, url }: Message) => ({
  text: headline,
  unfurl_links: false,
  unfurl_media: false,
  blocks: [
    { type: "header", text: { type: "plain_text", text: headline, emoji: false } },
    ...paragraphs.map((runs) =>
      richText(
        runs.map(({ foreign, text }) => ({ type: "text", text, ...(foreign && { style: { code: true } }) }))
      )
    ),
    ...(url === null ? [] : [richText([{ type: "link", url, text: linkText }])])
  ]
})

/** A `TextBlock` is interpreted as Markdown, so it contains only our own words. A `TextRun` is shown literally. */
const teamsBody = ({ headline, paragraphs, url }: Message) => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.5",
        body: [
          { type: "TextBlock", text: headline, size: "Medium", weight: "Bolder", wrap: true },
          ...paragraphs.map((runs) => ({
            type: "RichTextBlock",
            inlines: runs.map(({ foreign, text }) => ({
              type: "TextRun",
              text,
              ...(foreign && { fontType: "Monospace" })
            }))
          }))
        ],
        actions: url === null ? [] : [{ type: "Action.OpenUrl", title: linkText, url }]
      }
    }
  ]
})

/** The body of a delivery to a chat. Depends on stored rows and on the address of the console. */
export const chatMessage = (
  format: Exclude<WebhookFormat, "standard">,
  mode: Mode,
  event: DeliveredEvent,
  consoleUrl: string | null
): string => {
  const message = messageOf(mode, event, consoleUrl)
  return JSON.stringify(format === "slack" ? slackBody(message) : teamsBody(message))
}
