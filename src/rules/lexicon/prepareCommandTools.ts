/** Prepares which tools take a command, and how the arguments of each program begin. */

import { wordsOf } from "../../scoring/reading/Act.ts"
import type { PreparedCommands, PreparedForm } from "../../scoring/reading/commands/Commands.ts"
import type { CommandTools } from "../../scoring/reading/commands/commandTools.ts"
import { globFits } from "../../scoring/reading/commands/paths.ts"
import type { CommandsData } from "./commandFiles.ts"

const setOf = (words: string): ReadonlySet<string> => new Set(wordsOf(words))

/** Most patterns have no star, and then a set knows. */
const fitsAnyOf = (patterns: ReadonlyArray<string>): ((word: string) => boolean) => {
  const whole = new Set(patterns)
  const globs = patterns.filter((pattern) => pattern.includes("*"))
  return (word) => whole.has(word) || globs.some((glob) => globFits(glob, word))
}

const firstWordsOf = (forms: ReadonlyArray<PreparedForm>): ReadonlyArray<string> =>
  forms.flatMap(({ conditions }) => {
    const first = conditions.find(({ kind }) => kind === "path")
    return first?.kind === "path" ? first.globs.filter((glob) => glob !== "*") : []
  })

const keyOfProgram = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Only programs whose arguments choose what they do: `date` and `file` are called like many other things. */
export const prepareCommandTools = (
  { tools }: CommandsData,
  { acts, devicePrograms, programs }: PreparedCommands
): CommandTools => {
  const byKey = new Map<string, string>()
  const firstWords = new Map<string, ReadonlyArray<string>>()
  for (const [name, { forms, role }] of programs) {
    const chooses = forms.length > 1 || role === "sql" || role === "mongo"
    if (!chooses || !/^[a-z]/i.test(name)) continue
    byKey.set(keyOfProgram(name), name)
    if (role !== "sql" && role !== "mongo") firstWords.set(name, firstWordsOf(forms))
  }
  for (const [aliases, program] of tools.programs)
    for (const alias of wordsOf(aliases)) byKey.set(alias, program)
  return {
    isSqlWord: fitsAnyOf(wordsOf(tools.sql)),
    sqlBeginnings: setOf(tools.sqlBeginnings),
    resourceCut: tools.resourceCut,
    commandMax: tools.commandMax,
    tooLong: acts.tooLong,
    carriers: setOf(tools.carriers),
    parameters: {
      command: setOf(tools.parameters.command),
      arguments: setOf(tools.parameters.arguments),
      beside: setOf(tools.parameters.beside),
      besideOfDevice: setOf(tools.parameters.besideOfDevice),
      deviceCommands: devicePrograms
    },
    textTools: {
      brands: setOf(tools.textTools.brands),
      names: setOf(tools.textTools.names),
      acts: tools.textTools.acts.map(([verbs, objects]) => [setOf(verbs), setOf(objects)])
    },
    shell: setOf(tools.shell),
    device: {
      sequences: tools.device.map((sequence) => ` ${sequence} `),
      firstWords: new Set(tools.device.map((sequence) => sequence.split(" ", 1)[0] ?? ""))
    },
    fillers: setOf(tools.fillers),
    programs: byKey,
    firstWords
  }
}
