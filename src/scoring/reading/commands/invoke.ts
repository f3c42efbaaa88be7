/** Reads one simple command: finds the program, unwraps `sudo`, `xargs` and the like, and adds the acts that it stands for. */

import { addForm, writeFile } from "./addForm.ts"
import { readReaches } from "./sideEffects/reaches.ts"
import type { Context, CommandSession } from "./CommandSession.ts"
import type { PreparedProgram } from "./Commands.ts"
import { landsUnconfirmed } from "./landing.ts"
import {
  decodeBase64,
  printsSetUp,
  readAliases,
  readEval,
  readLines,
  readPatch,
  readPowerShellInput,
  readSchedule,
  readShellProgram,
  readSourced,
  readTexts
} from "./handedTexts.ts"
import { readInterpreter } from "./interpreters.ts"
import { type Arguments, asksForHelp, formOfUnlisted, lineOf, readProgramArguments } from "./matchProgram.ts"
import { readRequest } from "./network.ts"
import {
  type CommandWord,
  type Flow,
  flowOf,
  globFits,
  installedName,
  joinFlows,
  noFlow,
  plainWord,
  printsText
} from "./paths.ts"

const version = /[\d.]+$/
/** A path without a character by which a shell could be meant to cut it. */
const plainPath = /^[\w.@~+/-]+$/

/** As people write them. `remove-thing` may be any script. */
const cmdletName = /^[A-Z][a-z]+-[A-Z]\w*$/

/** The entry of a program. A file of the project that is named like a known program is another program, unless the data says `./name`. */
export const findProgram = (session: CommandSession, name: string): PreparedProgram | undefined => {
  const { devicePrograms, programs, versioned } = session.commands
  const ofDevice = session.language === "device" ? devicePrograms.get(name.toLowerCase()) : undefined
  if (ofDevice !== undefined) return ofDevice
  const base = installedName(name)
  if (base === undefined) return programs.get(`./${name.slice(name.search(/[^/\\]*$/))}`)
  const unversioned = base.replace(version, "")
  const exact = programs.get(base) ?? (versioned.has(unversioned) ? programs.get(unversioned) : undefined)
  if (exact !== undefined) return exact
  const folded = programs.get(base.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, ""))
  if (folded?.flags === "slash" || /\.(?:exe|cmd|bat)$/i.test(base)) return folded
  const cmdlet = cmdletName.test(base)
    ? session.commands.cmdlets.find(({ glob }) => globFits(glob, base.toLowerCase()))?.program
    : undefined
  if (cmdlet !== undefined) return cmdlet
  // A word that a shell over ssh does not know may be a line for a switch.
  return session.language === "shell" ? devicePrograms.get(name) : undefined
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
    // A text sets its variables itself.
    const isText = program.runs === "joined"
    const command = rest.findIndex(({ value }) => value !== "-" && (isText || !/^[A-Za-z_]\w*=/.test(value)))
    if (command >= 0) return rest.slice(command)
  }
  return undefined
}

/** The words in front of a command that it runs: a flag behind them is the other command's. */
const ownWords = (program: PreparedProgram, words: ReadonlyArray<CommandWord>): ReadonlyArray<CommandWord> =>
  program.runs === "rest" ? words.slice(0, words.length - (innerWords(program, words)?.length ?? 0)) : words

/** Quotes a word with blanks, so that it stays one word when the words are joined. */
const inOneWord = ({ value }: CommandWord): string =>
  /\s/.test(value) && !/['\\]/.test(value) ? `'${value}'` : value

const joined = (program: PreparedProgram, words: ReadonlyArray<CommandWord>): string =>
  words.length === 1
    ? (words[0]?.value ?? "")
    : words
        .map((word, i) => (program.flags === "slash" ? word.raw : i === 0 ? word.value : inOneWord(word)))
        .join(" ")

/** Flags by which a whole line of the input is one word. */
const wholeLines = ["-I", "-i", "--replace", "-d", "--delimiter", "-0", "--null"]

/** The words that come in: `xargs` cuts lines at blanks, unless a flag says where. */
const wordsFromInput = ({ stdin }: Context, { flags }: Arguments): ReadonlyArray<CommandWord> =>
  stdin.text === undefined
    ? [{ value: "", raw: "", dynamicFrom: 0, flow: stdin }]
    : stdin.text
        .split(wholeLines.some((flag) => flags.has(flag)) ? "\n" : /\s+/)
        .filter(Boolean)
        .map(plainWord)

/** The placeholder of the words that come in: `{}` of `xargs -I{} rm {}`. */
const placeFor = ({ flags }: Arguments, inner: ReadonlyArray<CommandWord>): string | undefined => {
  const place = flags.get("-I")?.[0]?.value ?? (flags.has("-i") || flags.has("--replace") ? "{}" : undefined)
  return place !== undefined && inner.some(({ value }) => value.includes(place)) ? place : undefined
}

/** `xargs rm`, `parallel rm`: a command with the words that come in or follow `:::`. */
const readWithInput = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  inner: ReadonlyArray<CommandWord>,
  context: Context,
  outer: Context
): Flow => {
  const list = inner.findIndex(({ value }) => /^:::\+?$/.test(value))
  if (list >= 0) return readEach(session, inner.slice(0, list), inner.slice(list + 1), "{}", context)
  const given = readProgramArguments(program, words, 1)
  const found = wordsFromInput(outer, given)
  const place = placeFor(given, inner)
  return place === undefined
    ? invoke(session, [...inner, ...found], context)
    : readEach(session, inner, session.firstAndLast(found), place, context)
}

