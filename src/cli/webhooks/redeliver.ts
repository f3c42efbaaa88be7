/** `webhooks redeliver` queues events again; `webhooks test` queues a ping. */

import { Console, Effect, Option, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { Uuid } from "../../api/Scalars.ts"
import type { Mode } from "../../domain/Caller.ts"
import { redeliveredMax } from "../../limits.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { DeliveryRecords, type Queued, unresolvedFailures } from "../../storage/webhooks/DeliveryRecords.ts"
import { orgFlag } from "../Stores.ts"
import { CommandRefused, wrongUsage } from "../commandFailures.ts"
import { jsonFlag, modeFlag } from "../flags.ts"
import { endpointOf, ownerOf, WebhookStores } from "./WebhookStores.ts"

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

export const redeliverCommand = Command.make(
  "redeliver",
  {
    ids: Argument.String("delivery id").pipe(
      Argument.withDescription("As `webhooks list` shows them"),
      Argument.variadic()
    ),
    failed: Flag.Boolean("failed").pipe(
      Flag.withDescription(
        `Everything that \`webhooks list --failed\` shows for --endpoint, oldest first, at most ${redeliveredMax} at once`
      ),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    endpoint: Flag.String("endpoint").pipe(
      Flag.withDescription("The endpoint of --failed"),
      Flag.withMetavar("id"),
      Flag.optional
    ),
    org: orgFlag,
    mode: modeFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ endpoint, failed, ids, json, mode, org }) {
    if (failed === ids.length > 0 || failed !== Option.isSome(endpoint))
      return yield* wrongUsage("webhooks redeliver", eitherOr)
    const document = yield* Effect.gen(function* () {
      const owner = yield* ownerOf(org, mode)
      const chosen = Option.isSome(endpoint) ? yield* failuresOf(owner, endpoint.value) : ids
      return redeliverJson(yield* Effect.forEach(chosen, (id) => redeliverOne(owner, id)), mode)
    }).pipe(Effect.provide(WebhookStores))
    if (json) yield* Console.log(JSON.stringify(document))
    else yield* printQueued(document)
    if (document.refused.length > 0)
      return yield* new CommandRefused({ message: document.refused.map(({ problem }) => problem).join("; ") })
  })
).pipe(
  Command.withDescription("Send events again to an endpoint that missed them"),
  Command.withExamples([
    {
      command: "action-risk webhooks redeliver 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "One delivery, dead or not; receivers recognize the repetition by its webhook-id"
    },
    {
      command:
        "action-risk webhooks redeliver --failed --endpoint 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "After a receiver is back: everything that it missed"
    }
  ])
)

const eitherOr = new CliError.InvalidValue({
  option: "failed",
  value: "",
  expected: "given together with --endpoint and instead of delivery ids",
  kind: "flag"
})

/** Oldest first. Of more than `redeliveredMax` failures it takes the newest, so that a second run continues with the older ones. */
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

const printQueued = Effect.fnUntraced(function* ({ queued, refused }: RedeliverJson) {
  for (const { delivery_id, redelivers } of queued)
    yield* Console.log(`${redelivers} is queued again as ${delivery_id}`)
  if (queued.length >= redeliveredMax)
    yield* Console.error(`these are ${queued.length}: run the command again for older ones`)
  if (queued.length > 0) yield* printSenderNote
  else if (refused.length === 0) yield* Console.log("nothing has failed: nothing is redelivered")
})

/** What `action-risk webhooks test --json` prints. */
export const webhooksTestSchema = Schema.Struct({
  endpoint_id: Uuid,
  delivery_id: Uuid.annotate({ description: "The delivery of the ping, as `webhooks list` shows it." })
})

/** A ping goes to the endpoint whatever events it subscribes to. */
export const testWebhook = Command.make(
  "test",
  {
    id: Argument.String("endpoint id").pipe(Argument.withDescription("As `webhooks list` shows it")),
    org: orgFlag,
    mode: modeFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ id, json, mode, org }) {
    const owner = yield* ownerOf(org, mode)
    const endpoint = yield* endpointOf(owner, id)
    const queued = yield* DeliveryRecords.use(({ ping }) => ping(owner, endpoint.id))
    // `endpointOf` has just found the endpoint. If nothing is queued, it is disabled or was deleted in the meantime.
    if (queued._tag !== "queued")
      return yield* new CommandRefused({
        message: `the webhook endpoint \`${id}\` is ${queued._tag === "disabled" ? "disabled" : "gone"}`
      })
    const document: typeof webhooksTestSchema.Encoded = {
      endpoint_id: endpoint.id,
      delivery_id: queued.deliveryId
    }
    if (json) return yield* Console.log(JSON.stringify(document))
    yield* Console.log(`a ping is queued as delivery ${queued.deliveryId}`)
    yield* printSenderNote
  }, Effect.provide(WebhookStores))
).pipe(
  Command.withDescription("Send a ping to a webhook endpoint"),
  Command.withExamples([
    {
      command: "action-risk webhooks test 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "`webhooks list` shows the result"
    }
  ])
)

/** These commands only queue deliveries; the service sends them. */
const printSenderNote = Console.error(
  "a serving process sends it within a second; where none runs, it waits until one does"
)
