/** Sends traces, metrics and logs to an OpenTelemetry collector. */

import { Effect, Layer, Redacted, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import type { Settings } from "../../Config.ts"
import { version } from "../version.ts"
import { discreet } from "./discreet.ts"

export const exporting = (settings: Settings, endpoint: string) => {
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
