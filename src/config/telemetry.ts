/** The variables of OpenTelemetry that are heeded, under their standard names: where traces, metrics and logs are sent. */

import { Effect, Option, Redacted } from "effect"
import { oneOf, publicUrl } from "./readers.ts"
import { readVariable, type Variable } from "./variable.ts"

export interface TelemetrySettings {
  /** Without `/v1/traces` and without a trailing slash; null means that nothing is sent. */
  readonly otlpEndpoint: string | null
  /** Sent with every export: most backends want a token. */
  readonly otlpHeaders: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly otlpProtocol: "http/protobuf" | "http/json"
  readonly otelServiceName: string
  readonly otelResourceAttributes: Readonly<Record<string, string>>
  readonly otelDisabled: "true" | "false"
}

/** `name=value,name=value`, with values that may be percent-encoded. */
const pairs = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    const entries = text.split(",").map((part) => {
      const at = part.indexOf("=")
      return [part.slice(0, Math.max(0, at)).trim(), decodeURIComponent(part.slice(at + 1).trim())] as const
    })
    return entries.every(([name]) => /^[\w.-]+$/.test(name)) ? Object.fromEntries(entries) : undefined
  } catch {
    return undefined
  }
}

const secretPairs = (text: string) => {
  const read = pairs(text)
  return read && Redacted.make(read)
}

export const telemetryVariables = {
  otlpEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    accepted: "the http:// or https:// URL of a collector, like http://localhost:4318",
    read: publicUrl
  },
  otlpHeaders: {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    accepted: "names and values, like authorization=Bearer%20token,x-tenant=risk",
    read: secretPairs,
    secret: true
  },
  otlpProtocol: {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    accepted: "http/protobuf or http/json",
    read: oneOf(["http/protobuf", "http/json"])
  },
  otelServiceName: {
    name: "OTEL_SERVICE_NAME",
    accepted: "the name that this service has in your traces",
    read: (text) => text
  },
  otelResourceAttributes: {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    accepted: "names and values, like deployment.environment.name=production",
    read: pairs
  },
  otelDisabled: { name: "OTEL_SDK_DISABLED", accepted: "true or false", read: oneOf(["true", "false"]) }
} satisfies { readonly [Name in keyof TelemetrySettings]: Variable<NonNullable<TelemetrySettings[Name]>> }

const nothing: Readonly<Record<string, string>> = {}

export const telemetrySettings = Effect.gen(function* () {
  const given = telemetryVariables
  const headers = yield* readVariable(given.otlpHeaders)
  return {
    otlpEndpoint: Option.getOrNull(yield* readVariable(given.otlpEndpoint)),
    otlpHeaders: Option.getOrElse(headers, () => Redacted.make(nothing)),
    otlpProtocol: Option.getOrElse(yield* readVariable(given.otlpProtocol), () => "http/protobuf" as const),
    otelServiceName: Option.getOrElse(yield* readVariable(given.otelServiceName), () => "action-risk"),
    otelResourceAttributes: Option.getOrElse(
      yield* readVariable(given.otelResourceAttributes),
      () => nothing
    ),
    otelDisabled: Option.getOrElse(yield* readVariable(given.otelDisabled), () => "false" as const)
  } satisfies TelemetrySettings
})
