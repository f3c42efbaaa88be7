/** `action-risk demo`: starts everything, assesses every example over HTTP, prints a table, stops everything. */

import { Console, Effect, FileSystem, Layer, References } from "effect"
import { Command } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { AppConfig } from "../../Config.ts"
import { ListeningServer } from "../../server/Http.ts"
import { terminal } from "../render/Sheet.ts"
import { table } from "../render/table.ts"
import { wrap } from "../render/wrap.ts"
import { Service } from "../Service.ts"
import { assessOver } from "./demo/assessOver.ts"
import { examples } from "./demo/examples.ts"
import { newcomer } from "./demo/newcomer.ts"
import { overview } from "./demo/overview.ts"

/** Nothing of the operator's is touched: the demo has a folder, a port and a database of its own. */
const ownSettings = Effect.gen(function* () {
  const operator = yield* AppConfig
  const files = yield* FileSystem.FileSystem
  const dataDirectory = yield* files.makeTempDirectoryScoped({ prefix: "action-risk-demo-" })
  return AppConfig.of({
    ...operator,
    port: 0,
    host: "127.0.0.1",
    publicUrl: null,
    databaseUrl: null,
    keyPeppers: null,
    dataDirectory,
    adminPort: null
  })
})

const introduction =
  "Each request below was sent to a service that was started for it, on a PostgreSQL of its own, by an organization without history. Nobody acted on the answers: they are opinions."

const nextSteps = [
  ["one in full", "npx action-risk assess examples/requests/stripe-payout.json"],
  ["your own service", "npm start"],
  ["and then", "README.md, the first ten minutes"]
]

/** An organization for each example, so that none becomes the history of another. */
const assessExamples = Effect.gen(function* () {
  const { url } = yield* ListeningServer
  return yield* Effect.forEach(yield* examples, (example) =>
    newcomer(example.name).pipe(
      Effect.flatMap((key) => assessOver(url, key, example)),
      Effect.map((response) => ({ name: example.name, response }))
    )
  )
})

export const demo = Command.make(
  "demo",
  {},
  Effect.fnUntraced(function* () {
    const sheet = terminal()
    yield* Console.log(sheet.ink("dim", "Starting PostgreSQL and the service …"))
    const settings = yield* ownSettings
    const assessed = yield* assessExamples.pipe(
      Effect.provide(
        Service.pipe(Layer.provide(Layer.succeed(AppConfig, settings)), Layer.merge(FetchHttpClient.layer))
      ),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
    const engine = assessed[0]?.response.risk_engine_version ?? "unknown"
    yield* Console.log(
      [
        "",
        ...wrap(introduction, sheet.width),
        "",
        ...overview(sheet, assessed),
        "",
        sheet.ink("dim", `${assessed.length} assessments, risk engine ${engine}`),
        "",
        ...table(sheet, nextSteps)
      ].join("\n")
    )
  }, Effect.scoped)
).pipe(
  Command.withDescription("Start everything, assess every example over HTTP, print a table, stop everything"),
  Command.withExamples([
    { command: "action-risk demo", description: "Takes a few seconds and leaves nothing behind" }
  ])
)
