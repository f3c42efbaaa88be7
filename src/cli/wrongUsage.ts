/** A wrong argument that only the command itself can notice: told in one line with the way to its help, exit code 2. */

import { CliError } from "effect/cli"

/** `command`: its words below the root, `rules show`. */
export const wrongUsage = (command: string, problem: CliError.CliError & { _tag: "InvalidValue" }) =>
  new CliError.ShowHelp({ commandPath: ["action-risk", ...command.split(" ")], errors: [problem] })
