/** Adds what schemas cannot express to the generated OpenAPI document: headers, examples, transport errors. */

import { type ErrorCode, errorCodes } from "../domain/ErrorCode.ts"
import { isRecord } from "../json/json.ts"
import { listLimitDefault, listLimitMax } from "../limits.ts"
import { errorEnvelope, type Failure, failures, transportFailures } from "./Failures.ts"
import {
  exampleChanges,
  exampleClosing,
  exampleDeliveryList,
  exampleEndpoint,
  exampleEndpointList,
  exampleEndpointRequest,
  exampleEndpointWithSecret,
  exampleEvidence,
  exampleList,
  exampleQueued,
  exampleRequest,
  exampleResponse,
  exampleReview,
  exampleReviewList,
  exampleStatus,
  exampleToolCall
} from "./examples/examples.ts"
import { consideredExamples, ruleParameters } from "./examples/explanationExamples.ts"
import { outcomeOperations } from "./examples/outcomeExamples.ts"
import { headerComponents, responseHeadersOf } from "./responseHeaders.ts"
import { exampleStatistics } from "./Statistics.ts"
import { openApiWebhooks } from "./webhookEvents.ts"

type Node = Record<string, unknown>

const nodes = (value: unknown): Array<[string, Node]> =>
  isRecord(value) ? Object.entries(value).filter((entry): entry is [string, Node] => isRecord(entry[1])) : []

const parameterExamples: Readonly<Record<string, unknown>> = {
  "idempotency-key": "OPS-1842-export-1",
  prefer: "handling=strict",
  // The only drill that still gives an opinion. Some tools copy examples into real requests.
  "svc-drill": "slow",
  "last-event-id": "1842",
  "if-none-match": '"3q2-7wAAAAAAAAAAAAAAAA"',
  assessment_id: exampleResponse.assessment_id,
  limit: exampleList.data.length,
  cursor: exampleList.next_cursor,
  q: "salesforce",
  level: "high,critical",
  assessment_status: "complete",
  environment: exampleRequest.environment,
  category: exampleResponse.action_category,
  agent_id: exampleRequest.agent_id,
  action_type: exampleRequest.action_type,
  factor: exampleResponse.risk_factors[0].code,
  has_review: "true",
  outcome: exampleReview.outcome,
  from: exampleStatistics.from,
  to: exampleStatistics.to,
  by: exampleStatistics.by.join(","),
  state: "open",
  review_id: exampleResponse.assessment_id,
  endpoint_id: exampleEndpoint.id,
  delivery_id: exampleQueued.delivery_id,
  status: "dead",
  ...ruleParameters
}

/** The generated schema of a query parameter is a string. This one states that the string must be an integer. */
const limitSchema = { type: "integer", minimum: 1, maximum: listLimitMax, default: listLimitDefault }

/** Moves the description from the schema to the parameter, where OpenAPI tools show it. */
const completeParameter = (parameter: Node): Node => {
  const { description, ...schema } = isRecord(parameter.schema) ? parameter.schema : {}
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    schema: parameter.name === "limit" ? limitSchema : schema,
    example: parameterExamples[String(parameter.name)]
  }
}

/** Requests that Node's HTTP parser rejects give MALFORMED_JSON too, for every operation. */
const transportErrors: Readonly<Record<string, string>> = {
  "408": "The request took too long to arrive; it can be sent again.",
  "417": "The request expects something other than 100-continue.",
  "431": "The request's header fields are too large or too many."
}

const codes = Object.keys(errorCodes) as Array<ErrorCode>

const details = [{ field: "environment", message: "is required" }]

const exampleOf = (summary: string, failure: Failure) => ({
  summary,
  value: errorEnvelope(failure, exampleResponse.request_id, "https://risk.example")
})

const transportExamples = Object.entries(transportFailures).map(([status, failure]) => [
  `${failure.code}.${status}`,
  exampleOf(transportErrors[status] ?? errorCodes[failure.code].meaning, failure)
])

