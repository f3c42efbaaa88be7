/** The `webhooks` of the OpenAPI document: its description of each event matches what the service sends. */

import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/api/Api.ts"
import { exampleResponse, exampleReview } from "../../src/api/examples/examples.ts"
import { exampleWebhookEvent, openApiWebhooks, webhookEventSchemas } from "../../src/api/webhookEvents.ts"
import { type WebhookEventType, webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import type { DeliveredEvent } from "../../src/storage/webhooks/ClaimedDelivery.ts"
import { webhookPayload } from "../../src/webhooks/deliver.ts"

// The document is JSON; Effect's type for it does not know `webhooks`.
const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "openapi")
const problemsOf = (type: WebhookEventType, payload: unknown) => {
  const pointer = document.webhooks[type].post.requestBody.content["application/json"].schema.$ref
  const validate = ajv.getSchema(`openapi${pointer}`)
  expect(validate).toBeDefined()
  validate?.(payload)
  return validate?.errors ?? []
}

const dataOf: Partial<Record<WebhookEventType, { readonly endpoint_id: string; readonly reason?: string }>> =
  {
    "webhook_endpoint.disabled": { endpoint_id: exampleResponse.action_id, reason: "gone" },
    ping: { endpoint_id: exampleResponse.action_id }
  }

/** The body that the service sends for the worked example, or for an endpoint. */
const sent = (type: WebhookEventType): unknown => {
  const data = dataOf[type]
  const { environment, id, outcome } = exampleReview
  const content: DeliveredEvent["content"] =
    data === undefined
      ? {
          of: "assessment",
          assessmentId: id,
          response: Buffer.from(JSON.stringify(exampleResponse)),
          environment,
          actionType: exampleReview.action_type,
          outcome
        }
      : { of: "data", data }
  const event = exampleWebhookEvent(type)
  return JSON.parse(
    webhookPayload("test", { id: event.id, type, createdAt: new Date(event.timestamp), content })
  )
}

describe("the webhooks of the OpenAPI document", () => {
  it("are exactly the events", () => {
    expect(Object.keys(document.webhooks)).toEqual(webhookEventTypes)
  })

  it.each(webhookEventTypes)(
    "%s: the service sends what the schema says, and the example fits it",
    (type) => {
      expect(problemsOf(type, sent(type))).toEqual([])
      expect(
        problemsOf(type, document.webhooks[type].post.requestBody.content["application/json"].example)
      ).toEqual([])
      expect(problemsOf(type, { ...(sent(type) as object), type: "other" })).not.toEqual([])
    }
  )

  it.each(webhookEventSchemas)(
    "%s: the service sends nothing that the schema does not name",
    (type, schema) => {
      const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
      expect(() => decode(sent(type))).not.toThrow()
      expect(() => decode(exampleWebhookEvent(type))).not.toThrow()
    }
  )

  it.each(["assessment.completed", "assessment.critical", "review.opened", "review.closed"] as const)(
    "%s: the example is what the service sends of the worked example",
    (type) => {
      expect(exampleWebhookEvent(type)).toEqual(sent(type))
    }
  )

  it("have the headers that docs/webhooks.md lists", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8")
    const [, table = ""] = /\| Header +\|.*\n\|[-| ]+\n((?:\|.*\n)+)/.exec(page) ?? []
    const told = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)
    for (const { post } of Object.values(openApiWebhooks)) {
      const names = post.parameters.map(({ name }) => name)
      // OpenAPI states the content type with the body.
      expect([...names, "content-type"].toSorted()).toEqual(told.toSorted())
    }
  })
})
