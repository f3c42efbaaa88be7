/** Logs go to standard error, in the format and from the level that the operator set. */

import { Effect, Layer, Logger, References } from "effect"
import { AppConfig } from "../Config.ts"

export const logging = Layer.unwrap(
  Effect.map(AppConfig, ({ logFormat, logLevel }) =>
    Layer.mergeAll(
      Logger.layer([logFormat === "json" ? json : pretty]),
      Layer.succeed(References.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, logLevel)
    )
  )
)

const json = Logger.withConsoleError(Logger.formatJson)

// `hasColors` knows of NO_COLOR; only a terminal has the method.
const pretty = Logger.consolePretty({ colors: process.stderr.isTTY && process.stderr.hasColors() })
