/** The help of every command, in the order of the command tree. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { commandTree } from "../commandTree.ts"

const actionRisk = await commandTree()

/** A command without subcommands. `words`: `["rules", "check"]`. */
export interface CommandHelp {
  readonly words: ReadonlyArray<string>
  readonly help: HelpDoc.HelpDoc
}

/** Runs the command with `--help`, so that docs/cli.md and the terminal cannot differ. */
const helpOf = (words: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> =>
  Effect.suspend(() => {
    const printed: Array<HelpDoc.HelpDoc> = []
    const presenter = CliOutput.layerPresenter({
      present: (event) =>
        Effect.sync(() => {
          if (event._tag === "Help") printed.push(event.helpDoc)
        })
    })
    return Command.runWith(actionRisk, { version: "" })([...words, "--help"]).pipe(
      Effect.provide(Layer.mergeAll(presenter, NodeServices.layer, AppConfig.layer)),
      Effect.orDie,
      Effect.flatMap(() => {
        const [help] = printed
        return help === undefined ? Effect.die(`no help for ${words.join(" ")}`) : Effect.succeed(help)
      })
    )
  })

const below = (words: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<CommandHelp>> =>
  helpOf(words).pipe(
    Effect.flatMap((help) => {
      const verbs = (help.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
      return verbs.length === 0 && words.length > 0
        ? Effect.succeed([{ words, help }])
        : Effect.forEach(verbs, (verb) => below([...words, verb])).pipe(Effect.map((lists) => lists.flat()))
    })
  )

export const everyCommand = below([])
