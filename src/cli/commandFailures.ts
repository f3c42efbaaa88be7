/** The ways in which a command fails: it found something (exit code 1), it was refused (1), it was called wrongly (2). */

import { Schema } from "effect"
import { CliError } from "effect/cli"

/** The command has printed its findings, failing cases or counterexample: exit code 1 and nothing more to print. */
export class FindingsExit extends Schema.TaggedError<FindingsExit>()("FindingsExit", {}) {}

/** The command cannot do what the operator wants; `message` says why in one sentence. Exit code 1. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  message: Schema.String
}) {}

/**
 * A wrong argument that the parser of arguments cannot notice. One line names the problem and the command's help; exit code 2.
 * `command`: its words below the root, `rules show`.
 */
export const wrongUsage = (
  command: string,
  problem: CliError.CliError & { _tag: "InvalidValue" | "MissingArgument" }
) => new CliError.ShowHelp({ commandPath: ["action-risk", ...command.split(" ")], errors: [problem] })
