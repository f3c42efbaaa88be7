/** `action-risk serve`: the service, until a signal ends it. */

import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { ListeningServer } from "../../server/Http.ts"
import { letNewSpaceGrow } from "../newSpace.ts"
import { json } from "../options/json.ts"
import { terminal } from "../render/Sheet.ts"
import { Service } from "../Service.ts"
import { telemetry } from "../telemetry.ts"
import { firstKey } from "./serve/firstKey.ts"
import { welcome } from "./serve/welcome.ts"

export const serve = Command.make(
  "serve",
  { json },
  Effect.fnUntraced(
    function* (options) {
      const { url } = yield* ListeningServer
      const created = yield* firstKey
      if (options.json) {
        yield* Console.log(
          JSON.stringify({ url, organization: created?.organization ?? null, key: created?.key ?? null })
        )
      } else {
        if (created !== null) yield* Console.log(welcome(terminal(), created, url))
        yield* Console.log(`action-risk listening on ${url}`)
      }
      letNewSpaceGrow()
      return yield* Effect.never
    },
    Effect.provide(Service.pipe(Layer.provideMerge(telemetry))),
    // A signal is how a service ends, not a failure.
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        process.exitCode = 0
      })
    )
  )
).pipe(
  Command.withDescription(
    "Serve the API; on an empty embedded database also make an organization and a test key"
  ),
  Command.withExamples([
    { command: "action-risk serve", description: "On http://127.0.0.1:3000, with the embedded PostgreSQL" },
    {
      command: "DATABASE_URL=postgres://… KEY_PEPPER=… HOST=0.0.0.0 action-risk serve",
      description: "On an external PostgreSQL, reachable from other machines"
    }
  ])
)
