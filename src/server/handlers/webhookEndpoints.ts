/** Webhook endpoints: made, listed, shown, changed, removed, given a new secret, and tried. */

import { Effect, Result } from "effect"
import type { Problem } from "../../api/Failures.ts"
import { objectReader } from "../../api/readObject.ts"
import { WebhookEndpointChanges, WebhookEndpointRequest } from "../../api/WebhookEndpoint.ts"
import { AppConfig } from "../../Config.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { checkUrl } from "../../webhooks/egress/checkUrl.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"
import type { SecretAnswer } from "../../webhooks/secretAnswer.ts"
import { type Answer, json } from "../Answer.ts"
import type { HttpExchange } from "../Exchange.ts"
import type { Call } from "../Handler.ts"
import { readListQuery } from "../listQuery.ts"
import { readBody } from "../readBody.ts"
import { readIdempotencyKey } from "../readIdempotencyKey.ts"
import { readJson } from "../readJson.ts"
import { readNothing } from "../readNothing.ts"
import { validationFailed } from "../validationFailed.ts"

const readRequest = objectReader(WebhookEndpointRequest)
const readChanges = objectReader(WebhookEndpointChanges)

const problemsOf = (
  ...read: ReadonlyArray<Result.Result<unknown, ReadonlyArray<Problem>>>
): ReadonlyArray<Problem> => read.flatMap((one) => (Result.isFailure(one) ? one.failure : []))

const answerWith = (
  status: number,
  { body, replayed, requestId }: SecretAnswer,
  exchangeId: string
): Answer => ({
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
    return json(yield* endpoints.list(caller, query.success, exchange.id))
  })

  const getWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    return json(yield* endpoints.get(caller, params.endpoint_id ?? "", exchange.id))
  })

  const changeWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const changes = yield* read(exchange, readChanges)
    if (Result.isFailure(changes)) return yield* validationFailed(changes.failure)
    return json(yield* endpoints.change(caller, params.endpoint_id ?? "", changes.success, exchange.id))
  })

  const deleteWebhookEndpoint = Effect.fnUntraced(function* ({ caller, params }: Call) {
    yield* endpoints.remove(caller, params.endpoint_id ?? "")
    return { status: 204, headers: {}, body: null } satisfies Answer
  })

  const rotateWebhookSecret = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readNothing(exchange)
    const key = readIdempotencyKey(exchange.request.headers["idempotency-key"])
    if (problems.length > 0 || Result.isFailure(key))
      return yield* validationFailed([...problems, ...problemsOf(key)])
    const call = { caller, requestId: exchange.id, idempotencyKey: key.success }
    return answerWith(200, yield* endpoints.rotateSecret(call, params.endpoint_id ?? ""), exchange.id)
  })

  const testWebhookEndpoint = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readNothing(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    return json(yield* deliveries.test(caller, params.endpoint_id ?? "", exchange.id), 202)
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
