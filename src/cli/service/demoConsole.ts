/** `action-risk demo --console`: shows thirty days of a fictional organization in the console until it is stopped. */

import { Clock, Console, Effect, Layer, References } from "effect"
import { AppConfig, type Settings } from "../../config.ts"
import { ConsoleListener } from "../../console/ConsoleListener.ts"
import { makeLink } from "../../console/SignIn.ts"
import type { Caller, Scope } from "../../domain/Caller.ts"
import type { WebhookEventType } from "../../domain/WebhookEvent.ts"
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
import { ownerSql, playStory, storyMode } from "./playStory.ts"

const slug = "northwind"

/** The scopes of a reviewer's key. Includes none that an agent needs. */
const consoleScopes: ReadonlyArray<Scope> = ["read", "reviews", "explain", "rules", "webhooks"]

const newKey = Effect.fnUntraced(function* (scopes: ReadonlyArray<Scope>) {
  const organization = yield* Organizations.use(({ bySlug }) => bySlug(slug))
  return yield* ApiKeys.use(({ create }) =>
    create(organization, { mode: storyMode, scopes, environments: null, expiresAt: null })
  )
})

/** Creates the organization and plays its thirty days. Returns the number of its assessments. */
const livePast = Effect.gen(function* () {
  const { id: organizationId, policySet } = yield* Organizations.use(({ create }) =>
    create({ slug, name: "Northwind", policySet: "starter" })
  )
  const { id: keyId } = yield* newKey(["assess"])
  const caller: Caller = {
    organizationId,
    organization: slug,
    mode: storyMode,
    keyId,
    keyName: "Ada, risk desk",
    scopes: ["assess"],
    environments: null,
    policySet
  }
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

const introduction =
  "assessments of thirty days wait for you, of an organization that does not exist: six agents, three reviews that are open, one attack, and a webhook endpoint that has been dead for six days. No one acted on the answers: they are opinions. Ctrl-C ends it and leaves nothing behind."

const welcome = (screen: Terminal, assessments: number, link: string, key: string, url: string): string =>
  [
    "",
    ...wrap(`${assessments} ${introduction}`, screen.width),
    "",
    `  ${screen.color("bold", link)}`,
    "",
    `It signs in once, within ${consoleLinkSeconds} seconds; afterwards sign in with ${key}`,
    `The API of the same organization listens on ${url}`
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
      yield* Console.log(welcome(currentTerminal(), assessments, link, key, api))
      return yield* Effect.never
    }).pipe(Effect.provide(Service.pipe(Layer.provide(own))))
  },
  Effect.provideService(References.MinimumLogLevel, "Error")
)

const events: ReadonlyArray<WebhookEventType> = ["assessment.high", "assessment.critical"]

const receivers = {
  pager: { url: "https://pager.northwind.example/risk", description: "On-call pager of the platform team" },
  siem: { url: "https://siem.northwind.example/ingest/action-risk", description: "Security event store" }
} as const

const goneDays = 6
/** How many days ago the service disabled the endpoint. It has sent nothing to it since. */
const toldDays = 1

/** Runs before the story, so that the endpoints receive its events. */
const makeReceivers = Effect.fnUntraced(function* (caller: Caller) {
  const { create } = yield* Endpoints
  for (const { description, url } of Object.values(receivers))
    yield* create({ caller, requestId: "", idempotencyKey: null }, { url, description, events })
})

/**
 * Gives each delivery its result, as if the relay had worked for thirty days, so that nothing is left to send to a host that does not
 * exist.
 */
const settleDeliveries = Effect.fnUntraced(function* ({ mode, organizationId }: Caller) {
  const sql = yield* ownerSql
  const gone = `now() - interval '${goneDays} days'`
  const siem = `SELECT endpoint_id FROM ${mode}.webhook_endpoints WHERE url = '${receivers.siem.url}'`
  const statements = [
    `UPDATE ${mode}.webhook_deliveries SET next_attempt_at = NULL, status = 'delivered', attempts = 1, last_status = 204
      WHERE organization_id = $1`,
    // A retry that was delivered.
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
