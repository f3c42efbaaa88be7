/** The command tree in this process, which starts none: what it says, and how it ends. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { commandTree } from "../../src/cli/commandTree.ts"
import { exitOf, presenter } from "../../src/cli/exit.ts"
import { AppConfig } from "../../src/config.ts"

// Every command is loaded before the time of a test runs.
void (await commandTree())

export interface Spoken {
  readonly code: number
  readonly stdout: string
  readonly stderr: ReadonlyArray<string>
}

/** For what never reaches a database. */
export const spoken = (...args: ReadonlyArray<string>): Promise<Spoken> =>
  spokenWith({ DATA_DIR: "/dev/null/x" }, ...args)

/** With these settings. */
export const spokenWith = async (
  env: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Promise<Spoken> => {
  const lines = { stdout: [] as Array<string>, stderr: [] as Array<string> }
  const console: Console.Console = {
    ...globalThis.console,
    log: (line: string) => lines.stdout.push(line),
    error: (line: string) => lines.stderr.push(line)
  }
  // As far as the process itself would load it.
  const actionRisk = await commandTree(args[0])
  const exit = await Effect.runPromiseExit(
    Command.runWith(actionRisk, { version: "1.2.3" })(args).pipe(
      Effect.provide(Layer.mergeAll(presenter, NodeServices.layer, AppConfig.layerFrom(env))),
      Effect.provideService(Console.Console, console)
    )
  )
  const { code, line } = exitOf(exit)
  return {
    code,
    stdout: lines.stdout.join("\n"),
    stderr: line === null ? lines.stderr : [...lines.stderr, line]
  }
}
