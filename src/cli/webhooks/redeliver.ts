/** `webhooks redeliver` queues events again; `webhooks test` queues a ping. */

import { Effect, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { Uuid } from "../../api/Scalars.ts"
import type { Mode } from "../../domain/Caller.ts"
import { redeliveredMax } from "../../limits.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { DeliveryRecords, type Queued, unresolvedFailures } from "../../storage/webhooks/DeliveryRecords.ts"
import { orgFlag } from "../Stores.ts"
import { CommandRefused, wrongFlag } from "../commandFailures.ts"
import { modeFlag, databaseSettings, switchFlag } from "../flags.ts"
import { endpointOf, ownerOf, WebhookStores } from "./WebhookStores.ts"
import { verb } from "../verb.ts"

export const webhooksRedeliverSchema = Schema.Struct({
  queued: Schema.Array(
    Schema.Struct({
      delivery_id: Uuid.annotate({ description: "The new delivery." }),
      redelivers: Uuid.annotate({ description: "The delivery whose event it sends again." })
    })
  ),
  refused: Schema.Array(Schema.Struct({ redelivers: Schema.String, problem: Schema.String })).annotate({
    description: "If it is not empty, the command ends with 1."
  })
})

type RedeliverJson = typeof webhooksRedeliverSchema.Encoded

export const redeliver = verb({
  about: "Send events again to an endpoint that missed them",
  takes: {
    ids: Argument.String("delivery id").pipe(
      Argument.withDescription("As `webhooks list` shows them"),
      Argument.variadic()
    ),
    failed: switchFlag(
      "failed",
      `Everything that \`webhooks list --failed\` shows for --endpoint, oldest first, at most ${redeliveredMax} at once`
    ),
    endpoint: Flag.String("endpoint").pipe(
      Flag.withDescription("The endpoint of --failed"),
      Flag.withMetavar("id"),
      Flag.withDefault(null)
    ),
    org: orgFlag,
    mode: modeFlag
  },
  prints: webhooksRedeliverSchema,
  fails: "there is no such organization, endpoint or delivery, or the endpoint is disabled",
  reads: databaseSettings,
  examples: {
    "01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live":
      "One delivery in any state; receivers recognize the repetition by its webhook-id",
    "--failed --endpoint 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live":
      "After a receiver is back: everything that it missed"
  },
  run: Effect.fnUntraced(function* ({ endpoint, failed, ids, mode, org }) {
    if (failed === ids.length > 0 || failed !== (endpoint !== null))
      return yield* wrongFlag("failed", "", "given together with --endpoint and instead of delivery ids")
    const document = yield* Effect.gen(function* () {
      const owner = yield* ownerOf(org, mode)
      const chosen = endpoint === null ? ids : yield* failuresOf(owner, endpoint)
      return redeliverJson(yield* Effect.forEach(chosen, (id) => redeliverOne(owner, id)), mode)
    }).pipe(Effect.provide(WebhookStores))
    const problems = document.refused.map(({ problem }) => problem)
    return {
      json: () => document,
      ...renderQueued(document),
      refused: problems.length === 0 ? null : problems.join("; ")
    }
  })
})

/** Oldest first. If there are more than `redeliveredMax` failures, it takes the newest, so that a second run continues with the older ones. */
const failuresOf = Effect.fnUntraced(function* (owner: Owner, endpointId: string) {
  const { enabled, id } = yield* endpointOf(owner, endpointId)
  if (!enabled)
    return yield* new CommandRefused({
      message: `the webhook endpoint \`${endpointId}\` is disabled: enable it first`
    })
  const failures = yield* unresolvedFailures(owner, id, { before: undefined, limit: redeliveredMax })
  return failures.map((failure) => failure.id).toReversed()
})

interface Redelivery {
  readonly id: string
  readonly queued: Queued
}

const redeliverOne = Effect.fnUntraced(function* (owner: Owner, text: string) {
  const id = asUuid(text)
  const { redeliver } = yield* DeliveryRecords
  const queued = id === undefined ? { _tag: "unknown" as const } : yield* redeliver(owner, id)
  const redelivery: Redelivery = { id: text, queued }
  return redelivery
})

const redeliverJson = (redeliveries: ReadonlyArray<Redelivery>, mode: Mode): RedeliverJson => ({
  queued: redeliveries.flatMap(({ id, queued }) =>
    queued._tag === "queued" ? [{ delivery_id: queued.deliveryId, redelivers: id }] : []
  ),
  refused: redeliveries.flatMap(({ id, queued }) =>
    queued._tag === "queued" ? [] : [{ redelivers: id, problem: problemOf[queued._tag](id, mode) }]
  )
})

const problemOf = {
  unknown: (id: string, mode: Mode) => `there is no delivery \`${id}\` in ${mode} mode`,
  disabled: (id: string) => `the endpoint of the delivery \`${id}\` is disabled`
}

const renderQueued = ({ queued, refused }: RedeliverJson) => {
  if (queued.length === 0)
    return { text: () => (refused.length === 0 ? "nothing has failed: nothing is redelivered" : null) }
  const more =
    queued.length < redeliveredMax ? [] : [`these are ${queued.length}: run the command again for older ones`]
  return {
    text: () =>
      queued
        .map(({ delivery_id, redelivers }) => `${redelivers} is queued again as ${delivery_id}`)
        .join("\n"),
    note: [...more, senderNote].join("\n")
  }
}

export const webhooksTestSchema = Schema.Struct({
  endpoint_id: Uuid,
  delivery_id: Uuid.annotate({ description: "The delivery of the ping, as `webhooks list` shows it." })
})

/** The endpoint gets a ping regardless of the events to which it subscribes. */
export const testWebhook = verb({
  about: "Send a ping to a webhook endpoint",
  takes: {
    id: Argument.String("endpoint id").pipe(Argument.withDescription("As `webhooks list` shows it")),
    org: orgFlag,
    mode: modeFlag
  },
  prints: webhooksTestSchema,
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
      return yield* new CommandRefused({
        message: `the webhook endpoint \`${id}\` is ${queued._tag === "disabled" ? "disabled" : "gone"}`
      })
    return {
      json: () => ({ endpoint_id: endpoint.id, delivery_id: queued.deliveryId }),
      text: () => `a ping is queued as delivery ${queued.deliveryId}`,
      note: senderNote
    }
  }, Effect.provide(WebhookStores))
})

/** These commands only queue deliveries; the service sends them. */
const senderNote = "a serving process sends it within a second; where none runs, it waits until one does"
