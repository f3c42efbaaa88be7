/** The events that webhooks deliver, as sent (contract 4): their schemas, worked examples, and the `webhooks` of the OpenAPI document. */

import { Schema } from "effect"
import { actionCategories, environments } from "../domain/Action.ts"
import { disclaimer, severities } from "../domain/Opinion.ts"
import { reviewOutcomes } from "../domain/Review.ts"
import { type WebhookEventType, webhookEventTypes } from "../domain/WebhookEvent.ts"
import { webhookFactorsMax, webhookTotalMs } from "../limits.ts"
import { ActionRisk, WireBlastRadius, WireRecommendedControl } from "./AssessmentResponse.ts"
import { answerHead, IsoMillis, RequestId, Uuid } from "./Scalars.ts"
import { exampleClosing, exampleEndpoint, exampleResponse, exampleReview } from "./examples/examples.ts"

const assessmentFields = {
  assessment_id: Uuid,
  action_id: Uuid,
  request_id: RequestId,
  normalized_action_type: Schema.String,
  action_category: Schema.Literals(actionCategories),
  environment: Schema.Literals(environments),
  action_risk: ActionRisk,
  blast_radius: Schema.Struct({ score: WireBlastRadius.fields.score, level: WireBlastRadius.fields.level }),
  risk_factors: Schema.Array(Schema.Struct({ code: Schema.String, severity: Schema.Literals(severities) }))
    .check(Schema.isMaxLength(webhookFactorsMax))
    .annotate({ description: "The strongest ones, strongest first." }),
  recommended_control: Schema.Struct({
    type: WireRecommendedControl.fields.type,
    priority: WireRecommendedControl.fields.priority
  })
}

const links = {
  links: Schema.Struct({
    assessment: Schema.String.annotate({
      description: "Path of the assessment, below the service's own URL."
    })
  })
}

const reviewId = {
  review_id: Uuid.annotate({ description: "The id of the review, which is the assessment's." })
}

const AssessmentData = Schema.Struct({ ...assessmentFields, ...links }).annotate({
  identifier: "WebhookAssessmentData"
})

const OpenedReviewData = Schema.Struct({ ...assessmentFields, ...reviewId, ...links }).annotate({
  identifier: "WebhookOpenedReviewData"
})

const ClosedReviewData = Schema.Struct({
  ...assessmentFields,
  ...reviewId,
  outcome: Schema.Literals(reviewOutcomes).annotate({
    description: "The reviewer's opinion, for the record: it authorizes nothing."
  }),
  ...links
}).annotate({ identifier: "WebhookClosedReviewData" })

const DisabledEndpointData = Schema.Struct({
  endpoint_id: Uuid,
  reason: Schema.Literals(["gone", "failing"]).annotate({
    description: "`gone`: the receiver answered 410. `failing`: nothing was delivered for days."
  })
}).annotate({ identifier: "WebhookDisabledEndpointData" })

const PingData = Schema.Struct({ endpoint_id: Uuid }).annotate({ identifier: "WebhookPingData" })

const exampleAssessment = {
  assessment_id: exampleResponse.assessment_id,
  action_id: exampleResponse.action_id,
  request_id: exampleResponse.request_id,
  normalized_action_type: exampleResponse.normalized_action_type,
  action_category: exampleResponse.action_category,
  environment: exampleReview.environment,
  action_risk: exampleResponse.action_risk,
  blast_radius: { score: exampleResponse.blast_radius.score, level: exampleResponse.blast_radius.level },
  risk_factors: exampleResponse.risk_factors
    .slice(0, webhookFactorsMax)
    .map(({ code, severity }) => ({ code, severity })),
  recommended_control: {
    type: exampleResponse.recommended_control.type,
    priority: exampleResponse.recommended_control.priority
  }
}
const exampleLinks = { links: exampleReview.links }
const exampleId = exampleResponse.assessment_id.replaceAll("-", "")
const told = { ...exampleAssessment, ...exampleLinks }

/** The worked example is critical. Events of other levels use these values instead. */
const exampleLevels = {
  high: {
    ...told,
    action_risk: { score: 83, level: "high", confidence: 0.99, range: { low: 80, high: 85 } }
  },
  incomplete: {
    ...told,
    action_risk: { score: 90, level: "critical", confidence: 0.3, range: { low: 90, high: 100 } },
    risk_factors: [{ code: "ASSESSMENT_DEGRADED", severity: "high" }, ...exampleAssessment.risk_factors],
    recommended_control: { type: "HUMAN_ESCALATION_RECOMMENDED", priority: "critical" }
  }
}

interface WebhookEventOnTheWire {
  readonly data: Schema.Codec<unknown, unknown>
  /** When the event is sent. Used as its summary in the document. */
  readonly when: string
  readonly example: object
}

