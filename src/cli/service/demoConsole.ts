/** `action-risk demo --console`: thirty days of an organization that does not exist, in the console, until it is stopped. */

import { PgClient } from "@effect/sql-pg"
import { Clock, Console, Effect, Layer, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { AppConfig, type Settings } from "../../config.ts"
import { ConsoleListener } from "../../console/ConsoleListener.ts"
import { makeLink } from "../../console/SignIn.ts"
import type { Caller, Scope } from "../../domain/Caller.ts"
import { consoleLinkSeconds } from "../../limits.ts"
import { ListeningServer } from "../../server/HttpServer.ts"
import { ApiKeys } from "../../storage/ApiKeys.ts"
import { Database } from "../../storage/Database.ts"
import { Organizations } from "../../storage/Organizations.ts"
import { newDatabaseLayer } from "../../storage/openDatabase.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"
import { pepperedStores, storesOn } from "../Stores.ts"
import { currentTerminal, type Terminal, wrap } from "../Terminal.ts"
import { withProgress } from "../progress.ts"
import { Service } from "./Service.ts"
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

const events = ["assessment.high", "assessment.critical"] as const

const receivers = {
  pager: { url: "https://pager.northwind.example/risk", description: "On-call pager of the platform team" },
  siem: { url: "https://siem.northwind.example/ingest/action-risk", description: "Security event store" }
} as const

const goneDays = 6
/** The service disabled the endpoint this long ago and has sent it nothing since. */
const toldDays = 1

const owner = Effect.gen(function* () {
  const { url } = yield* Database
  return yield* PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
})

/** Runs before the story, so that the endpoints receive its events. */
const makeReceivers = Effect.fnUntraced(function* (caller: Caller) {
  const { create } = yield* Endpoints
  for (const { description, url } of Object.values(receivers))
    yield* create({ caller, requestId: "", idempotencyKey: null }, { url, description, events: [...events] })
})

/**
 * Gives each delivery its result, as if the relay had worked for thirty days. So nothing is left to send to a host that does
 * not exist.
 */
const settleDeliveries = Effect.fnUntraced(function* ({ mode, organizationId }: Caller) {
  const sql = yield* owner
  const gone = `now() - interval '${goneDays} days'`
  const siem = `SELECT endpoint_id FROM ${mode}.webhook_endpoints WHERE url = '${receivers.siem.url}'`
  const statements = [
    `UPDATE ${mode}.webhook_deliveries SET next_attempt_at = NULL, status = 'delivered', attempts = 1, last_status = 204
      WHERE organization_id = $1`,
    // A retry that arrived.
    `UPDATE ${mode}.webhook_deliveries SET attempts = 2 WHERE organization_id = $1 AND delivery_id IN (
      SELECT delivery_id FROM ${mode}.webhook_deliveries JOIN ${mode}.webhook_endpoints USING (organization_id, endpoint_id)
      WHERE url = '${receivers.pager.url}' ORDER BY delivery_id DESC OFFSET 3 LIMIT 1
    )`,
    `UPDATE ${mode}.webhook_deliveries SET status = 'dead', attempts = 8, last_status = 503
      WHERE organization_id = $1 AND created_at > ${gone} AND endpoint_id IN (${siem})`,
    `DELETE FROM ${mode}.webhook_deliveries
      WHERE organization_id = $1 AND created_at > now() - interval '${toldDays} days' AND endpoint_id IN (${siem})`,
    `UPDATE ${mode}.webhook_endpoints SET created_at = now() - interval '30 days',
      enabled = url <> '${receivers.siem.url}', failing_since = CASE WHEN url = '${receivers.siem.url}' THEN ${gone} END
      WHERE organization_id = $1`
  ]
  for (const statement of statements) yield* sql.unsafe(statement, [organizationId])
}, Effect.scoped)
