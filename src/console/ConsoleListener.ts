/** The console has a listener separate from the API's: pages for people, with a sign-in. A problem with it never keeps the API from starting. */

import { Context, Effect, Layer } from "effect"
import { Assessments } from "../assessment/Assessments.ts"
import { Figures } from "../assessment/Figures.ts"
import { Reviews } from "../assessment/Reviews.ts"
import { AppConfig } from "../config.ts"
import { SealedEvidence } from "../evidence/SealedEvidence.ts"
import { OwnHistory } from "../assessment/OwnHistory.ts"
import { RecordedAssessments } from "../evidence/recorded/RecordedAssessments.ts"
import { RuleLibrary } from "../rules/library/RuleLibrary.ts"
import { EventStreams } from "../server/EventStreams.ts"
import { HeldPerAddressMax, boundConnections, makeClients } from "../server/Clients.ts"
import { urlOf } from "../environment.ts"
import { answerParserErrors, serveRequests } from "../server/listener.ts"
import { createNodeServer, listen } from "../server/nodeServer.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import { SignIn } from "./SignIn.ts"
import { assetPath } from "./assets.ts"
import { makeConsoleEdge, makeCounter, type ScreenWith } from "./consoleEdge.ts"
import { type ConsolePlace, isHttps } from "./respond.ts"
import { assessmentScreens } from "./assessmentScreens.ts"
import { evidenceScreens } from "./evidenceScreens.ts"
import { ruleScreens } from "./ruleScreens.ts"
import { listScreens } from "./listScreens.ts"
import { makeOpenScreens, startScreens } from "./screens.ts"
import { suggestionScreens } from "./suggestionScreen.ts"
import { webhookScreens } from "./webhookScreens.ts"

/** The services that the screens use. */
type ScreenNeeds =
  | AppConfig
  | Assessments
  | Deliveries
  | Endpoints
  | EventStreams
  | Figures
  | OwnHistory
  | RecordedAssessments
  | Reviews
  | RuleLibrary
  | SealedEvidence
  | SignIn

/** Accepts connections until its scope closes. Returns the actual port. */
const serve = Effect.fnUntraced(function* (place: ConsolePlace, port: number) {
  const secure = isHttps(place)
  const { trustedProxies } = yield* AppConfig
  // Fails at startup if a file is missing, and not at the first page.
  yield* Effect.sync(() => assetPath("css"))
  const spend = yield* makeCounter
  const open = yield* makeOpenScreens(spend, secure)
  const signedIn: ReadonlyArray<ScreenWith<ScreenNeeds>> = [
    ...startScreens(secure),
    ...listScreens,
    ...assessmentScreens,
    ...suggestionScreens,
    ...ruleScreens,
    ...evidenceScreens,
    ...webhookScreens
  ]
  const edge = yield* makeConsoleEdge({ open, signedIn }, spend, place)
  const clients = makeClients(trustedProxies, yield* HeldPerAddressMax)
  const server = createNodeServer()
  boundConnections(server, clients)
  const requests = serveRequests(server, edge, clients, Effect.runFork)
  answerParserErrors(server, edge, requests, clients, Effect.runFork)
  return yield* Effect.acquireRelease(listen(server, place.host, port, "CONSOLE_PORT or CONSOLE_HOST"), () =>
    // Does not drain: people can reload a page. The API drains, because programs would lose an answer.
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
})

export class ConsoleListener extends Context.Service<
  ConsoleListener,
  {
    /** The URL for browsers; null without a console. */
    readonly url: string | null
  }
>()("action-risk/console/ConsoleListener") {
  /** Needs the stores of the service, the key hasher and the rules. Builds nothing if the console is disabled. */
  static readonly layer = Layer.unwrap(
    Effect.map(AppConfig, ({ consoleHost, consolePort, consoleUrl }) =>
      consolePort === null ? none : listening(consoleHost, consolePort, consoleUrl)
    )
  )
}

const none = Layer.succeed(ConsoleListener, { url: null })

const listening = (host: string, wanted: number, consoleUrl: string | null) =>
  Layer.effect(
    ConsoleListener,
    serve({ host, url: consoleUrl }, wanted).pipe(
      Effect.map((port) => ConsoleListener.of({ url: consoleUrl ?? urlOf(host, port) })),
      Effect.catchTag("CannotListen", ({ message }) =>
        Effect.as(Effect.logWarning(`no console: ${message}`), ConsoleListener.of({ url: null }))
      ),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("no console", defect), ConsoleListener.of({ url: null }))
      )
    )
  ).pipe(
    Layer.provide([
      Assessments.layer,
      EventStreams.layer,
      Reviews.layer,
      OwnHistory.layer,
      RecordedAssessments.layer,
      Figures.layer,
      RuleLibrary.layer,
      SealedEvidence.layer,
      Endpoints.layer,
      Deliveries.layer,
      SignIn.layer
    ])
  )
