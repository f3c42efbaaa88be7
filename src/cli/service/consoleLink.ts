/** `action-risk console`: the operator makes a link that signs one person in to the console, once. */

import { Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { makeLink } from "../../console/SignIn.ts"
import { type Mode, modes } from "../../domain/Caller.ts"
import { consoleLinkSeconds } from "../../limits.ts"
import { urlOf } from "../../environment.ts"
import { organizationOf, orgFlag, pepperedStores, Stores } from "../Stores.ts"
import { CommandRefused } from "../commandFailures.ts"
import { jsonFlag, keyNameFlag } from "../flags.ts"

/** What `action-risk console link --json` prints. */
export const consoleLinkSchema = Schema.Struct({
  url: Schema.String.annotate({ description: "Signs in whoever follows it first." }),
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  expires_in_seconds: Schema.Int
})

/** The URL at which the service offers its console, from the settings that this command shares with it. */
const consoleAddress = Effect.gen(function* () {
  const { consoleHost, consolePort, consoleUrl } = yield* AppConfig
  if (consolePort === null)
    return yield* new CommandRefused({ message: "the service has no console: set CONSOLE_PORT for both" })
  if (consoleUrl !== null) return consoleUrl
  if (consolePort === 0)
    return yield* new CommandRefused({
      message: "the console's port is not known: set CONSOLE_PORT for both"
    })
  return urlOf(consoleHost, consolePort)
})

const linkTo = Effect.fnUntraced(function* (org: string, mode: Mode, name: string | null) {
  return yield* makeLink(yield* organizationOf(org), mode, name)
})

const link = Command.make(
  "link",
  {
    org: orgFlag,
    mode: Flag.Literals("mode", modes).pipe(
      Flag.withDescription("Whether it shows live or test data (default: test)"),
      Flag.withDefault("test" as const)
    ),
    name: keyNameFlag.pipe(
      Flag.withDescription("Whom it signs in: reviews say who closed them"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, mode, name, org }) {
    const address = yield* consoleAddress
    const path = yield* linkTo(org, mode, Option.getOrNull(name)).pipe(
      Effect.provide(pepperedStores.pipe(Layer.provideMerge(Stores)))
    )
    const url = `${address}${path}`
    if (json) {
      const printed = { url, organization: org, mode, expires_in_seconds: consoleLinkSeconds }
      return yield* Console.log(JSON.stringify(printed))
    }
    yield* Console.log(url)
    yield* Console.error(`good once, for ${consoleLinkSeconds} s; it shows the ${mode} data of ${org}`)
  })
).pipe(
  Command.withDescription("Make a link that signs in to the console, once, for a minute"),
  Command.withExamples([
    { command: "action-risk console link --org acme", description: "To what it has in test mode" },
    {
      command: "action-risk console link --org acme --mode live --name 'Ada, risk desk'",
      description: "To its live data, under a name"
    }
  ])
)

export const consoleCommand = Command.make("console").pipe(
  Command.withDescription("Sign people in to the console, the pages for reviewers and analysts"),
  Command.withSubcommands([link])
)
