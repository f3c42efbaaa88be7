/** Adds the act of the form that a program call fits, or of reading or writing a redirected file. Returns the flow of the output. */

import { changeless, dataClassifications } from "../../../domain/Action.ts"
import type { PreparedForm, PreparedProgram } from "./Commands.ts"
import { addAct, addNamed, apart, type Context, runsCodeFrom } from "./Context.ts"
import {
  type ProgramCall,
  deedUnlisted,
  findForm,
  formsBehindValues,
  lineOf,
  onlyOperand
} from "./matchProgram.ts"
import { addStatedRequest, carriesData } from "./network.ts"
import { type CommandWord, type Flow, isOfClass, noFlow, withoutText } from "./paths.ts"
import { readObeyedLines } from "./sideEffects/reaches.ts"
import type { CommandAct } from "./CommandReading.ts"

/** The verb for `command`: the fixed words of the form, never the caller's words. */
const nameOf = (program: PreparedProgram, act: CommandAct): string =>
  act.type.includes(program.name) ? act.type : `${program.name}.${act.type.slice(act.type.indexOf(".") + 1)}`

const restricted = dataClassifications.indexOf("restricted")

const revealsSecret = (act: CommandAct): boolean =>
  act.class === "read" && dataClassifications.indexOf(act.holds) >= restricted

/** Whether an act changes a safeguard of the agent. Copying one, or keeping a revision of it, does not change it. */
const changesGuard = (
  { context, given: { operands }, program: { moves, refs } }: ProgramCall,
  act: CommandAct
): boolean =>
  !changeless.has(act.class) &&
  !refs &&
  (moves ? operands.slice(-1) : operands).some((word) => context.shell.classOf(word) === "guard")

export const addForm = (call: ProgramCall): Flow => {
  const { context, given, program } = call
  const { commands, session, shell, stdin } = context
  const form = findForm(program, given, shell.classOf)
  const isStated = addStatedRequest(call)
  if (form === undefined) {
    addNamed(context, "unknownForm", `${program.name}.unknown`)
    return withoutText(stdin)
  }
  const { act } = form
  const add = (one: PreparedForm, of = program) =>
    addAct(context, nameOf(program, one.act), one.act, lineOf(of, one))
  if (!isStated) add(form)
  for (const other of formsBehindValues(program, given, shell.classOf)) add(other)
  if (changesGuard(call, act)) addNamed(context, "guardChanged", `${program.name}.change`)
  const unlisted = deedUnlisted(commands, program, form, given, shell.classOf)
  if (unlisted === "unknown") addNamed(context, "unknownForm", `${program.name}.unknown`)
  else if (unlisted !== undefined) add(unlisted, commands.unlisted)
  // Example: `dpkg -i` of a package that the same text downloaded.
  if (act.class === "execute" && given.operands.some((word) => session.isFetched(word)))
    runsCodeFrom(context, { ...noFlow, fetched: true })
  const [from, to] = [given.operands[0], given.operands.at(-1)]
  if (program.enters) shell.enter(from)
  if (program.stores) for (const file of given.operands) session.storeFile(file, stdin, given.flags.has("-a"))
  if (program.moves && from !== undefined && to !== undefined)
    session.copyFile(from, to, isOfClass(shell.classOf(from), "secret"))
  return {
    ...stdin,
    secret: stdin.secret || revealsSecret(act),
    data: stdin.data || carriesData(call, act),
    text: program.role === "pass" && given.operands.length === 0 ? stdin.text : undefined,
    lines: linesOf(call)
  }
}

const wildcard = /[*?]/

/** The words that represent the lines of the output; undefined if they are unknown. */
const linesOf = ({ context: { stdin }, given: { flags, operands }, program }: ProgramCall): Flow["lines"] => {
  const { filters, flags: spelling, lists, printsNames } = program
  if (filters) return stdin.lines
  if (printsNames !== undefined) return operands.map(({ value }) => `${printsNames}${value}`)
  if (lists === undefined || operands.some(({ dynamicFrom }) => dynamicFrom !== undefined)) return undefined
  const places = operands.map(({ value }) => value)
  const patterns = lists.flatMap((flag) => flags.get(flag) ?? []).map(({ value }) => value)
  if (patterns.length > 0)
    return (places.length === 0 ? ["."] : places).flatMap((place) =>
      patterns.map((name) => `${place}/${name}`)
    )
  if (places.length === 0) return ["*"]
  // `ls x` prints names without their folder, but PowerShell objects keep it.
  return spelling === "slash" || places.every((place) => wildcard.test(place)) ? places : undefined
}

/** `> file`, `>> file`, `curl -o file`. In the rules, `>` and `>>` are pseudo-programs. */
export const writeFile = (context: Context, file: CommandWord, flow: Flow, append: boolean): void => {
  const { commands, session, shell } = context
  const program = commands.programs.get(append ? ">>" : ">")
  if (program === undefined) return
  const form = findForm(program, onlyOperand(file), shell.classOf)
  if (form !== undefined && form.act.class !== "read")
    addAct(context, "file.write", form.act, lineOf(program, form))
  session.storeFile(file, flow, append)
  if (flow.text !== undefined && commands.obeyed.has(shell.classOf(file)))
    readObeyedLines(apart(context), flow.text)
  if (flow.secret && shell.classOf(file) === "socket") addNamed(context, "secretSent", "socket.send")
}

/** `< file`. Returns the flow of the file's content. */
export const readFile = (context: Context, file: CommandWord): Flow => {
  const fileClass = context.shell.classOf(file)
  if (fileClass === "socket") return { ...noFlow, fetched: true }
  if (!isOfClass(fileClass, "secret")) return noFlow
  addNamed(context, "secretRead", "file.read")
  return { ...noFlow, secret: true }
}
