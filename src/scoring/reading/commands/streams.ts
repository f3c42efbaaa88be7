/** What comes through a pipe, `<(…)` or standard input: a script that is run, or a copy of what people keep. */

import type { CommandAct } from "./prepareCommands.ts"
import type { Arguments } from "./matchProgram.ts"
import type { CommandWord } from "./paths.ts"
import type { Context, CommandSession } from "./CommandSession.ts"

const keptClasses = ["here", "above", "root", "data", "documents", "system", "log"]

/** `tar c .`, `cat dump.sql`: what comes out is what somebody keeps. */
export const carriesData = (session: CommandSession, { type }: CommandAct, given: Arguments): boolean =>
  (type === "archive.write" || type === "system.archive" || type === "file.read") &&
  given.operands.some((word) => keptClasses.includes(session.classOf(word)))

const standardInput = /^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/

/** The script that comes through `<(…)` or standard input, where the command says it. */
export const streamOf = (
  session: CommandSession,
  file: CommandWord | undefined,
  { stdin }: Context
): string | undefined => {
  if (file === undefined || !session.commands.readsStreams) return undefined
  const flow = standardInput.test(file.value) ? stdin : file.flow
  return flow.fetched || flow.decoded ? undefined : flow.text
}
