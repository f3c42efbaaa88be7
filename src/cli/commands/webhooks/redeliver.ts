/** `action-risk webhooks redeliver`: events sent once more to the endpoint that has not heard them. */

import { Console, Effect, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import type { Mode } from "../../../domain/Mode.ts"
import { redeliveredMax } from "../../../Limits.ts"
import type { Owner } from "../../../storage/AssessmentRecord.ts"
import { asUuid } from "../../../storage/assessmentId.ts"
import { type Queued, WebhookDeliveries } from "../../../storage/WebhookDeliveries.ts"
import { standingFailures } from "../../../storage/webhookDeliveries/standingFailures.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org } from "../../options/organization.ts"
import { Refused } from "../../Refused.ts"
import type { webhooksRedeliverShape } from "../../shapes/webhooks/redeliver.ts"
import { sayWhoSends } from "../../webhooks/sayWhoSends.ts"
import { endpointOf, ownerOf, WebhookStores } from "../../webhooks/WebhookStores.ts"
import { wrongUsage } from "../../wrongUsage.ts"

type Told = typeof webhooksRedeliverShape.Encoded

export const redeliver = Command.make(
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
    org,
    mode,
    json
  },
  Effect.fnUntraced(function* ({ endpoint, failed, ids, json, mode, org }) {
    if (failed === ids.length > 0 || failed !== Option.isSome(endpoint))
      return yield* wrongUsage("webhooks redeliver", eitherOr)
    const told = yield* Effect.gen(function* () {
      const owner = yield* ownerOf(org, mode)
      const chosen = Option.isSome(endpoint) ? yield* failuresOf(owner, endpoint.value) : ids
      return tellOf(yield* Effect.forEach(chosen, (id) => redeliverOne(owner, id)), mode)
    }).pipe(Effect.provide(WebhookStores))
    if (json) yield* Console.log(JSON.stringify(told))
    else yield* sayQueued(told)
    if (told.refused.length > 0)
      return yield* new Refused({ message: told.refused.map(({ problem }) => problem).join("; ") })
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
    return yield* new Refused({
      message: `the webhook endpoint \`${endpointId}\` is disabled: enable it first`
    })
  const failures = yield* standingFailures(owner, id, { before: undefined, limit: redeliveredMax })
  return failures.map((failure) => failure.id).toReversed()
})

interface Asked {
  readonly id: string
  readonly queued: Queued
}

const redeliverOne = Effect.fnUntraced(function* (owner: Owner, text: string) {
  const id = asUuid(text)
  const { redeliver } = yield* WebhookDeliveries
  const queued = id === undefined ? { _tag: "unknown" as const } : yield* redeliver(owner, id)
  const asked: Asked = { id: text, queued }
  return asked
})

const tellOf = (asked: ReadonlyArray<Asked>, mode: Mode): Told => ({
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

const sayQueued = Effect.fnUntraced(function* ({ queued, refused }: Told) {
  for (const one of queued) yield* Console.log(`${one.redelivers} is queued again as ${one.delivery_id}`)
  if (queued.length >= redeliveredMax)
    yield* Console.error(`these are ${queued.length}: run it again for what is older`)
  if (queued.length > 0) yield* sayWhoSends
  else if (refused.length === 0) yield* Console.log("nothing has failed: nothing is redelivered")
})
