/** How a command ends: 0, 1 refused or found something, 2 usage, 3 a fault of ours; and the one line that says why. */

import { Cause, Config, Exit } from "effect"
import { CliError } from "effect/cli"
import { SqlError } from "effect/sql"
import { WrongVariable } from "../config/variable.ts"
import { RulesRefused } from "../rules/RulesRefused.ts"
import { CannotListen } from "../server/node/listen.ts"
import { DatabaseProblem } from "../storage/DatabaseProblem.ts"
import { classifyDatabaseFailure, sqlState } from "../storage/SqlState.ts"
import { Found } from "./Found.ts"
import { Refused } from "./Refused.ts"

export interface Ending {
  readonly code: number
  /** For standard error; null where everything has been said. */
  readonly line: string | null
}

export const endingOf = (exit: Exit.Exit<unknown, unknown>): Ending => {
  if (Exit.isSuccess(exit)) return { code: 0, line: null }
  // A signal ends a command early, which is 130 by custom, unless the command says that this is how it ends.
  if (Cause.hasInterruptsOnly(exit.cause)) return { code: Number(process.exitCode ?? 130), line: null }
  const error = Cause.squash(exit.cause)
  if (CliError.isCliError(error)) return usage(error)
  if (error instanceof Found) return { code: 1, line: null }
  if (isRefusal(error)) return { code: 1, line: error.message }
  if (error instanceof SqlError.SqlError && classifyDatabaseFailure(error) === "unavailable") {
    return { code: 1, line: `the database is away (${sqlState(error) ?? error.reason._tag}); try again` }
  }
  const state = sqlState(error)
  const message = error instanceof Error ? error.message : String(error)
  return { code: 3, line: `a fault of ours: ${message}${state === null ? "" : ` (${state})`}` }
}

/** The presenter has written the line already. A command alone, without its verb, is only wrong below the root. */
const usage = (error: CliError.CliError): Ending => ({
  code: error._tag === "ShowHelp" && error.errors.length === 0 && error.commandPath.length === 1 ? 0 : 2,
  line: null
})

const isRefusal = (error: unknown): error is Error =>
  error instanceof Refused ||
  error instanceof CannotListen ||
  error instanceof DatabaseProblem ||
  error instanceof WrongVariable ||
  error instanceof RulesRefused ||
  error instanceof Config.ConfigError
