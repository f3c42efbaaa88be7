/** `action-risk demo`: starts everything, assesses every example over HTTP, prints a table, and stops everything. */

import { Console, Effect, FileSystem, Layer, References } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { basename, join } from "node:path"
import { assessPath } from "../../api/Actions.ts"
import { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { AppConfig } from "../../config.ts"
import { answerMs } from "../../limits.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { ListeningServer } from "../../server/HttpServer.ts"
import { ApiKeys } from "../../storage/ApiKeys.ts"
import { Organizations } from "../../storage/Organizations.ts"
import { headings, levelStyle, type Row, table, currentTerminal, type Terminal, wrap } from "../Terminal.ts"
import { Service } from "./Service.ts"
import { demoConsole } from "./demoConsole.ts"
import { switchFlag } from "../flags.ts"
import { verb } from "../verb.ts"

/** The demo gets its own folder, port and database, so that it touches nothing of the operator's. */
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
    adminPort: null,
    consolePort: null
  })
})

const introduction =
  "Each request below was sent to a service that was started for it, on a PostgreSQL of its own, by an organization without history. No one acted on the answers: they are opinions."

const nextSteps = [
  ["one in full", "npx action-risk assess examples/requests/stripe-payout.json"],
  ["your own service", "npm start"],
  ["and then", "README.md, the first ten minutes"]
]

/** One organization per example, so that no example is part of another's history. */
const assessExamples = Effect.gen(function* () {
  const { url } = yield* ListeningServer
  return yield* Effect.forEach(yield* examples, ({ body, name }) =>
    createDemoKey(name).pipe(
      Effect.flatMap((key) => assessOverHttp(url, key, body)),
      Effect.map((response) => ({ name, response }))
    )
  )
})

export const demo = verb({
  about: "Start everything, assess every example over HTTP, print a table, stop everything",
  takes: {
    console: switchFlag(
      "console",
      "Show thirty days of a made-up organization in the console instead, until it is stopped"
    )
  },
  fails: "the service could not be started",
  examples: {
    "": "Takes a few seconds and leaves nothing behind",
    "--console": "Prints a link that signs in to the console"
  },
  run: Effect.fnUntraced(function* (options) {
    const screen = currentTerminal()
    yield* Console.log(screen.color("dim", "Starting PostgreSQL and the service …"))
    const settings = yield* ownSettings
    if (options.console) return yield* demoConsole(settings)
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
        ...wrap(introduction, screen.width),
        "",
        ...exampleTable(screen, assessed),
        "",
        screen.color("dim", `${assessed.length} assessments, risk engine ${engine}`),
        "",
        ...table(screen, nextSteps)
      ].join("\n")
    )
  }, Effect.scoped)
})

const folder = join(packageRoot, "examples/requests")

/** Sorted by name. */
const examples = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const names = (yield* files.readDirectory(folder)).filter((name) => name.endsWith(".json"))
  return yield* Effect.forEach(names.toSorted(), (name) =>
    Effect.map(files.readFile(join(folder, name)), (body) => ({ name: basename(name, ".json"), body }))
  )
})

/** Creates an organization in the demo's database. Returns a test key for it. */
const createDemoKey = Effect.fnUntraced(function* (slug: string) {
  const organization = yield* Organizations.use(({ create }) =>
    create({ slug, name: slug, policySet: "none" })
  )
  const { key } = yield* ApiKeys.use(({ create }) =>
    create(organization, { mode: "test", scopes: ["assess"], environments: null, expiresAt: null })
  )
  return key
})

const assessOverHttp = Effect.fnUntraced(function* (url: string, key: string, body: Uint8Array) {
  const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
  return yield* HttpClientRequest.post(`${url}${assessPath}`).pipe(
    HttpClientRequest.bearerToken(key),
    HttpClientRequest.bodyUint8Array(body, "application/json"),
    client.execute,
    Effect.flatMap(HttpClientResponse.schemaBodyJson(AssessmentResponse)),
    Effect.timeout(answerMs)
  )
})

type Assessed = Effect.Success<typeof assessExamples>[number]

/** In a narrower terminal, the first factor moves to a second line below the control. */
const oneLineWidthMin = 100

/** Lowest score first. */
const exampleTable = (screen: Terminal, assessed: ReadonlyArray<Assessed>): ReadonlyArray<string> => {
  const rows = assessed.toSorted((a, b) => scoreOf(a) - scoreOf(b))
  const titles = ["request", "risk", "", "blast", "recommended control"]
  if (screen.width >= oneLineWidthMin) {
    const inOne = rows.map((each) => [...cells(each), firstFactor(each)])
    return table(screen, [headings(...titles, "first factor"), ...inOne])
  }
  const below = (each: Assessed): Row => ["", "", "", "", { text: firstFactor(each), style: "dim" }]
  return table(screen, [headings(...titles), ...rows.flatMap((each) => [cells(each), below(each)])])
}

const scoreOf = ({ response }: Assessed): number => response.action_risk.score

const cells = ({ name, response }: Assessed): Row => {
  const { action_risk: risk, blast_radius: blast, recommended_control: control } = response
  return [
    name,
    { text: risk.level, style: levelStyle[risk.level] },
    { text: String(risk.score), align: "right" },
    { text: String(blast.score), align: "right" },
    controlWords(control.type)
  ]
}

const controlWords = (type: string): string =>
  type
    .replace(/_RECOMMENDED$/, "")
    .replaceAll("_", " ")
    .toLowerCase()

const firstFactor = ({ response }: Assessed): string => response.risk_factors[0]?.code ?? ""
