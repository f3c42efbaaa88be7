/** Every environment variable of the service, typed, with its default. */

import {
  type Config,
  ConfigProvider,
  Context,
  Effect,
  Layer,
  type LogLevel,
  Option,
  type Redacted
} from "effect"
import { resolve } from "node:path"
import * as read from "./config/readers.ts"
import { type TelemetrySettings, telemetrySettings, telemetryVariables } from "./config/telemetry.ts"
import { readVariable, type Variable, type WrongVariable } from "./config/variable.ts"
import { type WebhookSettings, webhookSettings, webhookVariables } from "./config/webhooks.ts"

export interface Settings extends TelemetrySettings, WebhookSettings {
  /** 0 picks a free port. */
  readonly port: number
  readonly host: string
  /** Without a trailing slash; null means http://HOST:PORT with the real port. */
  readonly publicUrl: string | null
  /** Null means the embedded PostgreSQL. */
  readonly databaseUrl: Redacted.Redacted | null
  /** The same server, as users that may be one role and nothing else; null means the user of `databaseUrl`. */
  readonly databaseUrlControl: Redacted.Redacted | null
  readonly databaseUrlLive: Redacted.Redacted | null
  readonly databaseUrlTest: Redacted.Redacted | null
  /** Absolute. */
  readonly dataDirectory: string
  /** Newest first; null means the one generated in `dataDirectory`. */
  readonly keyPeppers: read.Peppers | null
  /** PKCS #8 in PEM; null means the one generated in `dataDirectory`. */
  readonly evidenceKey: Redacted.Redacted | null
  /** Null means the newest release. */
  readonly rulesVersion: string | null
  /** A second release, or `draft`, that scores beside it and is never answered; null means none. */
  readonly rulesShadow: string | null
  readonly ruleEngine: "compiled" | "reference"
  /** Requests in a window of 60 s. */
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
  read: read.integerFrom(0, 65_535)
}
const host = { accepted: "an IP address or a host name", read: read.host }
const requests = {
  accepted: "the requests of a 60 s window, an integer from 1 to 1000000000",
  read: read.integerFrom(1, 1_000_000_000)
}

const database = {
  accepted: "a URL like postgres://user:password@host:5432/database",
  read: read.postgresUrl,
  secret: true
} as const

/** The variables by what they set. */
export const variables = {
  port: { name: "PORT", ...port },
  host: { name: "HOST", ...host },
  publicUrl: {
    name: "PUBLIC_URL",
    accepted: "an http:// or https:// URL without credentials, query or fragment",
    read: read.publicUrl
  },
  databaseUrl: { name: "DATABASE_URL", ...database },
  databaseUrlControl: { name: "DATABASE_URL_CONTROL", ...database },
  databaseUrlLive: { name: "DATABASE_URL_LIVE", ...database },
  databaseUrlTest: { name: "DATABASE_URL_TEST", ...database },
  dataDirectory: {
    name: "DATA_DIR",
    accepted: "the path of a folder, without double quotes, `$`, backticks and line breaks",
    read: read.folder
  },
  keyPeppers: {
    name: "KEY_PEPPER",
    accepted: "a secret text, or while rotating several with commas between them, newest first",
    read: read.peppers,
    secret: true
  },
  evidenceKey: {
    name: "EVIDENCE_KEY",
    accepted: "an Ed25519 private key in PEM, or its seed of 32 bytes in base64",
    read: read.ed25519Key,
    secret: true
  },
  rulesVersion: {
    name: "RULES_VERSION",
    accepted: "the version of a rule release, like 1.0.0",
    read: read.semver
  },
  rulesShadow: {
    name: "RULES_SHADOW",
    accepted: "the version of a rule release, like 1.0.0, or draft for the working files",
    read: read.release
  },
  ruleEngine: {
    name: "RULE_ENGINE",
    accepted: "compiled or reference",
    read: read.oneOf(["compiled", "reference"])
  },
  rateLimitLive: { name: "RATE_LIMIT_LIVE", ...requests },
  rateLimitTest: { name: "RATE_LIMIT_TEST", ...requests },
  rateLimitAnonymous: { name: "RATE_LIMIT_ANONYMOUS", ...requests },
  rateLimitStore: {
    name: "RATE_LIMIT_STORE",
    accepted: "memory or postgres",
    read: read.oneOf(["memory", "postgres"])
  },
  trustedProxies: {
    name: "TRUSTED_PROXIES",
    accepted: "IP addresses or ranges with commas between them, like 10.0.0.1,192.168.0.0/16",
    read: read.addresses
  },
  adminPort: { name: "ADMIN_PORT", ...port },
  adminHost: { name: "ADMIN_HOST", ...host },
  ...webhookVariables,
  logFormat: { name: "LOG_FORMAT", accepted: "pretty or json", read: read.oneOf(["pretty", "json"]) },
  logLevel: {
    name: "LOG_LEVEL",
    accepted: "trace, debug, info, warn, error, fatal or none",
    read: read.oneOf(["trace", "debug", "info", "warn", "error", "fatal", "none"])
  },
  ...telemetryVariables
} satisfies Record<keyof Settings, Variable<unknown>>

const settings = Effect.gen(function* () {
  const databaseUrl = yield* optional(variables.databaseUrl)
  const host = yield* withDefault(variables.host, "127.0.0.1")
  return {
    port: yield* withDefault(variables.port, 3000),
    host,
    publicUrl: yield* optional(variables.publicUrl),
    databaseUrl,
    databaseUrlControl: yield* optional(variables.databaseUrlControl),
    databaseUrlLive: yield* optional(variables.databaseUrlLive),
    databaseUrlTest: yield* optional(variables.databaseUrlTest),
    dataDirectory: yield* withDefault(variables.dataDirectory, resolve(".data")),
    keyPeppers: yield* optional(variables.keyPeppers),
    evidenceKey: yield* optional(variables.evidenceKey),
    rulesVersion: yield* optional(variables.rulesVersion),
    rulesShadow: yield* optional(variables.rulesShadow),
    ruleEngine: yield* withDefault(variables.ruleEngine, "compiled"),
    rateLimitLive: yield* withDefault(variables.rateLimitLive, 600),
    rateLimitTest: yield* withDefault(variables.rateLimitTest, 120),
    rateLimitAnonymous: yield* withDefault(variables.rateLimitAnonymous, 60),
    // Replicas share a database, so only there must they share one count.
    rateLimitStore: yield* withDefault(
      variables.rateLimitStore,
      databaseUrl === null ? "memory" : "postgres"
    ),
    trustedProxies: yield* withDefault(variables.trustedProxies, []),
    adminPort: yield* optional(variables.adminPort),
    adminHost: yield* withDefault(variables.adminHost, host),
    ...(yield* webhookSettings),
    logFormat: yield* withDefault(variables.logFormat, process.stderr.isTTY ? "pretty" : "json"),
    logLevel: logLevels[yield* withDefault(variables.logLevel, "info")],
    ...(yield* telemetrySettings)
  } satisfies Settings
})

export class AppConfig extends Context.Service<AppConfig, Settings>()("action-risk/AppConfig") {
  /** From the given variables, or those of the process. */
  static readonly layerFrom = (
    env?: Record<string, string>
  ): Layer.Layer<AppConfig, WrongVariable | Config.ConfigError> =>
    Layer.effect(AppConfig, settings).pipe(
      // By default an empty variable would count as unset.
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
