/** Reads one simple command: finds the program, unwraps `sudo`, `xargs` and the like, and adds the acts that it stands for. */

import { dataClassifications } from "../../../domain/Action.ts"
import type { CommandAct } from "../Act.ts"
import type { PreparedProgram } from "./Commands.ts"
import {
  actOfUnlisted,
  actsBehindValues,
  type Arguments,
  asksForHelp,
  deletionBeside,
  findForm,
  readProgramArguments
} from "./matchProgram.ts"
import { readInterpreter, readSchedule, streamOf, writeFile } from "./interpreters.ts"
import { addStatedRequest, carriesData, readRequest } from "./network.ts"
import {
  type CommandWord,
  type Flow,
  flowOf,
  globFits,
  joinFlows,
  noFlow,
  plainWord,
  printsText
} from "./paths.ts"
import type { Context, CommandSession } from "./CommandSession.ts"
import { readReaches } from "./beside/reaches.ts"

const versioned = /^(python|pip|node|ruby|perl|php|lua|clang|gcc|java)[\d.]+$/
const systemPlace =
  /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/|[a-z]:\/windows\/|~?\/?(?:[^/]+\/)*node_modules\/\.bin\/|(?:\.?venv|env)\/bin\/)/i

/** As people write them. `remove-thing` may be any script. */
const cmdletName = /^[A-Z][a-z]+-[A-Z]\w*$/

/** The entry of a program. A file of the project that is named like a known program is another program, unless the data says `./name`. */
export const findProgram = (session: CommandSession, name: string): PreparedProgram | undefined => {
  const { devicePrograms, programs } = session.commands
  const ofDevice = session.language === "device" ? devicePrograms.get(name.toLowerCase()) : undefined
  if (ofDevice !== undefined) return ofDevice
  const path = name.replaceAll("\\", "/")
  const base = path.slice(path.lastIndexOf("/") + 1)
  if (path.includes("/") && !systemPlace.test(path)) return programs.get(`./${base}`)
  const exact = programs.get(base) ?? programs.get(versioned.exec(base)?.[1] ?? "")
  if (exact !== undefined) return exact
  const folded = programs.get(base.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, ""))
  if (folded?.flags === "slash" || /\.(?:exe|cmd|bat)$/i.test(base)) return folded
  const cmdlet = cmdletName.test(base)
    ? session.commands.cmdlets.find(({ glob }) => globFits(glob, base.toLowerCase()))?.program
    : undefined
  if (cmdlet !== undefined) return cmdlet
  // What a shell over ssh does not know may be a line for a switch.
  return session.language === "shell" ? devicePrograms.get(name) : undefined
}

/** The verb for `command`: the words of the form that are fixed, never the caller's. */
const nameOf = (program: PreparedProgram, act: CommandAct): string =>
  act.type.includes(program.name) ? act.type : `${program.name}.${act.type.slice(act.type.indexOf(".") + 1)}`

const restricted = dataClassifications.indexOf("restricted")

const revealsSecret = (act: CommandAct): boolean =>
  act.class === "read" && dataClassifications.indexOf(act.holds) >= restricted

