/** Adds the act of the form that a call of a program fits, or of the file that a redirection writes or reads, and gives the flow of its output. */

import { changeless, dataClassifications } from "../../../domain/Action.ts"
import type { CommandAct } from "../Act.ts"
import type { PreparedForm, PreparedProgram } from "./Commands.ts"
import { type CommandSession, type Context, outermost } from "./CommandSession.ts"
import {
  type Arguments,
  deedUnlisted,
  findForm,
  formsBehindValues,
  lineOf,
  onlyOperand
} from "./matchProgram.ts"
import { addStatedRequest, carriesData } from "./network.ts"
import { type CommandWord, type Flow, noFlow } from "./paths.ts"
import { readObeyedLines } from "./sideEffects/reaches.ts"

/** The verb for `command`: the words of the form that are fixed, never the caller's. */
const nameOf = (program: PreparedProgram, act: CommandAct): string =>
  act.type.includes(program.name) ? act.type : `${program.name}.${act.type.slice(act.type.indexOf(".") + 1)}`

const restricted = dataClassifications.indexOf("restricted")

const revealsSecret = (act: CommandAct): boolean =>
  act.class === "read" && dataClassifications.indexOf(act.holds) >= restricted

/** Whether an act changes a guard of the agent. To copy a guard, or to keep a revision of it, changes nothing. */
const changesGuard = (
  { classOf }: CommandSession,
  { moves, refs }: PreparedProgram,
  act: CommandAct,
  { operands }: Arguments
): boolean =>
  !changeless.has(act.class) &&
  !refs &&
  (moves ? operands.slice(-1) : operands).some((word) => classOf(word) === "guard")

export const addForm = (
  session: CommandSession,
  program: PreparedProgram,
  given: Arguments,
  context: Context
): Flow => {
  const form = findForm(program, given, session.classOf)
  const isStated = addStatedRequest(session, program, given, context)
  if (form === undefined) {
    session.addNamed("unknownForm", `${program.name}.unknown`)
    return { ...context.stdin, text: undefined }
  }
  const { act } = form
  const add = (one: PreparedForm, of = program) =>
    session.add(nameOf(program, one.act), one.act, lineOf(of, one))
  if (!isStated) add(form)
  for (const other of formsBehindValues(program, given, session.classOf)) add(other)
  if (changesGuard(session, program, act, given)) session.addNamed("guardChanged", `${program.name}.change`)
  const unlisted = deedUnlisted(session.commands, program, form, given, session.classOf)
  if (unlisted === "unknown") session.addNamed("unknownForm", `${program.name}.unknown`)
  else if (unlisted !== undefined) add(unlisted, session.commands.unlisted)
  // `dpkg -i` of a package that was just loaded.
  if (act.class === "execute" && given.operands.some((word) => session.isFetched(word)))
    session.runsCodeFrom({ ...noFlow, fetched: true }, context)
  const [from, to] = [given.operands[0], given.operands.at(-1)]
  if (program.enters) session.enter(given.operands[0])
  if (program.stores)
    for (const file of given.operands) session.storeFile(file, context.stdin, given.flags.has("-a"))
  if (program.moves && from !== undefined && to !== undefined) session.copyFile(from, to)
  const { stdin } = context
  const secret = stdin.secret || revealsSecret(act)
  const data = stdin.data || carriesData(session, act, given)
  return {
    ...stdin,
    secret,
    data,
    text: program.role === "pass" && given.operands.length === 0 ? stdin.text : undefined
  }
}

/** `> file`, `>> file`, `curl -o file`: the data has the pseudo-programs `>` and `>>`. */
export const writeFile = (session: CommandSession, file: CommandWord, flow: Flow, append: boolean): void => {
  const program = session.commands.programs.get(append ? ">>" : ">")
  if (program === undefined) return
  const given = onlyOperand(file)
  const form = findForm(program, given, session.classOf)
  if (form !== undefined && form.act.class !== "read")
    session.add("file.write", form.act, lineOf(program, form))
  session.storeFile(file, flow, append)
  if (flow.text !== undefined && session.commands.obeyed.has(session.classOf(file)))
    readObeyedLines(session, flow.text, outermost)
  if (flow.secret && session.classOf(file) === "socket") session.addNamed("secretSent", "socket.send")
}

/** `< file`. Returns the flow of the file. */
export const readFile = (session: CommandSession, file: CommandWord): Flow => {
  if (session.classOf(file) === "socket") return { ...noFlow, fetched: true }
  if (session.classOf(file) !== "secret") return noFlow
  session.addNamed("secretRead", "file.read")
  return { ...noFlow, secret: true }
}