const errorExamples = Object.fromEntries([
  ...codes.map((code) => [
    code,
    exampleOf(errorCodes[code].meaning, new failures[code]({ details, retryAfterSeconds: 1 }))
  ]),
  ...transportExamples
])

const codesOf = (media: Node): ReadonlyArray<ErrorCode> =>
  codes.filter((code) => JSON.stringify(media.schema).includes(`/Error_${code}"`))

const isSuccess = (status: string): boolean => status.startsWith("2")

/** `readsBody`: whether the operation reads a body. A 400 can be about JSON only if it does. */
const withExamples = (operationId: string, status: string, media: Node, readsBody: boolean): Node => {
  if (isSuccess(status))
    return { ...media, examples: { default: { value: operationExamples[operationId]?.answer } } }
  const transport = status in transportFailures && !(status === "400" && readsBody)
  const examples = codesOf(media).map((code) => [
    code,
    { $ref: `#/components/examples/${transport ? `${code}.${status}` : code}` }
  ])
  return { ...media, examples: Object.fromEntries(examples) }
}

const completeResponse = (operationId: string, status: string, response: Node, readsBody: boolean): Node => ({
  ...response,
  description: isSuccess(status)
    ? operationExamples[operationId]?.success
    : status === "304"
      ? "Nothing changed since the given tag."
      : String(response.description).replaceAll(" | ", " Or: "),
  headers: responseHeadersOf(operationId, status),
  ...(isRecord(response.content) && {
    content: Object.fromEntries(
      nodes(response.content).map(([type, media]) => [
        type,
        withExamples(operationId, status, media, readsBody)
      ])
    )
  })
})

const completeOperation = (operation: Node): Node => {
  const operationId = String(operation.operationId)
  const responses = isRecord(operation.responses) ? operation.responses : {}
  const transport = Object.entries(transportErrors).map(([status, description]) => [
    status,
    { ...(isRecord(responses["400"]) && responses["400"]), description }
  ])
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
  return {
    ...operation,
    parameters: parameters.filter(isRecord).map(completeParameter),
    ...(isRecord(operation.requestBody) && {
      requestBody: {
        ...operation.requestBody,
        content: Object.fromEntries(
          nodes(operation.requestBody.content).map(([type, media]) => [
            type,
            { ...media, ...requestExamples(operationId) }
          ])
        )
      }
    }),
    responses: Object.fromEntries(
      nodes({ ...responses, ...Object.fromEntries(transport) }).map(([status, response]) => [
        status,
        completeResponse(operationId, status, response, "413" in responses)
      ])
    )
  }
}

/** Allows additional properties: responses may gain fields within v1 (specification 9.3). Only request schemas stay closed. */
const openSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(openSchema)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== "additionalProperties" || inner !== false)
      .map(([key, inner]) => [key, openSchema(inner)])
  )
}

/** The names of schemas used in request bodies. These stay closed. */
const requestSchemas = (paths: unknown): ReadonlySet<string> =>
  new Set(
    nodes(paths)
      .flatMap(([, item]) => nodes(item))
      .flatMap(([, { requestBody }]) => JSON.stringify(requestBody ?? null).match(/(?<=schemas\/)\w+/g) ?? [])
  )

const mapOperations = (paths: unknown, change: (operation: Node) => Node): Node =>
  Object.fromEntries(
    nodes(paths).map(([path, item]) => [
      path,
      Object.fromEntries(nodes(item).map(([method, operation]) => [method, change(operation)]))
    ])
  )

export const completeOpenApi = (document: Node): Node => {
  const components = isRecord(document.components) ? document.components : {}
  const closed = requestSchemas(document.paths)
  return {
    ...document,
    paths: mapOperations(document.paths, completeOperation),
    webhooks: openApiWebhooks,
    components: {
      ...components,
      headers: headerComponents,
      examples: errorExamples,
      schemas: Object.fromEntries(
        nodes(components.schemas).map(([name, schema]) => [
          name,
          closed.has(name) ? schema : openSchema(schema)
        ])
      )
    }
  }
}

