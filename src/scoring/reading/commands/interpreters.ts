/** Programs that run code of other languages: `python -c`, `node -e`, `ruby file`. Their code is not read, except where it prints or calls a shell; and the files that a redirection writes and reads. */

import type { PreparedProgram } from "./Commands.ts"
import { matchProgram, readProgramArguments } from "./matchProgram.ts"
import { type CommandWord, type Flow, noFlow, plainWord } from "./paths.ts"
import type { Context, CommandSession } from "./CommandSession.ts"

const codeFlags = ["-c", "-e", "-r", "-E", "-p", "--eval", "--print", "-pe", "-ne"]

/** `-we`, `-vc`: the last letter takes the code. */
const codeCluster = /^-[a-zA-Z]{1,4}[ceE]$/

/** Literals, arithmetic, names of constants, and one call that prints. */
const onlyPrints =
  /^\s*(?:import (?:sys|platform|os|json|math|datetime)[^\S\n]*(?:\n\s*(?:;\s*)?|;\s*))*(?:print|console\.log|puts|echo|say|p)?(?:"[^"`$]*"|'[^'`]*'|[\d\s+\-*/%.(),]|\b(?:sys\.version(?:_info)?|sys\.executable|platform\.\w+\(\)|process\.versions?(?:\.\w+)?|process\.(?:platform|arch)|math\.\w+|RUBY_VERSION|true|false|len|round|sum|range|str|int)\b)*(?:;[\s);]*)?$/i

const callsShell =
  /\b(?:system|popen|subprocess|exec\w*|spawn\w*|shell_exec|passthru|child_process|check_output|rmtree|rmSync|unlink\w*)\b/

/** The quoted texts in code. One pass: a text without its closing quote ends the search. */
const quotedTexts = (code: string): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (let from = code.search(/["'`]/); from >= 0 && from < code.length;) {
    const to = code.indexOf(code[from] ?? "", from + 1)
    if (to === -1) break
    texts.push(code.slice(from + 1, to))
    const next = code.slice(to + 1, code.length).search(/["'`]/)
    from = next === -1 ? code.length : to + 1 + next
  }
  return texts
}

/** The texts that code hands to a shell, as far as they stand in it: `os.system("x y")`, `["x", "y"]`. */
const shellTexts = (code: string): ReadonlyArray<string> => {
  if (!callsShell.test(code)) return []
  const texts = quotedTexts(code)
  const removed = /\b(?:rmtree|rmSync|unlink\w*)\b/.test(code) ? texts.map((path) => `rm -rf '${path}'`) : []
  return [...texts.filter((text) => text.includes(" ")), texts.join(" "), ...removed]
}

const readCode = (session: CommandSession, code: CommandWord, context: Context): void => {
  if (session.runsCodeFrom(code.flow, context)) return
  const short = code.value.length <= session.commands.limits.printMax
  if (short && code.dynamicFrom === undefined && onlyPrints.test(code.value))
    return session.addNamed("sqlHarmless", "code.print")
  session.addNamed("evalCode", "code")
  for (const text of shellTexts(code.value))
    session.readers.shell(session, text, { ...context, stdin: noFlow, depth: context.depth + 1 })
}

export const readInterpreter = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context,
  invokeProgram: (name: string, rest: ReadonlyArray<CommandWord>) => Flow
): Flow => {
  const { programs } = session.commands
  for (let i = 0; i < words.length; i++) {
    const { value } = words[i] as CommandWord
    const next = words[i + 1]
    if (value === "-m" && next !== undefined) {
      if (programs.has(next.value)) return invokeProgram(next.value, words.slice(i + 2))
      break
    }
    const isCode =
      codeFlags.includes(value) ||
      codeCluster.test(value) ||
      (i === 0 && program.runsFor.some(([word]) => word === value))
    if (isCode && next !== undefined) {
      readCode(session, next, context)
      return noFlow
    }
    if (!value.startsWith("-")) break
  }
  return readScript(session, program, words, context, invokeProgram)
}

/** A script by its file, or by standard input. */
const readScript = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context,
  invokeProgram: (name: string, rest: ReadonlyArray<CommandWord>) => Flow
): Flow => {
  const given = readProgramArguments(program, words)
  const file = given.operands[0]
  if (file === undefined || file.value === "-") {
    const { stdin } = context
    if (session.runsCodeFrom(stdin, context)) return noFlow
    if (stdin.text !== undefined)
      readCode(session, { value: stdin.text, raw: "", dynamicFrom: undefined, flow: noFlow }, context)
    else if (!addForm(session, program, words)) session.addNamed("unreadText", "code")
    return noFlow
  }
  if (session.runsCodeFrom({ ...file.flow, fetched: file.flow.fetched || session.isFetched(file) }, context))
    return noFlow
  const written = session.textOf(file)
  if (written !== undefined) {
    readCode(session, plainWord(written), context)
    return noFlow
  }
  const name = file.value.slice(file.value.lastIndexOf("/") + 1)
  if (session.commands.programs.has(`./${name}`)) return invokeProgram(`./${name}`, words.slice(1))
  if (!addForm(session, program, words)) session.addNamed("ownCode", "script")
  return noFlow
}

const addForm = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>
): boolean => {
  const act = matchProgram(program, readProgramArguments(program, words), session.classOf)
  if (act !== undefined) session.add(program.name, act)
  return act !== undefined
}