/** Adds the act of the form that fits, and says what the output carries. */
const addForm = (
  session: CommandSession,
  program: PreparedProgram,
  given: Arguments,
  context: Context
): Flow => {
  const form = findForm(program, given, session.classOf)
  addStatedRequest(session, program, given)
  if (form === undefined) {
    session.addNamed("unknownForm", `${program.name}.unknown`)
    return { ...context.stdin, text: undefined }
  }
  const { act } = form
  session.add(nameOf(program, act), act)
  for (const other of actsBehindValues(program, given, session.classOf))
    session.add(nameOf(program, other), other)
  const deletion = deletionBeside(session.commands, program, form, given, session.classOf)
  if (deletion !== undefined) session.add(nameOf(program, deletion), deletion)
  // `dpkg -i` of a package that was just loaded.
  if (act.class === "execute" && given.operands.some((word) => session.isFetched(word)))
    session.runsCodeFrom({ ...noFlow, fetched: true }, context)
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

/** The words of the command that this one runs; undefined if it runs none. */
const innerWords = (
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>
): ReadonlyArray<CommandWord> | undefined => {
  const paths = program.runsFor.length === 0 ? [[]] : program.runsFor
  for (const path of paths) {
    const { operands, places, afterDashes } = readProgramArguments(
      program,
      words,
      program.runs === "dashes" ? Infinity : path.length + program.skip + 1
    )
    if (!path.every((word, i) => word.split("|").includes(operands[i]?.value ?? ""))) continue
    const from = program.runs === "dashes" ? afterDashes : places[path.length + program.skip]
    if (from === undefined || from >= words.length) continue
    const rest = words.slice(from)
    const command = rest.findIndex(({ value }) => !/^[A-Za-z_]\w*=/.test(value))
    if (command >= 0) return rest.slice(command)
  }
  return undefined
}

const joined = (program: PreparedProgram, words: ReadonlyArray<CommandWord>): string =>
  words.length === 1
    ? (words[0]?.value ?? "")
    : words.map(({ raw, value }) => (program.flags === "slash" ? raw : value)).join(" ")

/** `xargs rm`: what comes in becomes the last words. */
const wordsFromInput = ({ stdin }: Context): ReadonlyArray<CommandWord> =>
  stdin.text === undefined
    ? [{ value: "", raw: "", dynamicFrom: 0, flow: stdin }]
    : stdin.text.split(/\s+/).filter(Boolean).map(plainWord)

/** Runs of other commands. Undefined if this call runs none. */
const unwrap = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow | undefined => {
  const inside = { ...context, root: context.root || program.root, depth: context.depth + 1 }
  if (program.runsFlags.length > 0 && program.role === undefined) {
    const { flags } = readProgramArguments(program, words)
    const texts = program.runsFlags.flatMap((flag) => flags.get(flag) ?? [])
    if (texts.length > 0) return readTexts(session, texts, inside)
  }
  if (program.runs === undefined || program.role === "sql") return undefined
  const inner = innerWords(program, words)
  if (inner === undefined) return undefined
  if (program.runs !== "joined")
    return invoke(
      session,
      program.role === "arguments" ? [...inner, ...wordsFromInput(context)] : inner,
      inside
    )
  if (session.runsCodeFrom(flowOf(inner), inside)) return noFlow
  return program.role === "powershell"
    ? session.readers.powerShell(session, joined(program, inner), inside)
    : session.readers.shell(session, joined(program, inner), inside)
}

const readTexts = (session: CommandSession, texts: ReadonlyArray<CommandWord>, context: Context): Flow => {
  let flow = noFlow
  for (const text of texts)
    if (!session.runsCodeFrom(text.flow, context))
      flow = joinFlows(flow, session.readers.shell(session, text.value, context))
  return flow
}

/** `find`: what it deletes or runs lies under its first operand and has the name that it asks for. */
const readFind = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const from = words.findIndex(({ value }) => /^-(?:exec|execdir|ok|okdir)$/.test(value))
  const given = readProgramArguments(program, from === -1 ? words : words.slice(0, from))
  const name = (given.flags.get("-name") ?? given.flags.get("-path"))?.[0]
  const start = given.operands[0] ?? plainWord(".")
  const target = name === undefined ? start : plainWord(`${start.value}/${name.value.replace(/^\*\//, "")}`)
  const flow = addForm(
    session,
    program,
    { ...given, operands: [target, ...given.operands.slice(1)] },
    context
  )
  if (from === -1) return flow
  const to = words.findIndex(({ value }, i) => i > from && (value === ";" || value === "+"))
  const inner = words.slice(from + 1, to === -1 ? words.length : to)
  const replaced = inner.map((word) => (word.value === "{}" ? target : word))
  return invoke(session, replaced, { ...context, depth: context.depth + 1 })
}

