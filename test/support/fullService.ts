/** The whole service on a fresh database and a free port, with organizations and keys to make. */

import { Effect, Layer, Logger, Redacted } from "effect"
import { Assess } from "../../src/assessment/Assess.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { Figures } from "../../src/assessment/Figures.ts"
import { Outcomes } from "../../src/assessment/Outcomes.ts"
import { Reviews } from "../../src/assessment/Reviews.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { AppConfig } from "../../src/config.ts"
import { ConsoleListener } from "../../src/console/ConsoleListener.ts"
import type { Environment } from "../../src/domain/Action.ts"
import type { Mode, Scope } from "../../src/domain/Caller.ts"
import { OwnHistory } from "../../src/assessment/OwnHistory.ts"
import { RecordedAssessments } from "../../src/evidence/recorded/RecordedAssessments.ts"
import { EventStreams } from "../../src/server/EventStreams.ts"
import { HttpServerLive, ListeningServer } from "../../src/server/HttpServer.ts"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { ConsoleSessions } from "../../src/storage/ConsoleSessions.ts"
import { type Organization, Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { Deliveries } from "../../src/webhooks/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { openedRules } from "./openedRules.ts"
import { TestDatabase } from "./TestDatabase.ts"

export const fullService = (
  env: Record<string, string> = {},
  scorer = Scorer.layer,
  database = TestDatabase.layer,
  rules = openedRules
) =>
  Layer.merge(HttpServerLive, ConsoleListener.layer).pipe(
    Layer.provide([
      Assess.layer,
      Assessments.layer,
      Figures.layer,
      EventStreams.layer,
      OwnHistory.layer,
      RecordedAssessments.layer,
      Reviews.layer,
      Outcomes.layer,
      Endpoints.layer,
      Deliveries.layer
    ]),
    Layer.provide(scorer),
    Layer.provide(rules),
    Layer.provideMerge(Layer.mergeAll(ApiKeys.layer, ConsoleSessions.layer, Organizations.layer)),
    Layer.provideMerge(Layer.mergeAll(KeyHasher.layer, WebhookSecrets.layer)),
    Layer.provide([
      Layer.succeed(Secrets, { keyPeppers: [Redacted.make("pepper")] }),
      AppConfig.layerFrom({ PORT: "0", RATE_LIMIT_TEST: "100000", CONSOLE_PORT: "off", ...env }),
      Logger.layer([])
    ]),
    Layer.provideMerge(database)
  )

export const newOrganization = Effect.fnUntraced(function* (slug: string) {
  return yield* (yield* Organizations).create({ slug, name: slug, policySet: "starter" })
})

export const newKey = Effect.fnUntraced(function* (
  owner: Organization,
  mode: Mode = "test",
  scopes: ReadonlyArray<Scope> = ["assess", "read"],
  environments: ReadonlyArray<Environment> | null = null,
  name: string | null = null
) {
  const wanted = { mode, name, scopes, environments, expiresAt: null }
  return (yield* (yield* ApiKeys).create(owner, wanted)).key
})

/** Asks the service with a key; posts where there is a body. */
export const ask = Effect.fnUntraced(function* (
  key: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {}
) {
  const { url } = yield* ListeningServer
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  })
})
