/** Sends traces, metrics and logs to an OpenTelemetry collector where one is named; else nothing is even traced. */

import { Effect, Layer, References } from "effect"
import { AppConfig, type Settings } from "../Config.ts"

const quiet = Layer.succeed(References.TracerEnabled, false)

/** Loaded only where there is somewhere to send to. */
const exporting = (settings: Settings, endpoint: string) =>
  Effect.promise(async () => (await import("./telemetry/exporting.ts")).exporting(settings, endpoint))

export const telemetry = Layer.unwrap(
  Effect.flatMap(AppConfig, (settings): Effect.Effect<Layer.Layer<never>> => {
    const { otelDisabled, otlpEndpoint } = settings
    return otlpEndpoint === null || otelDisabled === "true"
      ? Effect.succeed(quiet)
      : exporting(settings, otlpEndpoint)
  })
)
