/** The vocabulary of commands of the working tree, as tests of the pure reader use it. */

import { readCommandFiles, isCommandFile } from "../../src/rules/lexicon/commandFiles.ts"
import { prepareCommands } from "../../src/rules/lexicon/prepareCommands.ts"
import { packageRoot, readRuleTree } from "../../src/rules/files/readTree.ts"
import { readCommand } from "../../src/scoring/reading/commands/readCommand.ts"
import { read } from "./read.ts"
import type { CommandLanguage } from "../../src/scoring/reading/commands/CommandReading.ts"

export const commandsData = read(
  readCommandFiles(read(readRuleTree(packageRoot)).lexicon.filter(isCommandFile))
)

export const preparedCommands = prepareCommands(commandsData)

export const reading = (text: string, language: CommandLanguage = "any") =>
  readCommand(text, language, preparedCommands)

/** The riskiest act in words: `critical destroy anywhere`, or `none` if the text is not a command. */
export const readsAsAct = (text: string, language: CommandLanguage = "any"): string => {
  const read = reading(text, language)
  if (read === undefined) return "none"
  const [act] = read.acts
  if (act === undefined) return "empty"
  const marks = (["anywhere", "weakens", "credential"] as const).filter((mark) => act[mark])
  const holds = act.holds === "internal" ? [] : [act.holds]
  const extent = act.extent === "single" ? [] : [act.extent]
  return [act.impact, act.class, ...extent, ...holds, ...marks, ...(read.unread ? ["unread"] : [])].join(" ")
}

/** `expected | text`, one a line. A `⏎` in the text is a line break. */
export const parseTable = (table: string): ReadonlyArray<readonly [text: string, expected: string]> =>
  table
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const bar = line.indexOf(" | ")
      return [line.slice(bar + 3).replaceAll("⏎", "\n"), line.slice(0, bar).trim()]
    })
