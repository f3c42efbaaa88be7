/** `action-risk console`: the operator creates a link that signs one person in to the console, once. */

import { Effect, Layer, Schema } from "effect"
import { Flag } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { makeLink } from "../../console/SignIn.ts"
import { type Mode, modes } from "../../domain/Caller.ts"
import { consoleLinkSeconds } from "../../limits.ts"
import { urlOf } from "../../environment.ts"
import { organizationOf, pepperedStores, Stores } from "../Stores.ts"
import { refuse } from "../commandFailures.ts"
import { databaseSettings, elseNull, flagOr, keyNameFlag, orgFlag } from "../flags.ts"
import { members, ownerFields, string } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

const linkShape = members({
  url: string("Signs in the first person who opens it."),
  ...ownerFields,
  expiresInSeconds: Schema.Int
})

/** The URL of the console, from the settings that this command shares with the service. */
const consoleAddress = Effect.gen(function* () {
  const { consoleHost, consolePort, consoleUrl } = yield* AppConfig
  if (consolePort === null)
    return yield* refuse("the service has no console: set CONSOLE_PORT for the service and this command")
  if (consoleUrl !== null) return consoleUrl
  if (consolePort === 0)
    return yield* refuse("the console's port is unknown: set CONSOLE_PORT for the service and this command")
  return urlOf(consoleHost, consolePort)
})

const linkTo = Effect.fnUntraced(function* (org: string, mode: Mode, name: string | null) {
  return yield* makeLink(yield* organizationOf(org), mode, name)
})

export const consoleLink = verb({
  about: "Create a sign-in link for the console; it works once, within a minute",
  takes: {
    org: orgFlag,
    mode: flagOr(
      Flag.Literals("mode", modes),
      "test" as const,
      "Whether it shows live or test data (default: test)"
    ),
    name: elseNull(keyNameFlag, "The person who signs in with it: closed reviews show this name")
  },
  prints: linkShape,
  fails: "there is no such organization, or no console is configured",
  reads: `${databaseSettings}, \`CONSOLE_PORT\`, \`CONSOLE_HOST\`, \`CONSOLE_URL\` and, with an external database, \`KEY_PEPPER\``,
  examples: {
    "--org acme": "To its test data",
    "--org acme --mode live --name 'Ada, risk desk'": "To its live data, under a name"
  },
  run: Effect.fnUntraced(function* ({ mode, name, org }) {
    const address = yield* consoleAddress
    const path = yield* linkTo(org, mode, name).pipe(
      Effect.provide(pepperedStores.pipe(Layer.provideMerge(Stores)))
    )
    const url = `${address}${path}`
    return {
      json: () => ({ url, organization: org, mode, expiresInSeconds: consoleLinkSeconds }),
      text: () => url,
      note: `works once, within ${consoleLinkSeconds} s; it shows the ${mode} data of ${org}`
    }
  })
})
