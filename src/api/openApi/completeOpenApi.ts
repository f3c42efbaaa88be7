/** Adds to the generated OpenAPI document what schemas cannot say: headers, examples, transport errors. */

import { type ErrorCode, errorCodes } from "../../domain/ErrorCode.ts"
import { listLimitDefault, listLimitMax } from "../../Limits.ts"
import { envelope } from "../ErrorEnvelope.ts"
import { exampleResponse } from "../examples.ts"
import { exampleList } from "../examples/exampleList.ts"
import { exampleEndpoint, exampleQueued } from "../examples/exampleWebhooks.ts"
import { type Failure, failures } from "../Failures.ts"
import { transportFailures } from "../transportFailures.ts"
import { operationExamples } from "./operationExamples.ts"
import { headerComponents, responseHeadersOf } from "./responseHeaders.ts"

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nodes = (value: unknown): Array<[string, Node]> =>
  isNode(value) ? Object.entries(value).filter((entry): entry is [string, Node] => isNode(entry[1])) : []

const parameterExamples: Readonly<Record<string, unknown>> = {
  "idempotency-key": "OPS-1842-export-1",
  prefer: "handling=strict",
  // The one drill that still gives an opinion: the reference page copies examples into requests.
  "svc-drill": "slow",
  "if-none-match": '"3q2-7wAAAAAAAAAAAAAAAA"',
  assessment_id: exampleResponse.assessment_id,
  limit: exampleList.data.length,
  cursor: exampleList.next_cursor,
  q: "salesforce",
  state: "open",
  review_id: exampleResponse.assessment_id,
  endpoint_id: exampleEndpoint.id,
  delivery_id: exampleQueued.delivery_id,
  status: "dead"
}

/** Queries are text, and the generated schema says so; what the text must spell is an integer. */
const limitSchema = { type: "integer", minimum: 1, maximum: listLimitMax, default: listLimitDefault }

/** Described where readers look for it, not inside its schema. */
const completeParameter = (parameter: Node): Node => {
  const { description, ...schema } = isNode(parameter.schema) ? parameter.schema : {}
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    schema: parameter.name === "limit" ? limitSchema : schema,
    example: parameterExamples[String(parameter.name)]
  }
}

/** What Node's parser refuses is MALFORMED_JSON too, at any operation. */
const transportErrors: Readonly<Record<string, string>> = {
  "408": "The request took too long to arrive; it can be sent again.",
  "417": "The request expects something other than 100-continue.",
  "431": "The request's header fields are too large or too many."
}

const codes = Object.keys(errorCodes) as Array<ErrorCode>

const details = [{ field: "environment", message: "is required" }]

const exampleOf = (summary: string, failure: Failure) => ({
  summary,
  value: envelope(failure, exampleResponse.request_id, "https://risk.example")
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

/** `readsBody`: only then a 400 can be about JSON. */
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
  ...(isNode(response.content) && {
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
  const responses = isNode(operation.responses) ? operation.responses : {}
  const transport = Object.entries(transportErrors).map(([status, description]) => [
    status,
    { ...(isNode(responses["400"]) && responses["400"]), description }
  ])
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
  return {
    ...operation,
    parameters: parameters.filter(isNode).map(completeParameter),
    ...(isNode(operation.requestBody) && {
      requestBody: {
        ...operation.requestBody,
        content: Object.fromEntries(
          nodes(operation.requestBody.content).map(([type, media]) => [
            type,
            { ...media, example: operationExamples[operationId]?.request }
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

/** Responses may gain fields within v1 (specification 9.3); only a request is closed. */
const openSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(openSchema)
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== "additionalProperties" || inner !== false)
      .map(([key, inner]) => [key, openSchema(inner)])
  )
}

/** The schemas that request bodies name: they stay closed. */
const requestSchemas = (paths: unknown): ReadonlySet<string> =>
  new Set(
    nodes(paths)
      .flatMap(([, item]) => nodes(item))
      .flatMap(([, { requestBody }]) => JSON.stringify(requestBody ?? null).match(/(?<=schemas\/)\w+/g) ?? [])
  )

export const completeOpenApi = (document: Node): Node => {
  const components = isNode(document.components) ? document.components : {}
  const closed = requestSchemas(document.paths)
  return {
    ...document,
    paths: Object.fromEntries(
      nodes(document.paths).map(([path, item]) => [
        path,
        Object.fromEntries(nodes(item).map(([method, operation]) => [method, completeOperation(operation)]))
      ])
    ),
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
