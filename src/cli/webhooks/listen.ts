/** `action-risk webhooks listen`: receives deliveries on this machine and prints each of them, until a signal ends it. */

import { Console, Effect, Option, Schema } from "effect"
import { CliError, Flag } from "effect/cli"
import { IsoMillis } from "../../api/Scalars.ts"
import { AppConfig } from "../../config.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { webhookSecret } from "../../environment.ts"
import { shownName } from "../../foreignText.ts"
import { quotedTextMax } from "../../limits.ts"
import { currentTerminal, levelStyle, printable, type Terminal } from "../Terminal.ts"
import { endsBySignal } from "../exit.ts"
import { integerFlag } from "../flags.ts"
import { receive, type ReceivedDelivery } from "./receive.ts"
import { verb } from "../verb.ts"

export const webhooksListenSchema = Schema.Struct({
  received_at: IsoMillis,
  webhook_id: Schema.NullOr(Schema.String).annotate({
    description: "The header webhook-id; null where it is missing."
  }),
  again: Schema.Boolean.annotate({ description: "Whether a delivery with this id was received before." }),
  verified: Schema.NullOr(Schema.Boolean).annotate({ description: "Null without a secret." }),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "Why the delivery is not verified; null where it is."
  }),
  answered: Schema.Int.annotate({ description: "The status of the answer." }),
  event: Schema.Unknown.annotate({
    description: "The body, as docs/webhooks.md describes it; null where it is not JSON."
  })
})

const secretFlag = Flag.String("secret").pipe(
  Flag.withDescription("The endpoint's secret, to verify with (default: the variable WEBHOOK_SECRET)"),
  Flag.withMetavar("whsec_…"),
  Flag.mapEffect((text) => {
    const read = webhookSecret(text)
    return read === undefined
      ? Effect.fail(
          // The message does not repeat the value: it may be a real secret with one letter missing.
          new CliError.InvalidValue({
            option: "secret",
            value: "…",
            expected: "a secret like whsec_…",
            kind: "flag"
          })
        )
      : Effect.succeed(read)
  }),
  Flag.withDefault(null)
)

export const listenForWebhooks = verb({
  about: "Receive webhooks on this machine and print them, verified where a secret is given",
  takes: {
    port: integerFlag("port", 0, 65_535, "a port from 0 to 65535, where 0 picks a free one").pipe(
      Flag.withDescription("The port on 127.0.0.1; 0 picks a free one (default: 4000)"),
      Flag.withDefault(4000)
    ),
    secret: secretFlag,
    answer: integerFlag("answer", 200, 599, "a status from 200 to 599").pipe(
      Flag.withDescription("The status to answer with, to rehearse failures (default: 204)"),
      Flag.withMetavar("status"),
      Flag.withDefault(204)
    )
  },
  prints: webhooksListenSchema,
  printsForEach: "delivery",
  fails: "the port is taken",
  reads: "`WEBHOOK_SECRET`",
  examples: {
    "WEBHOOK_SECRET=whsec_… action-risk webhooks listen":
      "On http://127.0.0.1:4000, with verification; other users of the machine can see --secret, but not a variable",
    "--answer 500": "To see how the service repeats failed deliveries",
    "--json | jq .event.data.action_risk.level": "For scripts, one line for each delivery"
  },
  run: Effect.fnUntraced(
    function* (options) {
      const { webhookSecret } = yield* AppConfig
      const secret = options.secret ?? webhookSecret
      const screen = currentTerminal()
      const url = yield* receive({ port: options.port, secret, answer: options.answer }, (delivery) =>
        Console.log(
          options.json
            ? JSON.stringify(receivedDeliveryJson(delivery))
            : renderReceivedDelivery(screen, delivery)
        )
      )
      const print = options.json ? Console.error : Console.log
      if (secret === null)
        yield* Console.error("deliveries are not verified: give --secret or WEBHOOK_SECRET")
      yield* print(`listening for webhooks on ${url}`)
      return yield* Effect.never
    },
    Effect.scoped,
    endsBySignal
  )
})

const receivedDeliveryJson = (delivery: ReceivedDelivery): typeof webhooksListenSchema.Encoded => ({
  received_at: delivery.receivedAt.toISOString(),
  webhook_id: delivery.eventId,
  again: delivery.again,
  verified: delivery.verified,
  problem: delivery.problem,
  answered: delivery.answered,
  event: delivery.event
})

/** The members of an event that are printed. The sender is not trusted, so nothing else reaches the terminal. */
const ShownEvent = Schema.Struct({
  type: Schema.String,
  data: Schema.Struct({
    normalized_action_type: Schema.optionalKey(Schema.String),
    environment: Schema.optionalKey(Schema.String),
    action_risk: Schema.optionalKey(
      Schema.Struct({ score: Schema.Number, level: Schema.Literals(actionRiskLevels) })
    ),
    recommended_control: Schema.optionalKey(Schema.Struct({ type: Schema.String })),
    links: Schema.optionalKey(Schema.Struct({ assessment: Schema.String }))
  })
})
type ShownEvent = typeof ShownEvent.Type

const decodeShownEvent = Schema.decodeUnknownOption(ShownEvent)

const indent = " ".repeat(10)

const eventLines = ({ color }: Terminal, { data, type }: ShownEvent): ReadonlyArray<string> => {
  const { action_risk: risk, normalized_action_type: action, recommended_control: control } = data
  const badge =
    risk === undefined
      ? ""
      : ` ${color(levelStyle[risk.level], ` ${risk.level.toUpperCase()} ${risk.score} `)}`
  const asked =
    action === undefined
      ? ""
      : ` ${shownName(action, quotedTextMax)} in ${shownName(data.environment ?? "", quotedTextMax)}`
  const links = data.links === undefined ? [] : [data.links.assessment]
  const advice = control === undefined ? [] : [control.type]
  return [
    `${printable(type)}${badge}${asked}`,
    ...[...advice, ...links].map((line) => indent + printable(line))
  ]
}

const verificationLine = (
  { color }: Terminal,
  { again, answered, eventId, problem, verified }: ReceivedDelivery
): string => {
  const words = [
    eventId === null ? "without an id" : printable(eventId),
    problem === null
      ? color("green", "verified")
      : color(verified === null ? "yellow" : "red", `not verified: ${problem}`),
    ...(again ? [color("yellow", "came before")] : []),
    `answered ${answered}`
  ]
  return indent + words.join(", ")
}

/** A delivery for people: the event first, then whether its signature was verified. */
const renderReceivedDelivery = (screen: Terminal, delivery: ReceivedDelivery): string => {
  const time = screen.color("dim", delivery.receivedAt.toISOString().slice(11, 19))
  const [first, ...more] = Option.match(decodeShownEvent(delivery.event), {
    onNone: () => ["something that is no event of ours"],
    onSome: (event) => eventLines(screen, event)
  })
  return [`${time}  ${first}`, ...more, verificationLine(screen, delivery)].join("\n")
}
