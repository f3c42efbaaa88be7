/** Runs the command named by the arguments with the operator's settings, and ends the process as documented. */

// Imports the file directly: the root of the package would load all its services, including Redis.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { AppConfig } from "../config.ts"
import { commandTree } from "./commandTree.ts"
import {
  type CommandExit,
  errorLine,
  exitOf,
  logging,
  outputExit,
  presenter,
  terminalConsole
} from "./exit.ts"
import { restoreNewSpaceGrowth } from "../runtimeTuning.ts"
import { version } from "./version.ts"

// Omits the built-in flags for log levels and wizards, because environment variables control logs.
const globalFlags = CliConfig.layer({
  builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
})

/** The command named by the arguments. Its caller provides the settings, the standard streams and the console. */
export const commandLine = async (args: ReadonlyArray<string>) =>
  Command.runWith(await commandTree(args[0], args[1]), { version })(args).pipe(
    Effect.provide([logging, presenter, globalFlags])
  )

export const run = async () => {
  const args = process.argv.slice(2)
  const command = await commandLine(args)
  // Everything is loaded now. `serve` lets the heap's new space grow later, when it is ready; all other commands start to work here.
  if (args[0] !== "serve") restoreNewSpaceGrowth()
  // Closing the terminal stops a serving process as gracefully as Ctrl-C.
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  let lost: NodeJS.ErrnoException | null = null
  process.stdout.on("error", (error: NodeJS.ErrnoException) => (lost ??= error))
  const end = ({ code, line }: CommandExit, onExit: (code: number) => void) => {
    if (line !== null) process.stderr.write(`${errorLine(line)}\n`)
    onExit(code)
  }
  NodeRuntime.runMain(
    command.pipe(
      Effect.provide([AppConfig.layer, NodeServices.layer]),
      Effect.provideService(Console.Console, terminalConsole(console))
    ),
    {
      disableErrorReporting: true,
      teardown: (exit, onExit) => {
        // This callback runs after all earlier output has been written: a pipe takes it in parts, and exiting would drop the rest.
        process.stdout.write("", (error) =>
          end(Exit.isFailure(exit) ? exitOf(exit) : outputExit(lost ?? error ?? null), onExit)
        )
      }
    }
  )
}
