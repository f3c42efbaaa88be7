/** Sends traces, metrics and logs to an OpenTelemetry collector, without any data of callers. */

import { Cause, Effect, Exit, Layer, Redacted, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import type { Settings } from "../../config.ts"
import { describeCause } from "../../storage/storageErrors.ts"
import { version } from "../version.ts"

export const telemetryExport = (settings: Settings, endpoint: string) => {
  const { otelResourceAttributes, otelServiceName, otlpHeaders, otlpProtocol } = settings
  const to = (signal: string) => ({
    url: `${endpoint}/v1/${signal}`,
    headers: Redacted.value(otlpHeaders),
    resource: { serviceName: otelServiceName, serviceVersion: version, attributes: otelResourceAttributes }
  })
  const traces = Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make(to("traces")), redactingTracer)).pipe(
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

/** The attributes that are exported. An allowlist, which excludes the text of statements and any attribute that a library may add later. */
const safeAttributes: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.system.name",
  "db.namespace",
  "svc.request_id"
])

/** Keeps the kind of failure and its place. Drops the message, because it may contain a row, a statement or a value. */
const redactedFailure = (cause: Cause.Cause<unknown>): Exit.Exit<never, Error> => {
  const { at, fault, sqlState } = describeCause(cause)
  const error = new Error(sqlState ?? fault)
  error.name = fault
  error.stack = `${fault}: ${error.message}\n${at.replaceAll(" ← ", "\n    ")}`
  return Exit.fail(error)
}

/** A tracer whose spans contain only `safeAttributes` and redacted failures. */
export const redactingTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = tracer.span(options)
      const { attribute, end, event } = span
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (safeAttributes.has(key)) attribute.call(span, key, value)
        },
        event: (name: string, startTime: bigint) => event.call(span, name, startTime),
        end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) =>
          end.call(
            span,
            endTime,
            Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? redactedFailure(exit.cause) : exit
          )
      })
    }
  })
