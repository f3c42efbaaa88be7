/** The screens about webhooks: the endpoints, one endpoint with its deliveries, a ping, and a redelivery. */

import { Clock, Effect } from "effect"
import type { AssessmentUnavailable, NotFound, ValidationFailed } from "../api/Failures.ts"
import type { DeliveryQueued } from "../api/Webhooks.ts"
import { deliveryStatuses } from "../domain/WebhookEvent.ts"
import { consoleRowsMax } from "../limits.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import type { ScreenWith, Visit } from "./consoleEdge.ts"
import { endpointPage, endpointsPage } from "./pages/webhookPages.ts"
import { cursorIn, idIn, pageResponse, readForm, seeOther } from "./respond.ts"

const listEndpoints = Effect.fnUntraced(function* ({ caller, exchange, query }: Visit) {
  const page = yield* Endpoints.use(({ list }) =>
    list(caller, { limit: consoleRowsMax, cursor: cursorIn(query) }, exchange.id)
  )
  const nowMs = yield* Clock.currentTimeMillis
  return pageResponse(
    endpointsPage({ visitor: caller, nowMs, endpoints: page.data, older: page.next_cursor })
  )
})

const showEndpoint = Effect.fnUntraced(function* (visit: Visit, problem: string | null = null) {
  const { caller, exchange, id, query } = visit
  const status = deliveryStatuses.find((one) => one === query.get("status")) ?? null
  const cursor = cursorIn(query)
  const endpoint = yield* Endpoints.use(({ get }) => get(caller, id, exchange.id))
  const deliveries = yield* Deliveries.use(({ list }) =>
    list(caller, id, { limit: consoleRowsMax, cursor, status }, exchange.id)
  )
  const page = endpointPage({
    visitor: caller,
    nowMs: yield* Clock.currentTimeMillis,
    endpoint,
    status,
    deliveries: deliveries.data,
    older: deliveries.next_cursor,
    isLater: cursor !== null,
    queued: idIn(query, "queued"),
    problem
  })
  return pageResponse(page, problem === null ? 200 : 422)
})

/** Redirects to the endpoint, or shows why nothing was queued. */
const queue = (
  visit: Visit,
  queued: Effect.Effect<DeliveryQueued, NotFound | ValidationFailed | AssessmentUnavailable, Deliveries>
) =>
  queued.pipe(
    Effect.map(({ delivery_id }) =>
      seeOther(`/${visit.caller.mode}/webhooks/${visit.id}?queued=${delivery_id}`)
    ),
    Effect.catchTag("ValidationFailed", ({ message }) => showEndpoint(visit, `${message}.`))
  )

const sendPing = (visit: Visit) =>
  queue(
    visit,
    Deliveries.use(({ test }) => test(visit.caller, visit.id, visit.exchange.id))
  )

const deliverAgain = Effect.fnUntraced(function* (visit: Visit) {
  const delivery = (yield* readForm(visit.exchange)).get("delivery") ?? ""
  return yield* queue(
    visit,
    Deliveries.use(({ redeliver }) => redeliver(visit.caller, delivery, visit.exchange.id))
  )
})

export const webhookScreens: ReadonlyArray<ScreenWith<Deliveries | Endpoints>> = [
  { method: "GET", path: /^webhooks$/, scope: "webhooks", show: listEndpoints },
  {
    method: "GET",
    path: /^webhooks\/(?<id>[^/]+)$/,
    scope: "webhooks",
    show: (visit) => showEndpoint(visit)
  },
  { method: "POST", path: /^webhooks\/(?<id>[^/]+)\/test$/, scope: "webhooks", show: sendPing },
  { method: "POST", path: /^webhooks\/(?<id>[^/]+)\/redeliver$/, scope: "webhooks", show: deliverAgain }
]
