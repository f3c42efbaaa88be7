/** Sends traces, metrics and logs to an OpenTelemetry collector where one is named; else nothing is even traced. */

import { Effect, Layer, Redacted, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { AppConfig, type Settings } from "../Config.ts"
import { discreet } from "./telemetry/discreet.ts"
import { version } from "./version.ts"

const quiet = Layer.succeed(References.TracerEnabled, false)

const exporting = (settings: Settings, endpoint: string) => {
  const { otelResourceAttributes, otelServiceName, otlpHeaders, otlpProtocol } = settings
  const to = (signal: string) => ({
    url: `${endpoint}/v1/${signal}`,
    headers: Redacted.value(otlpHeaders),
    resource: { serviceName: otelServiceName, serviceVersion: version, attributes: otelResourceAttributes }
  })
  const traces = Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make(to("traces")), discreet)).pipe(
    Layer.provide(OtlpExporter.layerFlusher)
  )
  return Layer.mergeAll(
    traces,
    OtlpMetrics.layer(to("metrics")),
    OtlpLogger.layer({ ...to("logs"), mergeWithExisting: true })
  ).pipe(
    Layer.provide(
      otlpProtocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
    ),
    Layer.provide(FetchHttpClient.layer)
  )
}

export const telemetry = Layer.unwrap(
  Effect.map(AppConfig, (settings): Layer.Layer<never> => {
    const { otelDisabled, otlpEndpoint } = settings
    return otlpEndpoint === null || otelDisabled === "true" ? quiet : exporting(settings, otlpEndpoint)
  })
)
