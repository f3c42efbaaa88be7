/** Every environment variable of the service, typed, with its default. */

import { type Config, ConfigProvider, Context, Effect, Layer, type LogLevel, Option, Redacted } from "effect"
import { resolve } from "node:path"
import {
  addresses,
  ed25519Key,
  folder,
  host as readHost,
  integerFrom,
  literalOf,
  origin,
  pagesNeedHttps,
  type Peppers,
  peppers,
  postgresUrl,
  publicUrl,
  readVariable,
  semver,
  urlOf,
  type Variable,
  webhookSecret,
  WrongVariable
} from "./environment.ts"
import { databaseServersMax, pepperBytesMin, reviewDueHoursDefault, reviewDueHoursMax } from "./limits.ts"

interface WebhookSettings {
  readonly webhookAllowInsecure: "loopback" | null
  /** Null means that `webhooks listen` does not verify signatures. */
  readonly webhookSecret: Redacted.Redacted | null
  /** The number of hours after which endpoints get a reminder of an open review. */
  readonly reviewDueHours: number
}

const webhookVariables = {
  webhookAllowInsecure: {
    name: "WEBHOOK_ALLOW_INSECURE",
    accepted: "loopback, or leave it unset",
    read: literalOf(["loopback"])
  },
  webhookSecret: {
    name: "WEBHOOK_SECRET",
    accepted: "the secret of a webhook endpoint, like whsec_…, as it was shown once",
    read: webhookSecret,
    secret: true
  },
  reviewDueHours: {
    name: "REVIEW_DUE_HOURS",
    accepted: `hours, an integer from 1 to ${reviewDueHoursMax}`,
    read: integerFrom(1, reviewDueHoursMax)
  }
} satisfies { readonly [Name in keyof WebhookSettings]: Variable<NonNullable<WebhookSettings[Name]>> }

const webhookSettings = Effect.gen(function* () {
  const { reviewDueHours, webhookAllowInsecure, webhookSecret } = webhookVariables
  return {
    webhookAllowInsecure: Option.getOrNull(yield* readVariable(webhookAllowInsecure)),
    webhookSecret: Option.getOrNull(yield* readVariable(webhookSecret)),
    reviewDueHours: yield* withDefault(reviewDueHours, reviewDueHoursDefault)
  } satisfies WebhookSettings
})

/** The running service that agents' commands ask. */
interface AgentSettings {
  /** Without a trailing slash. */
  readonly serviceUrl: string
  /** Null if none is given. */
  readonly serviceKey: Redacted.Redacted | null
}

const agentVariables = {
  serviceUrl: {
    name: "ACTION_RISK_URL",
    accepted: "the http:// or https:// URL of a service, without credentials, query or fragment",
    read: publicUrl
  },
  serviceKey: {
    name: "ACTION_RISK_KEY",
    accepted: "a key of the service, like svc_test_…",
    read: (text) => (/^[\x21-\x7e]+$/.test(text) ? Redacted.make(text) : undefined),
    secret: true
  }
} satisfies { readonly [Name in keyof AgentSettings]: Variable<NonNullable<AgentSettings[Name]>> }

const agentSettings = Effect.gen(function* () {
  const { serviceKey, serviceUrl } = agentVariables
  return {
    serviceUrl: Option.getOrElse(yield* readVariable(serviceUrl), () => "http://127.0.0.1:3000"),
    serviceKey: Option.getOrNull(yield* readVariable(serviceKey))
  } satisfies AgentSettings
})

/** The supported OpenTelemetry variables: where to send traces, metrics and logs. */
interface TelemetrySettings {
  /** Without `/v1/traces` and a trailing slash; null means that nothing is sent. */
  readonly otlpEndpoint: string | null
  /** Sent with every export, because most backends require a token. */
  readonly otlpHeaders: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly otlpProtocol: "http/protobuf" | "http/json"
  readonly otelServiceName: string
  readonly otelResourceAttributes: Readonly<Record<string, string>>
  readonly otelDisabled: "true" | "false"
}

/** `name=value,name=value`, where values may be percent-encoded. */
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