/** `eval`, `iex`: a text becomes code. */
const readEval = (session: CommandSession, words: ReadonlyArray<CommandWord>, context: Context): Flow => {
  const inside = { ...context, depth: context.depth + 1 }
  if (session.runsCodeFrom(joinFlows(flowOf(words), context.stdin), inside)) return noFlow
  if (words.length === 0 || words.some(({ dynamicFrom }) => dynamicFrom !== undefined))
    session.addNamed("evalCode", "eval")
  else session.readers.shell(session, words.map(({ value }) => value).join(" "), inside)
  session.unread = true
  return noFlow
}

/** A client of a database: its SQL stands in a flag, in an operand, or comes in. */
const readClient = (
  session: CommandSession,
  program: PreparedProgram,
  given: Arguments,
  context: Context
): Flow => {
  const path = program.runsFor[0] ?? []
  const named = program.runsFlags.flatMap((flag) => given.flags.get(flag) ?? [])
  const fits = path.every((word, i) => word === given.operands[i]?.value)
  const operand = program.runs === undefined || !fits ? undefined : given.operands[path.length + program.skip]
  const texts = [...named, ...(operand === undefined ? [] : [operand])].map(({ value }) => value)
  if (texts.length === 0 && context.stdin.text !== undefined) texts.push(context.stdin.text)
  if (texts.length === 0) return addForm(session, program, given, context)
  for (const text of texts)
    if (program.role === "mongo") session.readers.mongo(session, text)
    else session.readers.sql(session, text)
  return { ...noFlow, text: undefined }
}

/** `redis-cli <<< FLUSHALL`: each line that comes in is a call of the program. */
const readLines = (
  session: CommandSession,
  program: PreparedProgram,
  given: Arguments,
  context: Context
): Flow => {
  const { text } = context.stdin
  if (text === undefined || given.operands.length > 0) return addForm(session, program, given, context)
  const inside = { ...context, stdin: noFlow, depth: context.depth + 1 }
  for (const line of text.split("\n"))
    if (line.trim() !== "") session.readers.shell(session, `${program.name} ${line}`, inside)
  return noFlow
}

const shellValues = /^-(?:[a-z]*c)$/

/** `sh -c text`, `sh file`, `… | sh`. */
const readShellProgram = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const inside = { ...context, depth: context.depth + 1 }
  const flag = words.findIndex(({ value }) => shellValues.test(value))
  const text = flag === -1 ? undefined : words[flag + 1]
  if (text !== undefined) {
    const flow = readTexts(session, [text], inside)
    if (text.value.trim() === "") session.unread = true
    return flow
  }
  const { flags, operands } = readProgramArguments(program, words)
  // `sh -s x` reads standard input; `x` is an argument.
  const file = flags.has("-s") ? undefined : operands[0]
  const streamed = streamOf(file, context)
  if (streamed !== undefined) return session.readers.shell(session, streamed, { ...inside, stdin: noFlow })
  if (
    file === undefined &&
    context.stdin.text !== undefined &&
    !context.stdin.fetched &&
    !context.stdin.decoded
  )
    return session.readers.shell(session, context.stdin.text, { ...inside, stdin: noFlow })
  const flow =
    file === undefined ? context.stdin : session.isFetched(file) ? { ...file.flow, fetched: true } : file.flow
  if (session.runsCodeFrom(flow, context)) return noFlow
  const entry =
    file === undefined ? undefined : session.commands.programs.get(`./${file.value.split("/").at(-1) ?? ""}`)
  if (file !== undefined && entry === undefined) session.addNamed("ownCode", "script")
  else addForm(session, entry ?? program, readProgramArguments(entry ?? program, words), context)
  return noFlow
}

