/** The whole service as one layer, from PostgreSQL to the listening server, and where it sends its telemetry. */

import { Effect, Layer, References } from "effect"
import { Assess } from "../../assessment/Assess.ts"
import { Assessments } from "../../assessment/Assessments.ts"
import { Figures } from "../../assessment/Figures.ts"
import { Outcomes } from "../../assessment/Outcomes.ts"
import { Reviews } from "../../assessment/Reviews.ts"
import { Scorer } from "../../assessment/Scorer.ts"
import { AppConfig, type Settings } from "../../config.ts"
import { ConsoleListener } from "../../console/ConsoleListener.ts"
import { OwnHistory } from "../../assessment/OwnHistory.ts"
import { RecordedAssessments } from "../../evidence/recorded/RecordedAssessments.ts"
import { sealingWorker, unsealedGauge } from "../../evidence/Seals.ts"
import { EventStreams } from "../../server/EventStreams.ts"
import { HttpServerLive } from "../../server/HttpServer.ts"
import { WritingHealth } from "../../storage/assessments/AssessmentRecords.ts"
import { OpeningDatabase, servingDatabaseLayer } from "../../storage/openDatabase.ts"
import { DeliverySignal } from "../../storage/webhooks/DeliverySignal.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"
import { relay, reviewReminders, secretMaintenance } from "../../webhooks/worker.ts"
import { pepperedStores, storesOn } from "../Stores.ts"
import { McpListener } from "./McpListener.ts"
import { installedRules } from "../../rules/installedRules.ts"

// Layers close in reverse order: HTTP drains first, and PostgreSQL stops late. PostgreSQL starts in its own process while the rules are
// opened. Its result is read after them, because a corrupt release must prevent startup whatever the state of the database.
export const Service = Layer.mergeAll(
  HttpServerLive,
  ConsoleListener.layer,
  McpListener.layer.pipe(Layer.provide(HttpServerLive))
).pipe(
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
    Deliveries.layer,
    WritingHealth.layer,
    secretMaintenance,
    sealingWorker,
    unsealedGauge
  ]),
  Layer.provide(Layer.merge(relay, reviewReminders).pipe(Layer.provide(DeliverySignal.layer))),
  Layer.provideMerge(pepperedStores),
  Layer.provideMerge(storesOn),
  Layer.provideMerge(servingDatabaseLayer),
  Layer.provide(Scorer.layer),
  Layer.provide(installedRules),
  Layer.provide(OpeningDatabase.layer)
)

/** Without a collector, nothing is traced at all. */
const noTelemetry = Layer.succeed(References.TracerEnabled, false)

/** The exporter is loaded only if a collector is configured. */
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