/** `parallel rm {} ::: a b` runs `rm a` and `rm b`; `parallel ::: 'rm a'` runs its arguments. */
const readEach = (
  session: CommandSession,
  command: ReadonlyArray<CommandWord>,
  items: ReadonlyArray<CommandWord>,
  place: string,
  context: Context
): Flow => {
  const isNamed = command.some(({ value }) => value.includes(place))
  return items.reduce((flow, item) => {
    const filled = command.map((word) => {
      const at = word.value.indexOf(place)
      if (at === -1) return word
      const dynamicFrom = item.dynamicFrom === undefined ? undefined : at
      return { ...item, value: word.value.replaceAll(place, item.value), dynamicFrom }
    })
    const read =
      command.length === 0
        ? readTexts(session, [item], context)
        : invoke(session, isNamed ? filled : [...command, item], context)
    return joinFlows(flow, read)
  }, noFlow)
}

/** Reads the other commands that a command runs. Undefined if it runs none. */
const unwrap = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow | undefined => {
  const inside = { ...context, root: context.root || program.root, depth: context.depth + 1 }
  if (program.idleFlags.includes(words[0]?.value ?? "")) return undefined
  if (program.runsFlags.length > 0 && program.role === undefined) {
    const { flags } = readProgramArguments(program, ownWords(program, words))
    const texts = program.runsFlags.flatMap((flag) => flags.get(flag) ?? [])
    if (texts.length > 0) return readTexts(session, texts, inside)
  }
  if (program.runs === undefined || program.role === "sql") return undefined
  if (program.role === "powershell") {
    const flow = readPowerShellInput(session, program, words, inside)
    if (flow !== undefined) return flow
  }
  const inner = innerWords(program, words)
  if (inner === undefined) return undefined
  if (program.role === "arguments") {
    // A command that it runs has no input of its own.
    return readWithInput(session, program, words, inner, { ...inside, stdin: noFlow }, context)
  }
  if (program.runs !== "joined") return invoke(session, inner, inside)
  if (session.runsCodeFrom(flowOf(inner), inside)) return noFlow
  return program.role === "powershell"
    ? session.readers.powerShell(session, joined(program, inner), inside)
    : session.readers.shell(session, joined(program, inner), inside)
}

/** The commands behind `-exec` and its like, and the words that are left without them. */
const withoutRuns = (
  words: ReadonlyArray<CommandWord>
): {
  readonly others: ReadonlyArray<CommandWord>
  readonly runs: ReadonlyArray<ReadonlyArray<CommandWord>>
} => {
  const from = words.findIndex(({ value }) => /^-(?:exec|execdir|ok|okdir)$/.test(value))
  if (from === -1) return { others: words, runs: [] }
  const behind = words.slice(from + 1)
  const end = behind.findIndex(({ value }) => value === ";" || value === "+")
  const rest = withoutRuns(end === -1 ? [] : behind.slice(end + 1))
  const run = end === -1 ? behind : behind.slice(0, end)
  return { others: [...words.slice(0, from), ...rest.others], runs: [run, ...rest.runs] }
}

/** `find`: the files that it deletes or runs on are under its first operand and have the name in its test. */
const readFind = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const { others, runs } = withoutRuns(words)
  const given = readProgramArguments(program, others)
  const name = (given.flags.get("-name") ?? given.flags.get("-path"))?.[0]
  const start = given.operands[0] ?? plainWord(".")
  const target = name === undefined ? start : plainWord(`${start.value}/${name.value.replace(/^\*\//, "")}`)
  const flow = addForm(
    session,
    program,
    { ...given, operands: [target, ...given.operands.slice(1)] },
    context
  )
  return runs.reduce((all, inner) => {
    const replaced = inner.map((word) => (word.value === "{}" ? target : word))
    return joinFlows(all, invoke(session, replaced, { ...context, depth: context.depth + 1 }))
  }, flow)
}

