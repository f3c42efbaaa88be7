/** Runs the command that the arguments name, with the operator's settings, and ends the process as agreed. */

// Not from the package's root, which would load every service it has, Redis among them.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { AppConfig } from "../Config.ts"
import { commandTree } from "./ActionRisk.ts"
import { errorLine } from "./errorLine.ts"
import { endingOf } from "./exitCode.ts"
import { logging } from "./logging.ts"
import { letNewSpaceGrow } from "./newSpace.ts"
import { presenter } from "./presenter.ts"
import { version } from "./version.ts"

// Levels and formats of logs are variables, and no command asks questions.
const flags = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })

export const run = async () => {
  const [, , first] = process.argv
  const actionRisk = await commandTree(first)
  // Everything is loaded. Only a service rests once it is ready; what else there is works from here on.
  if (first !== "serve") letNewSpaceGrow()
  // A terminal that closes ends a serving process as gracefully as Ctrl-C.
  process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  NodeRuntime.runMain(
    Command.run(actionRisk, { version }).pipe(
      Effect.provide([
        logging.pipe(Layer.provideMerge(AppConfig.layer)),
        presenter,
        flags,
        NodeServices.layer
      ])
    ),
    {
      disableErrorReporting: true,
      teardown: (exit, onExit) => {
        const { code, line } = endingOf(exit)
        if (line !== null) process.stderr.write(`${errorLine(line)}\n`)
        onExit(code)
      }
    }
  )
}