const telemetryVariables = {
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
    read: literalOf(["http/protobuf", "http/json"])
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
  otelDisabled: { name: "OTEL_SDK_DISABLED", accepted: "true or false", read: literalOf(["true", "false"]) }
} satisfies { readonly [Name in keyof TelemetrySettings]: Variable<NonNullable<TelemetrySettings[Name]>> }

const nothing: Readonly<Record<string, string>> = {}

const telemetrySettings = Effect.gen(function* () {
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

/** The listener of the console, the pages for people. */
interface ConsoleSettings {
  /** 0 picks a free port; null means no console. */
  readonly consolePort: number | null
  readonly consoleHost: string
  /** Without a trailing slash; null means http://CONSOLE_HOST:CONSOLE_PORT with the actual port. */
  readonly consoleUrl: string | null
}

const readPort = integerFrom(0, 65_535)

const consoleVariables = {
  consolePort: {
    name: "CONSOLE_PORT",
    accepted: "a port from 0 to 65535, where 0 picks a free one, or off",
    read: (text: string) => (text === "off" ? null : readPort(text))
  },
  consoleHost: { name: "CONSOLE_HOST", accepted: "an IP address or a host name", read: readHost },
  consoleUrl: {
    name: "CONSOLE_URL",
    accepted: "an http:// or https:// URL without credentials, path, query or fragment",
    read: origin
  }
} satisfies { readonly [Name in keyof ConsoleSettings]: Variable<ConsoleSettings[Name]> }

/** `apiPort` 0 means to start on free ports, so the console then picks one too. */
const consoleSettings = Effect.fnUntraced(function* (embedded: boolean, apiPort: number) {
  const { consoleHost, consolePort, consoleUrl } = consoleVariables
  const found = {
    consolePort: yield* withDefault(consolePort, embedded ? (apiPort === 0 ? 0 : 3001) : null),
    consoleHost: yield* withDefault(consoleHost, "127.0.0.1"),
    consoleUrl: yield* optional(consoleUrl)
  } satisfies ConsoleSettings
  if (found.consolePort !== null && pagesNeedHttps(found.consoleHost, found.consoleUrl)) {
    return yield* new WrongVariable({
      name: consoleUrl.name,
      problem: "is not https, and CONSOLE_HOST can be reached from other machines",
      accepted: "the https:// URL under which a proxy offers the console, or CONSOLE_HOST=127.0.0.1"
    })
  }
  return found
})

/** The address of the console for browsers. Null if there is none, or if its port is picked at startup. */
export const consoleAddress = ({ consoleHost, consolePort, consoleUrl }: ConsoleSettings): string | null =>
  consoleUrl ?? (consolePort === null || consolePort === 0 ? null : urlOf(consoleHost, consolePort))

/** The listener for agents that speak the Model Context Protocol. */
interface McpSettings {
  /** 0 picks a free port; null means no such listener. */
  readonly mcpPort: number | null
  readonly mcpHost: string
  /** The origins of web pages whose programs may ask. Programs outside browsers have no origin. */
  readonly mcpOrigins: ReadonlyArray<string>
}

const origins = (text: string): ReadonlyArray<string> | undefined => {
  const read = text.split(",").map((part) => origin(part.trim()))
  return read.some((each) => each === undefined) ? undefined : read.flatMap((each) => each ?? [])
}

const mcpVariables = {
  mcpPort: { name: "MCP_PORT", accepted: "a port from 0 to 65535, where 0 picks a free one", read: readPort },
  mcpHost: { name: "MCP_HOST", accepted: "an IP address or a host name", read: readHost },
  mcpOrigins: {
    name: "MCP_ORIGINS",
    accepted: "http:// or https:// URLs without a path, with commas between them",
    read: origins
  }
} satisfies { readonly [Name in keyof McpSettings]: Variable<NonNullable<McpSettings[Name]>> }

const mcpSettings = Effect.gen(function* () {
  return {
    mcpPort: yield* optional(mcpVariables.mcpPort),
    mcpHost: yield* withDefault(mcpVariables.mcpHost, "127.0.0.1"),
    mcpOrigins: yield* withDefault(mcpVariables.mcpOrigins, [])
  } satisfies McpSettings
})

/** The value of every variable, or its default. */
export interface Settings
  extends AgentSettings, TelemetrySettings, WebhookSettings, ConsoleSettings, McpSettings {
  /** 0 picks a free port. */
  readonly port: number
  readonly host: string
  /** Without a trailing slash; null means http://HOST:PORT with the actual port. */
  readonly publicUrl: string | null
  /** Null means the embedded PostgreSQL. */
  readonly databaseUrl: Redacted.Redacted | null
  /** The same server, with a user that has only one role; null means the user of `databaseUrl`. */
  readonly databaseUrlControl: Redacted.Redacted | null
  readonly databaseUrlLive: Redacted.Redacted | null
  readonly databaseUrlTest: Redacted.Redacted | null
  /** How the database is distributed over servers; null means not at all. */
  readonly distributed: "citus" | null
  /** Absolute. */
  readonly dataDirectory: string
  /** Newest first; null means the pepper generated in `dataDirectory`. */
  readonly keyPeppers: Peppers | null
  /** PKCS #8 in PEM; null means the key generated in `dataDirectory`. */
  readonly evidenceKey: Redacted.Redacted | null
  /** Null means the newest release. */
  readonly rulesVersion: string | null
  readonly ruleEngine: "compiled" | "reference"
  /** Requests per window of 60 s. */
  readonly rateLimitLive: number
  readonly rateLimitTest: number
  readonly rateLimitAnonymous: number
  readonly rateLimitStore: "memory" | "postgres"
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Null means no listener for health and metrics. */
  readonly adminPort: number | null
  readonly adminHost: string
  readonly logFormat: "pretty" | "json"
  readonly logLevel: LogLevel.LogLevel
}

const logLevels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const port = {
  accepted: "a port from 0 to 65535, where 0 picks a free one",
  read: readPort
}
const host = { accepted: "an IP address or a host name", read: readHost }
const requests = {
  accepted: "the requests of a 60 s window, an integer from 1 to 1000000000",
  read: integerFrom(1, 1_000_000_000)
}

const database = {
  accepted: `a URL like postgres://user:password@host:5432/database, or with up to ${databaseServersMax} hosts, like postgres://user:password@one:5432,two:5432/database`,
  read: postgresUrl,
  secret: true
} as const

/** The variables, by the setting that each one provides. */
export const variables = {
  port: { name: "PORT", ...port },
  host: { name: "HOST", ...host },
  publicUrl: {
    name: "PUBLIC_URL",
    accepted: "an http:// or https:// URL without credentials, query or fragment",
    read: publicUrl
  },
  databaseUrl: { name: "DATABASE_URL", ...database },
  databaseUrlControl: { name: "DATABASE_URL_CONTROL", ...database },
  databaseUrlLive: { name: "DATABASE_URL_LIVE", ...database },
  databaseUrlTest: { name: "DATABASE_URL_TEST", ...database },
  distributed: {
    name: "DISTRIBUTED",
    accepted: "citus, or leave it unset",
    read: literalOf(["citus"])
  },
  dataDirectory: {
    name: "DATA_DIR",
    accepted: "the path of a folder, without double quotes, `$`, backticks and line breaks",
    read: folder
  },
  keyPeppers: {
    name: "KEY_PEPPER",
    accepted: `a secret text of at least ${pepperBytesMin} bytes, or while rotating several with commas between them, newest first`,
    read: peppers,
    secret: true
  },
  evidenceKey: {
    name: "EVIDENCE_KEY",
    accepted: "an Ed25519 private key in PEM, or its seed of 32 bytes in base64",
    read: ed25519Key,
    secret: true
  },
  rulesVersion: {
    name: "RULES_VERSION",
    accepted: "the version of a rule release, like 1.0.0",
    read: semver
  },
  ruleEngine: {
    name: "RULE_ENGINE",
    accepted: "compiled or reference",
    read: literalOf(["compiled", "reference"])
  },
  rateLimitLive: { name: "RATE_LIMIT_LIVE", ...requests },
  rateLimitTest: { name: "RATE_LIMIT_TEST", ...requests },
  rateLimitAnonymous: { name: "RATE_LIMIT_ANONYMOUS", ...requests },
  rateLimitStore: {
    name: "RATE_LIMIT_STORE",
    accepted: "memory or postgres",
    read: literalOf(["memory", "postgres"])
  },
  trustedProxies: {
    name: "TRUSTED_PROXIES",
    accepted: "IP addresses or ranges with commas between them, like 10.0.0.1,192.168.0.0/16",
    read: addresses
  },
  adminPort: { name: "ADMIN_PORT", ...port },
  adminHost: { name: "ADMIN_HOST", ...host },
  ...consoleVariables,
  ...mcpVariables,
  ...webhookVariables,
  ...agentVariables,
  logFormat: { name: "LOG_FORMAT", accepted: "pretty or json", read: literalOf(["pretty", "json"]) },
  logLevel: {
    name: "LOG_LEVEL",
    accepted: "trace, debug, info, warn, error, fatal or none",
    read: literalOf(["trace", "debug", "info", "warn", "error", "fatal", "none"])
  },
  ...telemetryVariables
} satisfies Record<keyof Settings, Variable<unknown>>

const settings = Effect.gen(function* () {
  const databaseUrl = yield* optional(variables.databaseUrl)
  const host = yield* withDefault(variables.host, "127.0.0.1")
  const port = yield* withDefault(variables.port, 3000)
  return {
    port,
    host,
    publicUrl: yield* optional(variables.publicUrl),
    databaseUrl,
    databaseUrlControl: yield* optional(variables.databaseUrlControl),
    databaseUrlLive: yield* optional(variables.databaseUrlLive),
    databaseUrlTest: yield* optional(variables.databaseUrlTest),
    distributed: yield* optional(variables.distributed),
    dataDirectory: yield* withDefault(variables.dataDirectory, resolve(".data")),
    keyPeppers: yield* optional(variables.keyPeppers),
    evidenceKey: yield* optional(variables.evidenceKey),
    rulesVersion: yield* optional(variables.rulesVersion),
    ruleEngine: yield* withDefault(variables.ruleEngine, "compiled"),
    rateLimitLive: yield* withDefault(variables.rateLimitLive, 600),
    rateLimitTest: yield* withDefault(variables.rateLimitTest, 120),
    rateLimitAnonymous: yield* withDefault(variables.rateLimitAnonymous, 60),
    // Replicas share a database, and must then share one count.
    rateLimitStore: yield* withDefault(
      variables.rateLimitStore,
      databaseUrl === null ? "memory" : "postgres"
    ),
    trustedProxies: yield* withDefault(variables.trustedProxies, []),
    adminPort: yield* optional(variables.adminPort),
    adminHost: yield* withDefault(variables.adminHost, host),
    ...(yield* consoleSettings(databaseUrl === null, port)),
    ...(yield* mcpSettings),
    ...(yield* webhookSettings),
    ...(yield* agentSettings),
    logFormat: yield* withDefault(variables.logFormat, process.stderr.isTTY ? "pretty" : "json"),
    logLevel: logLevels[yield* withDefault(variables.logLevel, "info")],
    ...(yield* telemetrySettings)
  } satisfies Settings
})

export class AppConfig extends Context.Service<AppConfig, Settings>()("action-risk/AppConfig") {
  /** Reads the given variables, or those of the process. */
  static readonly layerFrom = (
    env?: Record<string, string>
  ): Layer.Layer<AppConfig, WrongVariable | Config.ConfigError> =>
    Layer.effect(AppConfig, settings).pipe(
      // By default `fromEnv` drops empty variables, but `readVariable` must see them.
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))
    )

  static readonly layer = AppConfig.layerFrom()
}

function optional<A>(variable: Variable<A>) {
  return Effect.map(readVariable(variable), Option.getOrNull)
}

function withDefault<A>(variable: Variable<A>, fallback: A) {
  return Effect.map(
    readVariable(variable),
    Option.getOrElse(() => fallback)
  )
}
