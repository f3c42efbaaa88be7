/** `webhooks redeliver` queues events again; `webhooks test` queues a ping. */

import { Effect, Schema } from "effect"
import { Argument } from "effect/cli"
import { Uuid } from "../../api/Scalars.ts"
import type { Mode } from "../../domain/Caller.ts"
import { redeliveredMax } from "../../limits.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { DeliveryRecords, unresolvedFailures } from "../../storage/webhooks/DeliveryRecords.ts"
import { ownerOf } from "../Stores.ts"
import { refuse, wrongFlag } from "../commandFailures.ts"
import { databaseSettings, idArgument, idFlag, elseNull, ownerFlags, switchFlag } from "../flags.ts"
import { members, objects } from "../jsonShapes.ts"
import { endpointOf, WebhookStores } from "./WebhookStores.ts"
import { verb } from "../verb.ts"

export const webhooksRedeliverShape = members({
  queued: objects(null, {
    deliveryId: Uuid.annotate({ description: "The new delivery." }),
    redelivers: Uuid.annotate({ description: "The delivery whose event it sends again." })
  }),
  refused: objects("If it is not empty, the command exits with 1.", {
    redelivers: Schema.String,
    problem: Schema.String
  })
})

type Redelivered = typeof webhooksRedeliverShape.Type

export const redeliver = verb({
  about: "Send events again to an endpoint that missed them",
  takes: {
    ids: idArgument("delivery id", "As `webhooks list` shows them", "webhooks list").pipe(
      Argument.variadic()
    ),
    failed: switchFlag(
      "failed",
      `All deliveries that \`webhooks list --failed\` shows for --endpoint, oldest first, at most ${redeliveredMax} at once`
    ),
    endpoint: elseNull(idFlag("endpoint", "webhooks list"), "The endpoint of --failed"),
    ...ownerFlags
  },
  prints: webhooksRedeliverShape,
  fails: "there is no such organization, endpoint or delivery, or the endpoint is disabled",
  reads: databaseSettings,
  examples: {
    "01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live":
      "One delivery in any state; receivers recognize the duplicate by its webhook-id",
    "--failed --endpoint 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live":
      "All events that a receiver missed while it was down"
  },
  run: Effect.fnUntraced(function* ({ endpoint, failed, ids, mode, org }) {
    if (failed === ids.length > 0 || failed !== (endpoint !== null))
      return yield* wrongFlag("failed", "", "used together with --endpoint and instead of delivery ids")
    const document = yield* Effect.gen(function* () {
      const owner = yield* ownerOf(org, mode)
      return yield* redeliverAll(owner, endpoint === null ? ids : yield* failuresOf(owner, endpoint))
    }).pipe(Effect.provide(WebhookStores))
    const problems = document.refused.map(({ problem }) => problem)
    return {
      json: () => document,
      ...renderQueued(document),
      refused: problems.length === 0 ? null : problems.join("; ")
    }
  })
})

/** Oldest first. If there are more than `redeliveredMax` failures, takes the newest, so that a second run continues with the older ones. */
const failuresOf = Effect.fnUntraced(function* (owner: Owner, endpointId: string) {
  const { enabled, id } = yield* endpointOf(owner, endpointId)
  if (!enabled) return yield* refuse(`the webhook endpoint \`${endpointId}\` is disabled: enable it first`)
  const failures = yield* unresolvedFailures(owner, id, { before: undefined, limit: redeliveredMax })
  return failures.map((failure) => failure.id).toReversed()
})

const redeliverAll = Effect.fnUntraced(function* (owner: Owner, ids: ReadonlyArray<string>) {
  const queued: Array<Redelivered["queued"][number]> = []
  const refused: Array<Redelivered["refused"][number]> = []
  for (const redelivers of ids) {
    const made = yield* DeliveryRecords.use(({ redeliver }) => redeliver(owner, redelivers))
    if (made._tag === "queued") queued.push({ deliveryId: made.deliveryId, redelivers })
    else refused.push({ redelivers, problem: problemOf[made._tag](redelivers, owner.mode) })
  }
  return { queued, refused }
})

const problemOf = {
  unknown: (id: string, mode: Mode) => `there is no delivery \`${id}\` in ${mode} mode`,
  disabled: (id: string) => `the endpoint of the delivery \`${id}\` is disabled`
}

const renderQueued = ({ queued, refused }: Redelivered) => {
  if (queued.length === 0)
    return {
      text: () => (refused.length === 0 ? "no delivery has failed, so nothing was redelivered" : null)
    }
  const more =
    queued.length < redeliveredMax ? [] : [`these are ${queued.length}: run the command again for older ones`]
  return {
    text: () =>
      queued.map(({ deliveryId, redelivers }) => `${redelivers} is queued again as ${deliveryId}`).join("\n"),
    note: [...more, senderNote].join("\n")
  }
}

export const webhooksTestShape = members({
  endpointId: Uuid,
  deliveryId: Uuid.annotate({ description: "The delivery of the ping, as `webhooks list` shows it." })
})

/** The endpoint gets a ping regardless of the events to which it subscribes. */
export const testWebhook = verb({
  about: "Send a ping to a webhook endpoint",
  takes: {
    id: idArgument("endpoint id", "As `webhooks list` shows it", "webhooks list"),
    ...ownerFlags
  },
  prints: webhooksTestShape,
  fails: "there is no such organization or endpoint, or the endpoint is disabled",
  reads: databaseSettings,
  examples: {
    "01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live": "`webhooks list` shows the result"
  },
  run: Effect.fnUntraced(function* ({ id, mode, org }) {
    const owner = yield* ownerOf(org, mode)
    const endpoint = yield* endpointOf(owner, id)
    const queued = yield* DeliveryRecords.use(({ ping }) => ping(owner, endpoint.id))
    // `endpointOf` has just found the endpoint. If nothing is queued, it is disabled or was deleted in the meantime.
    if (queued._tag !== "queued")
      return yield* refuse(
        `the webhook endpoint \`${id}\` is ${queued._tag === "disabled" ? "disabled" : "gone"}`
      )
    return {
      json: () => ({ endpointId: endpoint.id, deliveryId: queued.deliveryId }),
      text: () => `a ping is queued as delivery ${queued.deliveryId}`,
      note: senderNote
    }
  }, Effect.provide(WebhookStores))
})

/** These commands only queue deliveries; the service sends them. */
const senderNote = "a running service sends it within a second; without one, it waits until a service starts"
