/** Command lines as a person types them, and a tree that reads them without doing anything. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliOutput, Command } from "effect/cli"
import { commandTree } from "../../src/cli/commandTree.ts"
import { AppConfig } from "../../src/config.ts"

/** The words of a line, without leading settings like `NO_COLOR=1` and without what is piped, read or written elsewhere. */
export const wordsOf = (line: string): ReadonlyArray<string> => {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/['"]/g, "")
  )
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const end = words.findIndex((word) => /^(?:\||>>?|<<<.*|&&|;)$/.test(word))
  return words.slice(first, end === -1 ? undefined : end)
}

/** The same names, arguments and flags, and no handler. */
const idle = (command: Command.Command.Any): Command.Command.Any => {
  const parts = command.subcommands.flatMap(({ commands }) => commands.map(idle))
  return parts.length === 0
    ? Command.withHandler(() => Effect.void)(command as Command.Command<string, unknown>)
    : Command.make(command.name).pipe(Command.withSubcommands(parts as never))
}

const tree = idle(await commandTree()) as Command.Command<string, unknown, unknown, never, never>

/** The problem with a command line of `action-risk`; null if it is valid. */
export const usageProblem = async (line: string): Promise<string | null> => {
  const [program, ...words] = wordsOf(line).filter((word) => word !== "npx")
  if (program !== "action-risk") return `starts with ${program}`
  const problems: Array<string> = []
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "InvalidInvocation") problems.push(...event.errors.map(({ message }) => message))
      })
  })
  const exit = await Effect.runPromiseExit(
    Command.runWith(tree, { version: "" })(words).pipe(
      Effect.provide(Layer.mergeAll(presenter, NodeServices.layer, AppConfig.layer)),
      Effect.provideService(Console.Console, { ...globalThis.console, log: () => {}, error: () => {} })
    )
  )
  return Exit.isSuccess(exit) ? null : problems.join("; ") || Cause.pretty(exit.cause)
}