/** A client of a database: its SQL is in a flag or in an operand, or comes in. */
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
      return readInterpreter(session, program, words, context)
    case "eval":
      return readEval(session, words, context)
    case "source":
      return readSourced(session, program, words, context)
    case "fetch":
      return readRequest(session, program, given, context, (file) =>
        session.locally(() => writeFile(session, file, noFlow, false))
      )
    case "send":
      if (context.stdin.secret || words.some(({ flow }) => flow.secret))
        session.addNamed("secretSent", `${program.name}.send`)
      else if (context.stdin.data) session.addNamed("dataSent", `${program.name}.send`)
      return addForm(session, program, given, context)
    case "decode": {
      const flow = addForm(session, program, given, context)
      const decodesNow = decodes.some((flag) => given.flags.has(flag))
      const text =
        decodesNow && program.decodes === "base64"
          ? decodeBase64(context.stdin.text ?? "", "utf-8")
          : undefined
      return { ...flow, decoded: flow.decoded || (decodesNow && text === undefined), text }
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
    case "patch":
      return readPatch(session, program, given, { ...context, depth: context.depth + 1 })
    case "alias":
      return readAliases(session, program, words, context)
    default:
      return addForm(session, program, given, context)
  }
}

/** `$SUDO rm -rf /`: a program that is not known may run the words behind it. */
const readBehind = (session: CommandSession, words: ReadonlyArray<CommandWord>, context: Context): Flow => {
  const from = words.findIndex(({ value }) => !/^-|^\d+[smh]?$|^\w+=/.test(value))
  const name = words[from]
  if (name === undefined || name.dynamicFrom !== undefined || findProgram(session, name.value) === undefined)
    return flowOf(words)
  return invoke(session, words.slice(from), { ...context, depth: context.depth + 1 })
}

const unknownCommand = (
  session: CommandSession,
  [name, ...rest]: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  if (name === undefined || session.functions.has(name.value)) return noFlow
  const flow = joinFlows(name.flow, { ...noFlow, fetched: session.isFetched(name) })
  if (session.runsCodeFrom(flow, context)) return noFlow
  const written = session.textOf(name)
  if (written !== undefined)
    return session.readers.shell(session, written, { ...context, depth: context.depth + 1 })
  const words = [name.value, ...rest.map(({ value }) => value)]
  if (words.length === 2 && /^--(?:version|help)$/.test(words[1] ?? "")) return noFlow
  if (printsSetUp(session, words)) {
    session.addNamed("nothingDone", "set_up.print")
    return noFlow
  }
  const form = formOfUnlisted(session.commands, name, rest, session.classOf)
  // `./x.sh` is what `sh x.sh` is.
  const isOwn =
    name.dynamicFrom === undefined && plainPath.test(name.value) && installedName(name.value) === undefined
  if (form === undefined) session.addNamed(isOwn ? "ownCode" : "unknownProgram", isOwn ? "script" : "unknown")
  else session.add(form.act.type, form.act, lineOf(session.commands.unlisted, form))
  return { ...joinFlows(context.stdin, readBehind(session, rest, context)), text: undefined }
}

/** Reads a command whose first word is the program. Returns the flow of its output. */
export const invoke = (
  session: CommandSession,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  if (words.length === 0 || !session.mayGoOn(context)) return noFlow
  const name = words[0] as CommandWord
  const found = name.dynamicFrom === undefined ? findProgram(session, name.value) : undefined
  const isSlashed = found?.slashAs !== undefined && words.some(({ raw }) => /^\/\/?[a-z]$/i.test(raw))
  const program = isSlashed ? session.commands.programs.get(found?.slashAs ?? "") : found
  if (program === undefined || session.isFetched(name)) return unknownCommand(session, words, context)
  const rest = session.firstAndLast(words.slice(1))
  const { isRemote, variables } = session
  readReaches(session, program, ownWords(program, rest), context, invoke)
  if (asksForHelp(program, rest)) {
    session.addNamed("nothingDone", `${program.name}.help`)
    return noFlow
  }
  session.isRemote ||= landsUnconfirmed(program, rest, session)
  const flow = unwrap(session, program, rest, context) ?? runRole(session, program, rest, context)
  session.isRemote = isRemote
  session.variables = variables
  return flow
}
