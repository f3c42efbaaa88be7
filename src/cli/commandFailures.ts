/** The ways in which a command fails: it found something (exit code 1), it was refused (1), it was called wrongly (2). */

import { Schema } from "effect"
import { CliError } from "effect/cli"

export class FindingsExit extends Schema.TaggedError<FindingsExit>()("Found", {}) {}

/** What the operator asked for cannot be done, in one sentence: exit code 1. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("Refused", {
  message: Schema.String
}) {}

/**
 * A wrong argument that only the command itself can notice: told in one line with the way to its help, exit code 2.
 * `command`: its words below the root, `rules show`.
 */
export const wrongUsage = (command: string, problem: CliError.CliError & { _tag: "InvalidValue" }) =>
  new CliError.ShowHelp({ commandPath: ["action-risk", ...command.split(" ")], errors: [problem] })
