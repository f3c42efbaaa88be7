/** `webhooks create` creates an endpoint, for events or for chat messages, and prints its secret once. */

import { Effect, Layer, Option, Result } from "effect"
import { Flag } from "effect/cli"
import { Uuid } from "../../api/Scalars.ts"
import {
  type WebhookEndpointRequest as Wanted,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret
} from "../../api/Webhooks.ts"
import { objectReader } from "../../api/validation.ts"
import { AppConfig } from "../../config.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { type WebhookEventType, webhookEventTypes, webhookFormats } from "../../domain/WebhookEvent.ts"
import type { Json } from "../../json/json.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"
import { checkUrl } from "../../webhooks/egress/checkUrl.ts"
import { ownerOf, pepperedStores, Stores } from "../Stores.ts"
import { refuse } from "../commandFailures.ts"
import { databaseSettings, elseNull, flagOr, ownerFlags, textFlag, wordListFlag } from "../flags.ts"
import { members, ownerFields } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

const { created_at, description, enabled, events, format, min_level, secret, url } =
  WebhookEndpointWithSecret.fields

export const webhooksCreateShape = members(
  {
    ...ownerFields,
    id: Uuid,
    url,
    format,
    events,
    min_level,
    enabled,
    description,
    created_at,
    secret
  },
  { id: "endpoint_id" }
)

const defaultEvents: ReadonlyArray<WebhookEventType> = ["review.opened", "review.overdue"]

const readWanted = objectReader(WebhookEndpointRequest)

/** The fields, validated like in the API. */
const checked = Effect.fnUntraced(function* (fields: {
  readonly [field: string]: Json
  readonly url: string
}) {
  const { webhookAllowInsecure: allowInsecure } = yield* AppConfig
  const read = readWanted(fields, true)
  const problems = [
    ...(Result.isFailure(read) ? read.failure.map(({ field, message }) => `${field} ${message}`) : []),
    ...Option.toArray(Result.getFailure(checkUrl(fields.url, { allowInsecure }))).map((why) => `url ${why}`)
  ]
  if (Result.isSuccess(read) && problems.length === 0) return read.success satisfies Wanted
  return yield* refuse(`no endpoint was created: ${problems.join("; ")}`)
})

export const createWebhook = verb({
  about: "Create a webhook endpoint and print its secret, which is never shown again",
  takes: {
    ...ownerFlags,
    url: textFlag("url", "https://…").pipe(
      Flag.withDescription("The address to post to; other users of the machine can see it while this runs")
    ),
    format: flagOr(
      Flag.Literals("format", webhookFormats),
      "standard",
      "The event itself, or a message for people in a chat (default: standard)"
    ),
    events: flagOr(
      wordListFlag("events", webhookEventTypes),
      defaultEvents,
      `The events that it receives (default: ${defaultEvents.join(",")})`
    ),
    minLevel: flagOr(
      Flag.Literals("min-level", actionRiskLevels),
      "low",
      "Only assessments at this level or above (default: low)"
    ),
    note: elseNull(textFlag("note", "text"), "A note for people; never sent")
  },
  prints: webhooksCreateShape,
  fails:
    "there is no such organization, the API would refuse the endpoint, or the organization has reached its limit of endpoints",
  reads: `${databaseSettings}, \`WEBHOOK_ALLOW_INSECURE\` and, with an external database, \`KEY_PEPPER\``,
  examples: {
    "--org acme --mode live --format slack --url https://hooks.slack.com/services/T000/B000/0000":
      "Reviews in a Slack channel, and a reminder of those that stay open",
    "--org acme --mode live --url https://hooks.example.com/risk --events assessment.critical --json":
      "Signed events for a program"
  },
  run: Effect.fnUntraced(function* ({ events, format, minLevel, mode, note: description, org, url }) {
    const fields = yield* checked({ url, format, events, min_level: minLevel, description })
    const { body } = yield* Effect.gen(function* () {
      const owner = yield* ownerOf(org, mode)
      const call = { caller: owner, requestId: "", idempotencyKey: null }
      return yield* Endpoints.use(({ create }) => create(call, fields)).pipe(
        Effect.mapError(({ message }) => refuse(message))
      )
    }).pipe(Effect.provide(Endpoints.layer.pipe(Layer.provide(pepperedStores), Layer.provideMerge(Stores))))
    // Invariant: `create` wrote it.
    const made = JSON.parse(body) as WebhookEndpointWithSecret
    return {
      json: () => ({ ...made, organization: org, mode }),
      text: () => made.secret,
      note: `shown this once; endpoint ${made.id} receives ${made.events.join(", ")}: try it with action-risk webhooks test ${made.id} --org ${org} --mode ${mode}`
    }
  })
})