const onTheWire: Readonly<Record<WebhookEventType, WebhookEventOnTheWire>> = {
  "assessment.completed": { data: AssessmentData, when: "A complete assessment was answered", example: told },
  "assessment.incomplete": {
    data: AssessmentData,
    when: "An assessment was answered of which a part counts at its worst",
    example: exampleLevels.incomplete
  },
  "assessment.high": {
    data: AssessmentData,
    when: "In addition, the action risk of an assessment is at level high",
    example: exampleLevels.high
  },
  "assessment.critical": {
    data: AssessmentData,
    when: "In addition, the action risk of an assessment is at level critical",
    example: told
  },
  "review.opened": {
    data: OpenedReviewData,
    when: "A notable assessment opened a review",
    example: { ...exampleAssessment, review_id: exampleReview.id, ...exampleLinks }
  },
  "review.overdue": {
    data: OpenedReviewData,
    when: "A review stayed open past its due time; sent once for each review",
    example: { ...exampleAssessment, review_id: exampleReview.id, ...exampleLinks }
  },
  "review.closed": {
    data: ClosedReviewData,
    when: "A person closed a review",
    example: {
      ...exampleAssessment,
      review_id: exampleReview.id,
      outcome: exampleClosing.outcome,
      ...exampleLinks
    }
  },
  "webhook_endpoint.disabled": {
    data: DisabledEndpointData,
    when: "Another endpoint of the organization was disabled",
    example: { endpoint_id: exampleEndpoint.id, reason: "failing" }
  },
  ping: { data: PingData, when: "A test was asked for", example: { endpoint_id: exampleEndpoint.id } }
}

/** `AssessmentCritical` for `assessment.critical`. */
const pascal = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const schemaName = (type: WebhookEventType): string => `WebhookEvent${pascal(type)}`

const eventSchema = (type: WebhookEventType) =>
  Schema.Struct({
    id: Schema.String.check(Schema.isPattern(/^evt_[0-9a-f]{32}(?:_[a-z]+)?$/u)).annotate({
      description: "The event's id, the same at every attempt and redelivery; also in `webhook-id`."
    }),
    type: Schema.Literal(type),
    timestamp: IsoMillis.annotate({ description: "When the event happened." }),
    ...answerHead,
    data: onTheWire[type].data,
    disclaimer: Schema.String
  }).annotate({ identifier: schemaName(type) })

/** The schema of each event's body. */
export const webhookEventSchemas = webhookEventTypes.map((type) => [type, eventSchema(type)] as const)

/** The body of an event of this type, about the worked example. */
export const exampleWebhookEvent = (type: WebhookEventType) => ({
  id: /^(?:assessment|review)\./.test(type) ? `evt_${exampleId}_${type.split(".")[1]}` : `evt_${exampleId}`,
  type,
  timestamp: type === "review.closed" ? exampleReview.closed_at : exampleResponse.created_at,
  api_version: "v1" as const,
  environment_mode: exampleResponse.environment_mode,
  data: onTheWire[type].example,
  disclaimer
})

const header = (name: string, schema: object, example: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", ...schema },
  example
})

const headersOf = (type: WebhookEventType) => [
  header(
    "webhook-id",
    {},
    exampleWebhookEvent(type).id,
    "The event's id: ignore an event whose id you have stored."
  ),
  header(
    "webhook-timestamp",
    { pattern: "^[0-9]+$" },
    "1795167001",
    "When this attempt was made, in seconds since 1970."
  ),
  header(
    "webhook-signature",
    { pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$" },
    `v1,${"A".repeat(43)}=`,
    "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, keyed with the base64 after `whsec_` of the endpoint's secret. Several with spaces between while a secret is rotated."
  ),
  header("user-agent", {}, "action-risk-webhooks/1", "The sender.")
]

const webhookOf = (type: WebhookEventType) => ({
  post: {
    operationId: `on${pascal(type)}`,
    summary: onTheWire[type].when,
    description:
      "Sent to every endpoint that names this event, at least once and in no particular order. Verify the signature over the bytes as they arrived before you believe them (Standard Webhooks 1.0).",
    tags: ["Webhook endpoints"],
    security: [],
    parameters: headersOf(type),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${schemaName(type)}` },
          example: exampleWebhookEvent(type)
        }
      }
    },
    responses: {
      "2XX": {
        description: `Received. Only a status from 200 to 299 within ${webhookTotalMs / 1_000} seconds is success.`
      },
      "410": { description: "The endpoint is gone: it is disabled at once, and nothing more is sent to it." },
      default: { description: "Not received: the event is sent again later." }
    }
  }
})

/** The `webhooks` of the OpenAPI document, one per event. */
export const openApiWebhooks = Object.fromEntries(webhookEventTypes.map((type) => [type, webhookOf(type)]))
