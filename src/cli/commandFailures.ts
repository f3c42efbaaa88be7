/** The ways in which a command fails: it has findings (exit code 1), it was refused (1), or it was called wrongly (2). */

import { Data, Schema } from "effect"
import { CliError } from "effect/cli"

/** The command has already printed its findings, failing cases or counterexample: exit code 1, with nothing more to print. */
export class FindingsExit extends Schema.TaggedError<FindingsExit>()("FindingsExit", {}) {}

/** The command cannot do what the operator wants. `message` gives the reason in one sentence. Exit code 1. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  message: Schema.String
}) {}

export const refuse = (message: string) => new CommandRefused({ message })

/** A wrong argument that the argument parser cannot detect. One line names the problem and the verb's help; exit code 2. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{
  readonly problem: CliError.InvalidValue | CliError.MissingArgument
}> {}

export const missingArgument = (argument: string) =>
  new WrongUsage({ problem: new CliError.MissingArgument({ argument }) })

/** `expected` completes the sentence "expected …". */
const wrong = (kind: "argument" | "flag") => (option: string, value: string, expected: string) =>
  new WrongUsage({ problem: new CliError.InvalidValue({ option, value, expected, kind }) })

export const wrongArgument = wrong("argument")
export const wrongFlag = wrong("flag")
