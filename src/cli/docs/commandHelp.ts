/** What the command tree says of itself: the help of every command, in the tree's order. */

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { commandTree } from "../commandTree.ts"

const actionRisk = await commandTree()

/** One command that does something: `["rules", "check"]`. */
export interface CommandHelp {
  readonly words: ReadonlyArray<string>
  readonly help: HelpDoc.HelpDoc
}

/** Asked with `--help` as a user would ask, so that the document and the terminal cannot say different things. */
const helpOf = (words: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> =>
  Effect.suspend(() => {
    const heard: Array<HelpDoc.HelpDoc> = []
    const presenter = CliOutput.layerPresenter({
      present: (event) =>
        Effect.sync(() => {
          if (event._tag === "Help") heard.push(event.helpDoc)
        })
    })
    return Command.runWith(actionRisk, { version: "" })([...words, "--help"]).pipe(
      Effect.provide(Layer.mergeAll(presenter, NodeServices.layer, AppConfig.layer)),
      Effect.orDie,
      Effect.flatMap(() => {
        const [help] = heard
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