/** The optional headers that belong in an ordinary call. Every other one requests a different outcome. */
const sampledHeaders = new Set(["idempotency-key"])

const describedByContent = (parameter: Node): Node => {
  if (parameter.in !== "header" || parameter.required === true || sampledHeaders.has(String(parameter.name)))
    return parameter
  const { example: _, schema, ...rest } = parameter
  return { ...rest, content: { "text/plain": { schema } } }
}

/**
 * The document for a reference page whose sample call sends every parameter, filled with its example or the first value of its schema. Such
 * a sample would be a drill, so optional parameters are described by `content`: they are shown, but not sent.
 */
export const withoutSampledOptions = (document: Node): Node => ({
  ...document,
  paths: mapOperations(document.paths, (operation) => ({
    ...operation,
    parameters: Array.isArray(operation.parameters)
      ? operation.parameters.filter(isRecord).map(describedByContent)
      : []
  }))
})

interface OperationExample {
  /** The description of the successful response. */
  readonly success: string
  /** Omitted if the successful response has no body. */
  readonly answer?: object | string
  readonly request?: object
  /** A second request example: a tool call with its arguments. */
  readonly toolCall?: object
}

const requestExamples = (operationId: string): Node => {
  const { request, toolCall } = operationExamples[operationId] ?? {}
  return toolCall === undefined
    ? { example: request }
    : { examples: { fields: { value: request }, tool_call: { value: toolCall } } }
}

/** The description of each operation's successful response, and its worked examples. */
const operationExamples: Readonly<Record<string, OperationExample>> = {
  assessAction: {
    success: "The risk opinion, complete or incomplete.",
    answer: exampleResponse,
    request: exampleRequest,
    toolCall: exampleToolCall
  },
  getAssessment: { success: "The stored opinion, its request and its evidence.", answer: exampleEvidence },
  ...consideredExamples,
  listActions: { success: "One page of assessed actions.", answer: exampleList },
  listReviews: { success: "One page of reviews.", answer: exampleReviewList },
  getReview: { success: "The review.", answer: exampleReview },
  closeReview: {
    success: "The review, closed; at a second time as the first one left it.",
    answer: exampleReview,
    request: exampleClosing
  },
  streamEvents: {
    success: "The stream. It ends when either side ends it.",
    answer: `id: 1843\nevent: assessment\ndata: ${JSON.stringify({ sequence: 1_843, opens_review: true, assessment: exampleList.data[0] })}\n\n`
  },
  getStatistics: { success: "The counts.", answer: exampleStatistics },
  ...outcomeOperations,
  createWebhookEndpoint: {
    success: "The endpoint with its secret, which is shown in no other answer.",
    answer: exampleEndpointWithSecret,
    request: exampleEndpointRequest
  },
  listWebhookEndpoints: { success: "One page of webhook endpoints.", answer: exampleEndpointList },
  getWebhookEndpoint: { success: "The endpoint.", answer: exampleEndpoint },
  changeWebhookEndpoint: {
    success: "The endpoint as it is now.",
    answer: { ...exampleEndpoint, ...exampleChanges },
    request: exampleChanges
  },
  deleteWebhookEndpoint: { success: "The endpoint is gone." },
  rotateWebhookSecret: {
    success: "The endpoint with its new secret, which is shown in no other answer.",
    answer: exampleEndpointWithSecret
  },
  testWebhookEndpoint: { success: "The ping is queued.", answer: exampleQueued },
  listWebhookDeliveries: { success: "One page of deliveries.", answer: exampleDeliveryList },
  redeliver: { success: "The event is queued once more.", answer: exampleQueued },
  getStatus: { success: "The health of the service and of its components.", answer: exampleStatus }
}
