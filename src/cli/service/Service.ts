/** The whole service as one layer, from PostgreSQL up to the listening server, and where it sends its telemetry. */

import { Effect, Layer, References } from "effect"
import { Assess } from "../../assessment/Assess.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import { Reviews } from "../../assessment/Reviews.ts"
import { Scorer } from "../../assessment/Scorer.ts"
import { Shadow, ShadowRelease } from "../../assessment/Shadow.ts"
import { AppConfig, type Settings } from "../../config.ts"
import { sealingWorker, unsealedGauge } from "../../evidence/Seals.ts"
import { HttpServerLive } from "../../server/HttpServer.ts"
import { OpeningDatabase, servingDatabaseLayer } from "../../storage/openDatabase.ts"
import { DeliverySignal } from "../../storage/webhooks/DeliverySignal.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"
import { relay, secretMaintenance } from "../../webhooks/worker.ts"
import { storesOn } from "../Stores.ts"

// Layers close in the opposite order: HTTP drains first, PostgreSQL stops late. It starts while the rules open, in a process of
// its own. What became of it is asked after them, since a corrupt release refuses to serve whatever the database is like.
export const Service = HttpServerLive.pipe(
  Layer.provide([
    Assess.layer,
    Assessments.layer,
    Reviews.layer,
    Endpoints.layer,
    Deliveries.layer,
    secretMaintenance,
    sealingWorker,
    unsealedGauge
  ]),
  Layer.provide([Shadow.layer, relay.pipe(Layer.provide(DeliverySignal.layer))]),
  Layer.provideMerge(storesOn),
  Layer.provideMerge(servingDatabaseLayer),
  Layer.provide([Scorer.layer, ShadowRelease.layer]),
  Layer.provide(OpeningDatabase.layer)
)

/** Sends traces, metrics and logs to an OpenTelemetry collector where one is named; else nothing is even traced. */
const noTelemetry = Layer.succeed(References.TracerEnabled, false)

/** Loaded only where there is somewhere to send to. */
const loadExport = (settings: Settings, endpoint: string) =>
  Effect.promise(async () => (await import("./telemetryExport.ts")).telemetryExport(settings, endpoint))

export const telemetry = Layer.unwrap(
  Effect.flatMap(AppConfig, (settings): Effect.Effect<Layer.Layer<never>> => {
    const { otelDisabled, otlpEndpoint } = settings
    return otlpEndpoint === null || otelDisabled === "true"
      ? Effect.succeed(noTelemetry)
      : loadExport(settings, otlpEndpoint)
  })
)
