/** Handlers of webhook endpoints and of their deliveries. */

import { Effect, Result } from "effect"
import type { Problem } from "../../api/Failures.ts"
import { WebhookEndpointChanges, WebhookEndpointRequest } from "../../api/WebhookEndpoints.ts"
import { objectReader, readIdempotencyKey, validationFailed } from "../../api/validation.ts"
import { AppConfig } from "../../config.ts"
import { deliveryStatuses } from "../../domain/WebhookEvent.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { Endpoints, type SecretAnswer } from "../../webhooks/Endpoints.ts"
import { checkUrl } from "../../webhooks/egress/checkUrl.ts"
import { type Call, type HttpExchange, type HttpResponse, jsonResponse } from "../Exchange.ts"
import { readBody, readEmptyBody, readJson } from "../body.ts"
import { enumCheck, readListQuery } from "../listQuery.ts"

const readRequest = objectReader(WebhookEndpointRequest)
const readChanges = objectReader(WebhookEndpointChanges)

const problemsOf = (
  ...read: ReadonlyArray<Result.Result<unknown, ReadonlyArray<Problem>>>
): ReadonlyArray<Problem> => read.flatMap((one) => (Result.isFailure(one) ? one.failure : []))

const answerWith = (
  status: number,
  { body, replayed, requestId }: SecretAnswer,
  exchangeId: string
): HttpResponse => ({
  status,
  headers: {
    "content-type": "application/json",
    "svc-request-id": requestId,
    ...(replayed && { "svc-idempotent-replay": "true", "svc-replay-request-id": exchangeId })
  },
  body
})

export const webhookEndpointsHandlers = Effect.gen(function* () {
  const { webhookAllowInsecure: allowInsecure } = yield* AppConfig
  const endpoints = yield* Endpoints
  const deliveries = yield* Deliveries

  /** The body by its schema, and its URL by where it leads. */
  const read = Effect.fnUntraced(function* <A extends { readonly url?: string }>(
    exchange: HttpExchange,
    reader: ReturnType<typeof objectReader<A>>
  ) {
    const bytes = yield* readBody(exchange)
    const { holdsNul, value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
    const body = reader(value, holdsNul)
    const url = Result.isSuccess(body) ? body.success.url : urlOf(value)
    const problems = problemsOf(body)
    if (url === undefined || problems.some(({ field }) => field === "url")) return body
    const checked = checkUrl(url, { allowInsecure })
    return Result.isSuccess(checked)
      ? body
      : Result.fail([...problems, { field: "url", message: checked.failure }])
  })

  const createWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const wanted = yield* read(exchange, readRequest)
    const key = readIdempotencyKey(exchange.request.headers["idempotency-key"])
    if (Result.isFailure(wanted) || Result.isFailure(key))
      return yield* validationFailed(problemsOf(wanted, key))
    const call = { caller, requestId: exchange.id, idempotencyKey: key.success }
    return answerWith(201, yield* endpoints.create(call, wanted.success), exchange.id)
  })

  const listWebhookEndpoints = Effect.fnUntraced(function* ({ caller, exchange }: Call) {
    const query = readListQuery(exchange.query, {})
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    return jsonResponse(yield* endpoints.list(caller, query.success, exchange.id))
  })

  const getWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    return jsonResponse(yield* endpoints.get(caller, params.endpoint_id ?? "", exchange.id))
  })

  const changeWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const changes = yield* read(exchange, readChanges)
    if (Result.isFailure(changes)) return yield* validationFailed(changes.failure)
    return jsonResponse(
      yield* endpoints.change(caller, params.endpoint_id ?? "", changes.success, exchange.id)
    )
  })

  const deleteWebhookEndpoint = Effect.fnUntraced(function* ({ caller, params }: Call) {
    yield* endpoints.remove(caller, params.endpoint_id ?? "")
    return { status: 204, headers: {}, body: null } satisfies HttpResponse
  })

  const rotateWebhookSecret = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readEmptyBody(exchange)
    const key = readIdempotencyKey(exchange.request.headers["idempotency-key"])
    if (problems.length > 0 || Result.isFailure(key))
      return yield* validationFailed([...problems, ...problemsOf(key)])
    const call = { caller, requestId: exchange.id, idempotencyKey: key.success }
    return answerWith(200, yield* endpoints.rotateSecret(call, params.endpoint_id ?? ""), exchange.id)
  })

  const testWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readEmptyBody(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    return jsonResponse(yield* deliveries.test(caller, params.endpoint_id ?? "", exchange.id), 202)
  })

  return {
    createWebhookEndpoint,
    listWebhookEndpoints,
    getWebhookEndpoint,
    changeWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateWebhookSecret,
    testWebhookEndpoint
  }
})

/** Of a body that is wrong elsewhere: so that what is wrong with the URL is told with the rest. */
const urlOf = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "url" in body && typeof body.url === "string"
    ? body.url
    : undefined

/** Deliveries of webhooks: those of an endpoint, and one once more. */
export const webhookDeliveriesHandlers = Effect.gen(function* () {
  const deliveries = yield* Deliveries

  const listWebhookDeliveries = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const query = readListQuery(exchange.query, { status: enumCheck(deliveryStatuses) })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const status = deliveryStatuses.find((known) => known === query.success.status) ?? null
    const asked = { ...query.success, status }
    return jsonResponse(yield* deliveries.list(caller, params.endpoint_id ?? "", asked, exchange.id))
  })

  const redeliver = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readEmptyBody(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    return jsonResponse(yield* deliveries.redeliver(caller, params.delivery_id ?? "", exchange.id), 202)
  })

  return { listWebhookDeliveries, redeliver }
})
