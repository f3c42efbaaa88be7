/** Deliveries of webhooks: those of an endpoint, and one once more. */

import { Effect, Result } from "effect"
import { deliveryStatuses } from "../../domain/WebhookEvent.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { json } from "../Answer.ts"
import type { Call } from "../Handler.ts"
import { oneOf, readListQuery } from "../listQuery.ts"
import { readNothing } from "../readNothing.ts"
import { validationFailed } from "../validationFailed.ts"

export const webhookDeliveriesHandlers = Effect.gen(function* () {
  const deliveries = yield* Deliveries

  const listWebhookDeliveries = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const query = readListQuery(exchange.query, { status: oneOf(deliveryStatuses) })
    if (Result.isFailure(query)) return yield* validationFailed(query.failure)
    const status = deliveryStatuses.find((known) => known === query.success.status) ?? null
    const asked = { ...query.success, status }
    return json(yield* deliveries.list(caller, params.endpoint_id ?? "", asked, exchange.id))
  })

  const redeliver = Effect.fnUntraced(function* ({ caller, exchange, params }: Call) {
    const problems = yield* readNothing(exchange)
    if (problems.length > 0) return yield* validationFailed(problems)
    return json(yield* deliveries.redeliver(caller, params.delivery_id ?? "", exchange.id), 202)
  })

  return { listWebhookDeliveries, redeliver }
})