const standardInput = /^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/

/** The script that comes through `<(…)` or standard input, where the command says it. */
export const streamOf = (file: CommandWord | undefined, { stdin }: Context): string | undefined => {
  if (file === undefined) return undefined
  const flow = standardInput.test(file.value) ? stdin : file.flow
  return flow.fetched || flow.decoded ? undefined : flow.text
}

/** Each run of letters can be read in one way only: `LLL` is three last days or a name, and a pattern that tries both never ends. */
const scheduleField = /(?:[\d*/,?#-]|[LW]+(?![a-z])|(?![LW]+(?![a-z]))[LW]*?[a-z]{3}(?!\w))+/.source
const scheduleFields = new RegExp(`^\\s*(?:@\\w+|${scheduleField}(?:\\s+${scheduleField}){4})\\s+`, "i")

/** `crontab -`, `at`: each line that comes in is a command that will run by a schedule. */
export const readSchedule = (session: CommandSession, context: Context): void => {
  const { stdin } = context
  const inside = { ...context, stdin: noFlow, scheduled: true, depth: context.depth + 1 }
  if (session.runsCodeFrom({ ...stdin, text: undefined }, inside) || stdin.text === undefined) return
  for (const line of stdin.text.split("\n"))
    if (line.trim() !== "" && !line.trim().startsWith("#"))
      session.readers.shell(session, line.replace(scheduleFields, ""), inside)
}

/** `> file`, `>> file`, `curl -o file`: the data has the pseudo-programs `>` and `>>`. */
export const writeFile = (session: CommandSession, file: CommandWord, flow: Flow, append: boolean): void => {
  const program = session.commands.programs.get(append ? ">>" : ">")
  if (program === undefined) return
  const given = { flags: new Map(), operands: [file], places: [0], afterDashes: undefined, perhapsValues: [] }
  const act = matchProgram(program, given, session.classOf)
  if (act !== undefined && act.class !== "read") session.add("file.write", act)
  session.storeFile(file, flow, append)
  if (flow.secret && session.classOf(file) === "socket") session.addNamed("secretSent", "socket.send")
}

/** `< file`. Returns what the file carries. */
export const readFile = (session: CommandSession, file: CommandWord): Flow => {
  if (session.classOf(file) !== "secret") return noFlow
  session.addNamed("secretRead", "file.read")
  return { ...noFlow, secret: true }
}