/** `alias x='rm -rf /'`: what a name will run, it is taken to run. */
const readAliases = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const inside = { ...context, depth: context.depth + 1 }
  for (const word of words) {
    const [, name, text] = /^([\w.:+-]+)=([^]*)$/.exec(word.value) ?? []
    if (name === undefined || text === undefined) continue
    session.functions.add(name)
    readTexts(session, [{ ...word, value: text.replace(/^(["'])([^]*)\1$/, "$2") }], inside)
  }
  return addForm(session, program, readProgramArguments(program, words), context)
}

const decodes = ["-d", "-D", "--decode", "-r", "--decrypt", "-dc"]

const runRole = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const given = readProgramArguments(program, words)
  switch (program.role) {
    case "shell":
      return readShellProgram(session, program, words, context)
    case "interpreter":
      return readInterpreter(session, program, words, context, (module, rest) =>
        invoke(session, [plainWord(module), ...rest], { ...context, depth: context.depth + 1 })
      )
    case "eval":
      return readEval(session, words, context)
    case "source": {
      const streamed = streamOf(given.operands[0], context)
      if (streamed !== undefined)
        return session.readers.shell(session, streamed, { ...context, depth: context.depth + 1 })
      if (
        given.operands.some((word) => session.isFetched(word)) ||
        session.runsCodeFrom(flowOf(words), context)
      )
        return noFlow
      return addForm(session, program, given, context)
    }
    case "fetch":
      return readRequest(session, program, given, context, (file) => writeFile(session, file, noFlow, false))
    case "send":
      if (context.stdin.secret || words.some(({ flow }) => flow.secret))
        session.addNamed("secretSent", `${program.name}.send`)
      else if (context.stdin.data) session.addNamed("dataSent", `${program.name}.send`)
      return addForm(session, program, given, context)
    case "decode": {
      const flow = addForm(session, program, given, context)
      const decoded = flow.decoded || decodes.some((flag) => given.flags.has(flag))
      return { ...flow, decoded, text: undefined }
    }
    case "print":
      addForm(session, program, given, context)
      return printsText(words)
    case "sql":
    case "mongo":
      return readClient(session, program, given, context)
    case "schedule": {
      readSchedule(session, context)
      return addForm(session, program, given, context)
    }
    case "find":
      return readFind(session, program, words, context)
    case "lines":
      return readLines(session, program, given, context)
    case "alias":
      return readAliases(session, program, words, context)
    default:
      return addForm(session, program, given, context)
  }
}

const unknownCommand = (
  session: CommandSession,
  [name, ...rest]: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  if (name === undefined || session.functions.has(name.value)) return noFlow
  const flow = joinFlows(name.flow, { ...noFlow, fetched: session.isFetched(name) })
  if (session.runsCodeFrom(flow, context)) return noFlow
  if (rest.length === 1 && /^--(?:version|help)$/.test(rest[0]?.value ?? "")) return noFlow
  const act = actOfUnlisted(session.commands, name, rest, session.classOf)
  if (act === undefined) session.addNamed("unknownProgram", "unknown")
  else session.add(act.type, act)
  return { ...joinFlows(context.stdin, flowOf(rest)), text: undefined }
}

/** Reads a command whose first word is the program. Returns what its output carries. */
export const invoke = (
  session: CommandSession,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  if (words.length === 0 || !session.mayGoOn(context)) return noFlow
  const name = words[0] as CommandWord
  const program = name.dynamicFrom === undefined ? findProgram(session, name.value) : undefined
  if (program === undefined || session.isFetched(name)) return unknownCommand(session, words, context)
  const rest = session.firstAndLast(words.slice(1))
  readReaches(session, program, rest, context, invoke)
  if (asksForHelp(program, rest)) {
    session.addNamed("sqlHarmless", `${program.name}.help`)
    return noFlow
  }
  return unwrap(session, program, rest, context) ?? runRole(session, program, rest, context)
}
