/** How a command ends: its exit code, its line on standard error, its help, its logs. */

import { Cause, Config, Console, Effect, Exit, Layer, Logger, References } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { SqlError } from "effect/sql"
import { AppConfig } from "../config.ts"
import { WrongVariable } from "../environment.ts"
import { RulesRefused } from "../rules/Finding.ts"
import { CannotListen } from "../server/nodeServer.ts"
import { classifyDatabaseFailure, DatabaseProblem, sqlState, tookTooLong } from "../storage/storageErrors.ts"
import { CommandRefused, FindingsExit } from "./commandFailures.ts"
import { escapeInvisible } from "../foreignText.ts"
import { escapeForTerminal } from "./texts.ts"

export interface CommandExit {
  readonly code: number
  /** The line for standard error; null if the command has already printed everything. */
  readonly line: string | null
}

export const exitOf = (exit: Exit.Exit<unknown, unknown>): CommandExit => {
  if (Exit.isSuccess(exit)) return { code: 0, line: null }
  // After a signal, the exit code is 130 by convention, unless the command has set its own: for `serve`, a signal is the normal end.
  if (Cause.hasInterruptsOnly(exit.cause)) return { code: Number(process.exitCode ?? 130), line: null }
  const error = Cause.squash(exit.cause)
  if (CliError.isCliError(error)) return usageExit(error)
  if (error instanceof FindingsExit) return { code: 1, line: null }
  if (isRefusal(error)) return { code: 1, line: error.message }
  if (error instanceof SqlError.SqlError && classifyDatabaseFailure(error) === "unavailable") {
    const why = tookTooLong(error) ? "timed out; try again when it is less busy" : "is unreachable; try again"
    return { code: 1, line: `the database ${why} (${sqlState(error) ?? error.reason._tag})` }
  }
  const state = sqlState(error)
  const message = error instanceof Error ? error.message : String(error)
  return { code: 3, line: `internal error: ${message}${state === null ? "" : ` (${state})`}` }
}

/**
 * How a successful command ends if some of its output was lost. A reader that closed the pipe (`| head`) had enough, so there is no
 * message. A full disk gets one.
 */
export const outputExit = (lost: NodeJS.ErrnoException | null): CommandExit =>
  lost === null
    ? { code: 0, line: null }
    : {
        code: 1,
        line:
          lost.code === "EPIPE" ? null : `standard output could not be written: ${lost.code ?? lost.message}`
      }

/** For a command that runs until a signal: the signal is its normal end and not a failure. */
export const endsBySignal = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(effect, () =>
    Effect.sync(() => {
      process.exitCode = 0
    })
  )

/**
 * The presenter has already printed the line. `action-risk` without a command prints help and exits with 0; `action-risk rules` without a
 * verb is an error.
 */
const usageExit = (error: CliError.CliError): CommandExit => ({
  code: error._tag === "ShowHelp" && error.errors.length === 0 && error.commandPath.length === 1 ? 0 : 2,
  line: null
})

const isRefusal = (error: unknown): error is Error =>
  error instanceof CommandRefused ||
  error instanceof CannotListen ||
  error instanceof DatabaseProblem ||
  error instanceof WrongVariable ||
  error instanceof RulesRefused ||
  error instanceof Config.ConfigError

/** Standard error gets exactly one line, even for a message with line breaks. */
export const errorLine = (message: string): string =>
  `action-risk: ${escapeInvisible(message.replaceAll(/\s+/g, " ").trim())}`

const spelledOut = (args: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  args.map((arg) => (typeof arg === "string" ? escapeForTerminal(arg) : arg))

/** Escapes all output, so that no text from a file, a caller or a database can control the terminal. Escaped JSON has the same meaning. */
export const terminalConsole = (plain: Console.Console): Console.Console =>
  Object.assign(Object.create(plain), {
    log: (...args: ReadonlyArray<unknown>) => plain.log(...spelledOut(args)),
    error: (...args: ReadonlyArray<unknown>) => plain.error(...spelledOut(args))
  })

/** Removes the parser's note on how it checked the value, because an operator needs only the expected value. */
const withoutParserWords = (message: string): string =>
  message.replace(/Expected: Schema validation failed: (?:expected )?/i, "Expected: ")

/** Prints help to standard output, and usage errors as one line to standard error. */
export const presenter = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag === "InvalidInvocation") {
      const problems = event.errors.map((error) => withoutParserWords(error.message)).join("; ")
      return Console.error(errorLine(`${problems} (see ${event.commandPath.join(" ")} --help)`))
    }
    if (event._tag === "Help" && event.reason === "Implicit" && event.commandPath.length > 1) {
      const verbs = (event.helpDoc.subcommands ?? []).flatMap(({ commands }) =>
        commands.map(({ name }) => name)
      )
      return Console.error(errorLine(`${event.commandPath.join(" ")} needs one of ${verbs.join(", ")}`))
    }
    return CliOutput.defaultPresenter.present(event)
  }
})

/** Writes logs to standard error, in the format and from the level in the settings. */
export const logging = Layer.unwrap(
  Effect.map(AppConfig, ({ logFormat, logLevel }) =>
    Layer.mergeAll(
      Logger.layer([logFormat === "json" ? jsonLogger : prettyLogger]),
      Layer.succeed(References.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, logLevel)
    )
  )
)

const jsonLogger = Logger.withConsoleError(Logger.formatJson)

// `hasColors` respects NO_COLOR. Only terminals have this method.
const prettyLogger = Logger.consolePretty({ colors: process.stderr.isTTY && process.stderr.hasColors() })
