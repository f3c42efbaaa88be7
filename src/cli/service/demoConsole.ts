/** `action-risk demo --console`: thirty days of an organization that does not exist, in the console, until it is stopped. */

import { Clock, Console, Effect, Layer, References } from "effect"
import { AppConfig, type Settings } from "../../config.ts"
import { ConsoleListener } from "../../console/ConsoleListener.ts"
import { makeLink } from "../../console/SignIn.ts"
import type { Scope } from "../../domain/Caller.ts"
import { consoleLinkSeconds } from "../../limits.ts"
import { ListeningServer } from "../../server/HttpServer.ts"
import { ApiKeys } from "../../storage/ApiKeys.ts"
import { Organizations } from "../../storage/Organizations.ts"
import { newDatabaseLayer } from "../../storage/openDatabase.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"
import { pepperedStores, storesOn } from "../Stores.ts"
import { currentTerminal, type Terminal, wrap } from "../Terminal.ts"
import { withProgress } from "../progress.ts"
import { Service } from "./Service.ts"
import { makeReceivers, settleDeliveries } from "./demoWebhooks.ts"
import { playStory, storyMode } from "./playStory.ts"

const slug = "northwind"

/** The scopes of a reviewer's key. It has none that an agent needs. */
const consoleScopes: ReadonlyArray<Scope> = ["read", "reviews", "explain", "rules", "webhooks"]

/** The name on the closed reviews of the thirty days. */
const reviewer = "Ada, risk desk"

const newKey = Effect.fnUntraced(function* (scopes: ReadonlyArray<Scope>) {
  const organization = yield* Organizations.use(({ bySlug }) => bySlug(slug))
  return yield* ApiKeys.use(({ create }) =>
    create(organization, { mode: storyMode, scopes, environments: null, expiresAt: null })
  )
})

/** Creates the organization and plays its thirty days. Gives the number of its assessments. */
const livePast = Effect.gen(function* () {
  const created = yield* Organizations.use(({ create }) =>
    create({ slug, name: "Northwind", policySet: "starter" })
  )
  const { id: keyId } = yield* newKey(["assess"])
  const caller = {
    organizationId: created.id,
    organization: slug,
    mode: storyMode,
    keyId,
    keyName: reviewer,
    scopes: ["assess"],
    environments: null,
    policySet: created.policySet
  } as const
  const nowMs = yield* Clock.currentTimeMillis
  yield* makeReceivers(caller)
  const assessments = yield* withProgress({ title: "thirty days", unit: "assessments" }, ({ at }) =>
    playStory(caller, nowMs, at)
  )
  yield* settleDeliveries(caller)
  return assessments
}).pipe(
  Effect.provide(
    Endpoints.layer.pipe(
      Layer.provideMerge(pepperedStores),
      Layer.provideMerge(storesOn),
      Layer.provideMerge(newDatabaseLayer)
    )
  )
)

const introduction = (assessments: number): string =>
  `${assessments} assessments of thirty days wait for you, of an organization that does not exist: six agents, three reviews that are open, one attack, and a webhook endpoint that has been dead for six days. No one acted on the answers: they are opinions. Ctrl-C ends it and leaves nothing behind.`

const welcome = (
  screen: Terminal,
  shown: { readonly assessments: number; readonly link: string; readonly key: string; readonly url: string }
): string =>
  [
    "",
    ...wrap(introduction(shown.assessments), screen.width),
    "",
    `  ${screen.color("bold", shown.link)}`,
    "",
    `It signs in once, within ${consoleLinkSeconds} seconds; afterwards sign in with ${shown.key}`,
    `The API of the same organization listens on ${shown.url}`
  ].join("\n")

/** Runs until it is interrupted. */
export const demoConsole = Effect.fnUntraced(
  function* (settings: Settings) {
    const own = Layer.succeed(AppConfig, AppConfig.of({ ...settings, consolePort: 0, consoleUrl: null }))
    const assessments = yield* livePast.pipe(Effect.provide(own))
    return yield* Effect.gen(function* () {
      const { url } = yield* ConsoleListener
      const { url: api } = yield* ListeningServer
      const organization = yield* Organizations.use(({ bySlug }) => bySlug(slug))
      const { key } = yield* newKey(consoleScopes)
      const link = `${url ?? ""}${yield* makeLink(organization, storyMode, "you, in the demo")}`
      yield* Console.log(welcome(currentTerminal(), { assessments, link, key, url: api }))
      return yield* Effect.never
    }).pipe(Effect.provide(Service.pipe(Layer.provide(own))))
  },
  Effect.provideService(References.MinimumLogLevel, "Error")
)
