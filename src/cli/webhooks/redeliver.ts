/** `action-risk webhooks redeliver` and `webhooks test`: deliveries that the operator queues. */

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
    description: "Where there are some, the command ends with 1."
  })
})

/** `action-risk webhooks redeliver`: events sent once more to the endpoint that has not heard them. */
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
        `What \`webhooks list --failed\` shows of --endpoint, oldest first, at most ${redeliveredMax} at once`
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
    const told = yield* Effect.gen(function* () {
      const owner = yield* ownerOf(org, mode)
      const chosen = Option.isSome(endpoint) ? yield* failuresOf(owner, endpoint.value) : ids
      return redeliverJson(yield* Effect.forEach(chosen, (id) => redeliverOne(owner, id)), mode)
    }).pipe(Effect.provide(WebhookStores))
    if (json) yield* Console.log(JSON.stringify(told))
    else yield* printQueued(told)
    if (told.refused.length > 0)
      return yield* new CommandRefused({ message: told.refused.map(({ problem }) => problem).join("; ") })
  })
).pipe(
  Command.withDescription("Send events once more to the endpoint that has not heard them"),
  Command.withExamples([
    {
      command: "action-risk webhooks redeliver 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "One delivery, dead or not; receivers tell a repetition by its webhook-id"
    },
    {
      command:
        "action-risk webhooks redeliver --failed --endpoint 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "Once a receiver is back: everything that it has not heard"
    }
  ])
)

const eitherOr = new CliError.InvalidValue({
  option: "failed",
  value: "",
  expected: "given together with --endpoint and instead of delivery ids",
  kind: "flag"
})

/** Oldest first, as they happened; of very many the newest, so that a second run goes on with the older ones. */
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
  const asked: Redelivery = { id: text, queued }
  return asked
})

const redeliverJson = (asked: ReadonlyArray<Redelivery>, mode: Mode): RedeliverJson => ({
  queued: asked.flatMap(({ id, queued }) =>
    queued._tag === "queued" ? [{ delivery_id: queued.deliveryId, redelivers: id }] : []
  ),
  refused: asked.flatMap(({ id, queued }) =>
    queued._tag === "queued" ? [] : [{ redelivers: id, problem: problemOf[queued._tag](id, mode) }]
  )
})

const problemOf = {
  unknown: (id: string, mode: Mode) => `there is no delivery \`${id}\` in ${mode} mode`,
  disabled: (id: string) => `the endpoint of the delivery \`${id}\` is disabled`
}

const printQueued = Effect.fnUntraced(function* ({ queued, refused }: RedeliverJson) {
  for (const one of queued) yield* Console.log(`${one.redelivers} is queued again as ${one.delivery_id}`)
  if (queued.length >= redeliveredMax)
    yield* Console.error(`these are ${queued.length}: run it again for what is older`)
  if (queued.length > 0) yield* printSenderNote
  else if (refused.length === 0) yield* Console.log("nothing has failed: nothing is redelivered")
})

/** What `action-risk webhooks test --json` prints. */
export const webhooksTestSchema = Schema.Struct({
  endpoint_id: Uuid,
  delivery_id: Uuid.annotate({ description: "The delivery of the ping, as `webhooks list` shows it." })
})

/** `action-risk webhooks test`: a ping to one endpoint, whatever it subscribes to. */
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
    // It was there a moment ago: what is not queued now is disabled, or was deleted since.
    if (queued._tag !== "queued")
      return yield* new CommandRefused({
        message: `the webhook endpoint \`${id}\` is ${queued._tag === "disabled" ? "disabled" : "gone"}`
      })
    const told: typeof webhooksTestSchema.Encoded = {
      endpoint_id: endpoint.id,
      delivery_id: queued.deliveryId
    }
    if (json) return yield* Console.log(JSON.stringify(told))
    yield* Console.log(`a ping is queued as delivery ${queued.deliveryId}`)
    yield* printSenderNote
  }, Effect.provide(WebhookStores))
).pipe(
  Command.withDescription("Send a ping to a webhook endpoint"),
  Command.withExamples([
    {
      command: "action-risk webhooks test 01a1faa8-096b-732a-8637-7ff3434a9d23 --org acme --mode live",
      description: "What became of it: `webhooks list`"
    }
  ])
)

/** What every command that queues a delivery says: it sends nothing itself. */
const printSenderNote = Console.error(
  "a serving process sends it within a second; where none runs, it waits until one does"
)
