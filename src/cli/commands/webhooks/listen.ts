/** `action-risk webhooks listen`: a receiver on this machine that prints every delivery, until a signal ends it. */

import { Console, Effect, Option } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { AppConfig } from "../../../Config.ts"
import { webhookSecret } from "../../../config/readers.ts"
import { integer } from "../../options/integer.ts"
import { terminal } from "../../render/Sheet.ts"
import { renderArrival } from "../../render/webhooks/arrival.ts"
import { arrivalJson } from "../../webhooks/arrivalJson.ts"
import { receive } from "../../webhooks/receive.ts"

const secret = Flag.String("secret").pipe(
  Flag.withDescription("The endpoint's secret, to verify with (default: the variable WEBHOOK_SECRET)"),
  Flag.withMetavar("whsec_…"),
  Flag.mapEffect((text) => {
    const read = webhookSecret(text)
    return read === undefined
      ? Effect.fail(
          // The value stays out of the message: it may be a real secret with a letter too few.
          new CliError.InvalidValue({
            option: "secret",
            value: "…",
            expected: "a secret like whsec_…",
            kind: "flag"
          })
        )
      : Effect.succeed(read)
  }),
  Flag.optional
)

export const listen = Command.make(
  "listen",
  {
    port: integer("port", 0, 65_535, "a port from 0 to 65535, where 0 picks a free one").pipe(
      Flag.withDescription("The port on 127.0.0.1; 0 picks a free one (default: 4000)"),
      Flag.withDefault(4000)
    ),
    secret,
    answer: integer("answer", 200, 599, "a status from 200 to 599").pipe(
      Flag.withDescription("The status to answer with, to rehearse failures (default: 204)"),
      Flag.withMetavar("status"),
      Flag.withDefault(204)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print one JSON document on a line for each delivery and nothing else"),
      Flag.withDefault(false),
      Flag.withoutNegation
    )
  },
  Effect.fnUntraced(
    function* (options) {
      const { webhookSecret } = yield* AppConfig
      const secret = Option.getOrElse(options.secret, () => webhookSecret)
      const sheet = terminal()
      const url = yield* receive({ port: options.port, secret, answer: options.answer }, (arrival) =>
        Console.log(options.json ? JSON.stringify(arrivalJson(arrival)) : renderArrival(sheet, arrival))
      )
      const say = options.json ? Console.error : Console.log
      if (secret === null)
        yield* Console.error("deliveries are not verified: give --secret or WEBHOOK_SECRET")
      yield* say(`webhooks are heard on ${url}`)
      return yield* Effect.never
    },
    Effect.scoped,
    // A signal is how listening ends, not a failure.
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        process.exitCode = 0
      })
    )
  )
).pipe(
  Command.withDescription(
    "Receive webhooks on this machine and print them, verified where a secret is given"
  ),
  Command.withExamples([
    {
      command: "WEBHOOK_SECRET=whsec_… action-risk webhooks listen",
      description:
        "On http://127.0.0.1:4000, verifying; other users of the machine see --secret, not a variable"
    },
    {
      command: "action-risk webhooks listen --answer 500",
      description: "To see how failures are tried again"
    },
    {
      command: "action-risk webhooks listen --json | jq .event.data.action_risk.level",
      description: "For scripts, one line for each delivery"
    }
  ])
)
