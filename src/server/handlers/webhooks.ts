/** Handlers for webhook endpoints and their deliveries. */

import { Effect, Result } from "effect"
import { WebhookEndpointChanges, WebhookEndpointRequest } from "../../api/Webhooks.ts"
import { objectReader, problemsOf, readIdempotencyKey, validationFailed } from "../../api/validation.ts"
import { AppConfig, type Settings } from "../../config.ts"
import { deliveryStatuses } from "../../domain/WebhookEvent.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { Endpoints, type SecretAnswer } from "../../webhooks/Endpoints.ts"
import { checkUrl } from "../../webhooks/egress/checkUrl.ts"
import {
  type Call,
  type HttpExchange,
  type HttpResponse,
  idempotencyHeaders,
  jsonBytesResponse,
  jsonResponse
} from "../Exchange.ts"
import { enumCheck, readBody, readEmptyBody, readJson, readListQuery } from "../requestInput.ts"

const readNewEndpoint = objectReader(WebhookEndpointRequest)
const readEndpointChanges = objectReader(WebhookEndpointChanges)

export const webhookEndpointsHandlers = Effect.gen(function* () {
  const { webhookAllowInsecure: allowInsecure } = yield* AppConfig
  const endpoints = yield* Endpoints
  return {
    ...storedEndpointHandlers(endpoints, allowInsecure),
    ...secretHandlers(endpoints, allowInsecure),
    testWebhookEndpoint: pingHandler(yield* Deliveries)
  }
})

type InsecureTargets = Settings["webhookAllowInsecure"]

/** Operations whose responses contain no secret. */
const storedEndpointHandlers = (endpoints: Endpoints["Service"], allowInsecure: InsecureTargets) => {
  const listWebhookEndpoints = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readListQuery(exchange.query, {})
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    return jsonResponse(yield* endpoints.list(caller, query.success, exchange.id))
  })

  const getWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    return jsonResponse(yield* endpoints.get(caller, params.endpoint_id ?? "", exchange.id))
  })

  const changeWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const changes = yield* readEndpoint(exchange, readEndpointChanges, allowInsecure)
    if (Result.isFailure(changes)) return yield* validationFailed(changes.failure)
    return jsonResponse(
      yield* endpoints.change(caller, params.endpoint_id ?? "", changes.success, exchange.id)
    )
  })

  const deleteWebhookEndpoint = Effect.fnUntraced(function* ({ caller, params }: Call) {
    yield* endpoints.remove(caller, params.endpoint_id ?? "")
    return { status: 204, headers: {}, body: null } satisfies HttpResponse
  })

  return { listWebhookEndpoints, getWebhookEndpoint, changeWebhookEndpoint, deleteWebhookEndpoint }
}

/** Operations whose responses contain a new secret. A repeat with the same Idempotency-Key returns the same secret. */
const secretHandlers = (endpoints: Endpoints["Service"], allowInsecure: InsecureTargets) => {
  const createWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const request = yield* readEndpoint(exchange, readNewEndpoint, allowInsecure)
    const key = readIdempotencyKey(exchange.request.headers["idempotency-key"])
    if (Result.isFailure(request) || Result.isFailure(key))
      return yield* validationFailed(problemsOf(request, key))
    const call = { caller, requestId: exchange.id, idempotencyKey: key.success }
    return secretResponse(201, yield* endpoints.create(call, request.success), exchange.id)
  })

  const rotateWebhookSecret = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readEmptyBody(exchange)
    const key = readIdempotencyKey(exchange.request.headers["idempotency-key"])
    if (problems.length > 0 || Result.isFailure(key))
      return yield* validationFailed([...problems, ...problemsOf(key)])
    const call = { caller, requestId: exchange.id, idempotencyKey: key.success }
    return secretResponse(200, yield* endpoints.rotateSecret(call, params.endpoint_id ?? ""), exchange.id)
  })

  return { createWebhookEndpoint, rotateWebhookSecret }
}

const pingHandler = (deliveries: Deliveries["Service"]) =>
  Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readEmptyBody(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    return jsonResponse(yield* deliveries.test(caller, params.endpoint_id ?? "", exchange.id), 202)
  })

const secretResponse = (status: number, answer: SecretAnswer, exchangeId: string): HttpResponse =>
  jsonBytesResponse(answer.body, idempotencyHeaders(answer, exchangeId), status)

/** Reads the body by its schema and checks the address to which its URL leads. */
const readEndpoint = Effect.fnUntraced(function* <A extends { readonly url?: string }>(
  exchange: HttpExchange,
  reader: ReturnType<typeof objectReader<A>>,
  allowInsecure: InsecureTargets
) {
  const bytes = yield* readBody(exchange)
  const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
  const body = reader(value, holdsNul)
  const url = Result.isSuccess(body) ? body.success.url : statedUrl(value)
  const problems = problemsOf(body)
  if (url === undefined || problems.some(({ field }) => field === "url")) return body
  const checked = checkUrl(url, { allowInsecure })
  return Result.isSuccess(checked)
    ? body
    : Result.fail([...problems, { field: "url", message: checked.failure }])
})

/** The URL in a body that has other problems, so that a problem of the URL is reported together with them. */
const statedUrl = (body: Json): string | undefined =>
  isRecord(body) && typeof body.url === "string" ? body.url : undefined

export const webhookDeliveriesHandlers = Effect.gen(function* () {
  const deliveries = yield* Deliveries

  const listWebhookDeliveries = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const query = readListQuery(exchange.query, { status: enumCheck(deliveryStatuses) })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const status = deliveryStatuses.find((known) => known === query.success.status) ?? null
    const filter = { ...query.success, status }
    return jsonResponse(yield* deliveries.list(caller, params.endpoint_id ?? "", filter, exchange.id))
  })

  const redeliver = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readEmptyBody(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    return jsonResponse(yield* deliveries.redeliver(caller, params.delivery_id ?? "", exchange.id), 202)
  })

  return { listWebhookDeliveries, redeliver }
})
