/** Reads one simple command: finds the program, unwraps `sudo`, `xargs` and similar programs, and adds its acts. */

import { addForm, writeFile } from "./addForm.ts"
import { readReaches, withVariables } from "./sideEffects/reaches.ts"
import type { PreparedProgram, ProgramRole } from "./Commands.ts"
import {
  addAct,
  addNamed,
  type Context,
  firstAndLast,
  here,
  mayGoOn,
  nested,
  readAsShell,
  runsCodeFrom
} from "./Context.ts"
import { choosePlace, landsUnconfirmed } from "./landing.ts"
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
import {
  type Arguments,
  asksForHelp,
  beginWith,
  cmdletName,
  findForm,
  findProgram,
  formOfUnlisted,
  type ProgramCall,
  lineOf,
  readProgramArguments
} from "./matchProgram.ts"
import { readRequest } from "./network.ts"
import { readQueryText } from "./queries.ts"
import {
  type CommandWord,
  type Flow,
  flowOf,
  installedName,
  joinFlows,
  noFlow,
  plainWord,
  printsText,
  inOneWord,
  readFindTests,
  withoutText
} from "./paths.ts"

/** The words of the inner command that this one runs; undefined if it runs none. */
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
    if (!beginWith(operands, path)) continue
    const from = program.runs === "dashes" ? afterDashes : places[path.length + program.skip]
    if (from === undefined || from >= words.length) continue
    const rest = words.slice(from)
    // A text may begin with assignments of its own, so they are not skipped.
    const isText = program.runs === "joined"
    const command = rest.findIndex(({ value }) => value !== "-" && (isText || !/^[A-Za-z_]\w*=/.test(value)))
    if (command >= 0) return rest.slice(command)
  }
  return undefined
}

/** The words that belong to the program itself: flags after the start of the inner command belong to that command. */
const ownWords = (program: PreparedProgram, words: ReadonlyArray<CommandWord>): ReadonlyArray<CommandWord> =>
  program.runs === "rest" ? words.slice(0, words.length - (innerWords(program, words)?.length ?? 0)) : words

const joined = (program: PreparedProgram, words: ReadonlyArray<CommandWord>): string =>
  words.length === 1
    ? (words[0]?.value ?? "")
    : words
        .map((word, i) => (program.flags === "slash" ? word.raw : i === 0 ? word.value : inOneWord(word)))
        .join(" ")

/** Flags that make a whole input line one word. */
const wholeLines = ["-I", "-i", "--replace", "-d", "--delimiter", "-0", "--null"]

/** The words of the input. `xargs` splits lines at whitespace, unless a flag sets the separator. */
const wordsFromInput = ({ stdin }: Context, { flags }: Arguments): ReadonlyArray<CommandWord> => {
  const { lines = [], text = "" } = stdin
  const words = text.split(wholeLines.some((flag) => flags.has(flag)) ? "\n" : /\s+/).filter(Boolean)
  const found = [...words, ...lines].map(plainWord)
  return stdin.text === undefined && found.length === 0
    ? [{ value: "", raw: "", dynamicFrom: 0, flow: stdin }]
    : found
}

/** The placeholder for the input words: `{}` in `xargs -I{} rm {}`. */
const placeFor = ({ flags }: Arguments, inner: ReadonlyArray<CommandWord>): string | undefined => {
  const place = flags.get("-I")?.[0]?.value ?? (flags.has("-i") || flags.has("--replace") ? "{}" : undefined)
  return place !== undefined && inner.some(({ value }) => value.includes(place)) ? place : undefined
}

/** `xargs rm`, `parallel rm`: runs a command with the words from its input or after `:::`. The inner command gets no input of its own. */
const readWithInput = (
  { context, program, words }: ProgramCall,
  inner: ReadonlyArray<CommandWord>,
  inside: Context
): Flow => {
  const list = inner.findIndex(({ value }) => /^:::\+?$/.test(value))
  if (list >= 0) return readEach(inside, inner.slice(0, list), inner.slice(list + 1), "{}")
  const given = readProgramArguments(program, words, 1)
  const found = wordsFromInput(context, given)
  const place = placeFor(given, inner)
  return place === undefined
    ? invoke(inside, [...inner, ...found])
    : readEach(inside, inner, firstAndLast(inside, found), place)
}

/** `parallel rm {} ::: a b` runs `rm a` and `rm b`; `parallel ::: 'rm a'` runs its arguments. */
const readEach = (
  context: Context,
  command: ReadonlyArray<CommandWord>,
  items: ReadonlyArray<CommandWord>,
  place: string
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
        ? readTexts(context, [item])
        : invoke(context, isNamed ? filled : [...command, item])
    return joinFlows(flow, read)
  }, noFlow)
}

const runsByFlag = ({ context, given, program }: ProgramCall): boolean =>
  program.runsFlagForms.length === 0 ||
  findForm({ ...program, forms: program.runsFlagForms }, given, context.shell.classOf) !== undefined

/** Reads the commands that this command runs. Undefined if it runs none. */
const unwrap = (call: ProgramCall): Flow | undefined => {
  const { context, program, words } = call
  const inside = { ...nested(context), root: context.root || program.root }
  if (program.idleFlags.includes(words[0]?.value ?? "")) return undefined
  if (program.runsFlags.length > 0 && program.role === undefined && runsByFlag(call)) {
    const { flags } = readProgramArguments(program, ownWords(program, words))
    const texts = program.runsFlags.flatMap((flag) => flags.get(flag) ?? [])
    if (texts.length > 0) return readTexts(inside, texts)
  }
  if (program.runs === undefined || program.role === "sql" || program.role === "query") return undefined
  if (program.role === "powershell") {
    const flow = readPowerShellInput({ ...call, context: inside })
    if (flow !== undefined) return flow
  }
  const inner = innerWords(program, words)
  if (inner === undefined) return undefined
  if (program.role === "arguments") return readWithInput(call, inner, { ...inside, stdin: noFlow })
  if (program.runs !== "joined") return invoke(inside, inner)
  if (runsCodeFrom(inside, flowOf(inner))) return noFlow
  const { powerShell, shell } = context.session.readers
  return (program.role === "powershell" ? powerShell : shell)(inside, joined(program, inner))
}

/** `find`: the files that it deletes or passes to commands are below its operands, and their names match its tests. */
const readFind = (call: ProgramCall): Flow => {
  const { context, program, words } = call
  const { names, others, runs } = readFindTests(words, program.lists)
  const given = readProgramArguments(program, others)
  const starts = given.operands.length === 0 ? [plainWord(".")] : given.operands
  const targets =
    names.length === 0
      ? starts
      : starts.flatMap(({ value }) => names.map((name) => plainWord(`${value}/${name}`)))
  const flow = addForm({ ...call, given: { ...given, operands: targets } })
  const isKnown = targets.every(({ dynamicFrom }) => dynamicFrom === undefined)
  const found: Flow = { ...flow, lines: isKnown ? targets.map(({ value }) => value) : undefined }
  return runs.reduce((all, inner) => {
    const replaced = inner.flatMap((word) => (word.value === "{}" ? targets : [word]))
    return joinFlows(all, invoke(nested(context), replaced))
  }, found)
}

/** A database client: its SQL is in a flag, in an operand, or in its input. */
const readClient = (call: ProgramCall): Flow => {
  const { context, given, program } = call
  const path = program.runsFor[0] ?? []
  const named = program.runsFlags.flatMap((flag) => given.flags.get(flag) ?? [])
  const fits = beginWith(given.operands, path)
  const operand = program.runs === undefined || !fits ? undefined : given.operands[path.length + program.skip]
  const texts = [...named, ...(operand === undefined ? [] : [operand])].map(({ value }) => value)
  if (texts.length === 0 && context.stdin.text !== undefined) texts.push(context.stdin.text)
  if (texts.length === 0) return addForm(call)
  const { mongo, sql } = context.session.readers
  for (const text of texts)
    if (program.queries !== undefined) readQueryText(context, text, program.queries)
    else (program.role === "mongo" ? mongo : sql)(context, text)
  return { ...noFlow, text: undefined }
}

const decodes = ["-d", "-D", "--decode", "-r", "--decrypt", "-dc"]

const decoded = (program: PreparedProgram, { text = "" }: Flow): string | undefined => {
  switch (program.decodes) {
    case "base64":
      return decodeBase64(text, "utf-8")
    case "reverse":
      return text === "" ? undefined : text.replaceAll(/[^\n]+/g, (line) => [...line].toReversed().join(""))
    case undefined:
      return undefined
  }
}

/** `base64 -d`, `gunzip`, `rev`: decodes the input if the program reveals its encoding. */
const readDecoder = (call: ProgramCall): Flow => {
  const { context, given, program } = call
  const flow = addForm(call)
  const decodesNow = program.decodes === "reverse" || decodes.some((flag) => given.flags.has(flag))
  const text = decodesNow ? decoded(program, context.stdin) : undefined
  return { ...flow, decoded: flow.decoded || (decodesNow && text === undefined), text }
}

/** `nc host`, `mail -s x y`: sends its input, and any output of other commands in its words. */
const readSender = (call: ProgramCall): Flow => {
  const { context, program, words } = call
  if (context.stdin.secret || words.some(({ flow }) => flow.secret))
    addNamed(context, "secretSent", `${program.name}.send`)
  else if (context.stdin.data) addNamed(context, "dataSent", `${program.name}.send`)
  return addForm(call)
}

const readPrinter = (call: ProgramCall): Flow => {
  addForm(call)
  return printsText(call.words)
}

/** The file to which a response is written is on the local machine. */
const readFetcher = (call: ProgramCall): Flow =>
  readRequest(call, (file) => writeFile(here(call.context), file, noFlow, false))

/** `dd if=a of=b` has the effect of `cat a > b`. */
const readTransfer = (call: ProgramCall): Flow => {
  const { context, words } = call
  const flow = addForm(call)
  const [from, to] = ["if=", "of="].map((sign) => words.find(({ value }) => value.startsWith(sign)))
  const read =
    from === undefined ? flow : invoke(nested(context), [plainWord("cat"), withoutStart(from, "if=".length)])
  if (to === undefined) return read
  writeFile(here(context), withoutStart(to, "of=".length), read, false)
  return noFlow
}

/** The word without its first `units` UTF-16 units. */
const withoutStart = (word: CommandWord, units: number): CommandWord => ({
  ...word,
  value: word.value.slice(units),
  raw: word.raw.slice(units),
  dynamicFrom: word.dynamicFrom === undefined ? undefined : Math.max(0, word.dynamicFrom - units)
})

/** Readers for programs that do more than their forms describe. */
const readers: Partial<Record<ProgramRole, (call: ProgramCall) => Flow>> = {
  alias: readAliases,
  decode: readDecoder,
  eval: readEval,
  fetch: readFetcher,
  find: readFind,
  interpreter: readInterpreter,
  lines: readLines,
  mongo: readClient,
  patch: readPatch,
  print: readPrinter,
  query: readClient,
  schedule: readSchedule,
  send: readSender,
  shell: readShellProgram,
  source: readSourced,
  sql: readClient,
  transfer: readTransfer
}

/** A path without any character at which a shell might split it. */
const plainPath = /^[\w.@~+/-]+$/

/** `$SUDO rm -rf /`: an unknown program may run the words after it. */
const readBehind = (context: Context, words: ReadonlyArray<CommandWord>): Flow => {
  const from = words.findIndex(({ value }) => !/^-|^\d+[smh]?$|^\w+=/.test(value))
  const name = words[from]
  if (name === undefined || name.dynamicFrom !== undefined) return flowOf(words)
  const isProgram = findProgram(context.session, name.value) !== undefined
  return isProgram ? invoke(nested(context), words.slice(from)) : flowOf(words)
}

/** `./x.sh` is equivalent to `sh x.sh`. */
const isOwnScript = ({ dynamicFrom, value }: CommandWord): boolean =>
  dynamicFrom === undefined && plainPath.test(value) && installedName(value) === undefined

const plainName = /^[a-z][\w-]*$/
const plainArgument = /^[\w-]+$/

/**
 * `hyprctl clients -j`: an installed program that gets no path, no URL and no text, and whose words name no deed. It may change the local
 * machine, but hardly anything else.
 */
const isPlainCall = ({ commands, shell }: Context, words: ReadonlyArray<CommandWord>): boolean =>
  words.every(({ dynamicFrom, value }, i) => {
    return dynamicFrom === undefined && (i === 0 ? plainName : plainArgument).test(value)
  }) && formOfUnlisted(commands, words[0] ?? plainWord(""), words, shell.classOf) === undefined

const unknownCommand = (context: Context, all: ReadonlyArray<CommandWord>): Flow => {
  const [name, ...rest] = all
  const { commands, session, shell, stdin } = context
  if (name === undefined) return noFlow
  const callFunction = session.functions.get(name.value)
  if (callFunction !== undefined) return callFunction(context, rest)
  if (runsCodeFrom(context, joinFlows(name.flow, { ...noFlow, fetched: session.isFetched(name) })))
    return noFlow
  const written = session.textOf(name)
  if (written !== undefined) return readAsShell(nested(context), written)
  const words = [name.value, ...rest.map(({ value }) => value)]
  if (words.length === 2 && /^--(?:version|help)$/.test(words[1] ?? "")) return noFlow
  if (printsSetUp(commands, words)) {
    addNamed(context, "nothingDone", "set_up.print")
    return noFlow
  }
  const form = formOfUnlisted(commands, name, rest, shell.classOf)
  if (form !== undefined) addAct(context, form.act.type, form.act, lineOf(commands.unlisted, form))
  else if (isOwnScript(name)) addNamed(context, "ownCode", "script")
  else addNamed(context, isPlainCall(context, all) ? "plainProgram" : "unknownProgram", "unknown")
  // Some file systems ignore the case of names.
  const folded = name.value.toLowerCase()
  if (folded !== name.value && findProgram(session, folded) !== undefined)
    invoke(nested(context), [{ ...name, value: folded }, ...rest])
  return withoutText(joinFlows(stdin, readBehind(context, rest)))
}

/** `Get-ChildItem x | Remove-Item`: a cmdlet without targets acts on its input. */
const targetsFromInput = (
  { stdin: { lines = [] } }: Context,
  { flags }: PreparedProgram,
  words: ReadonlyArray<CommandWord>
): ReadonlyArray<CommandWord> =>
  flags === "slash" && words.every(({ raw }) => /^[-/]/.test(raw)) ? lines.map(plainWord) : []

/** Reads a command whose first word is the program. Returns the flow of its output. */
export const invoke = (outer: Context, all: ReadonlyArray<CommandWord>): Flow => {
  const [name] = all
  if (name === undefined || !mayGoOn(outer)) return noFlow
  const { commands, session } = outer
  const found = name.dynamicFrom === undefined ? findProgram(session, name.value) : undefined
  const isSlashed = found?.slashAs !== undefined && all.some(({ raw }) => /^\/\/?[a-z]$/i.test(raw))
  const program = isSlashed ? commands.programs.get(found?.slashAs ?? "") : found
  if (program === undefined || session.isFetched(name)) return unknownCommand(outer, all)
  const stated = firstAndLast(outer, all.slice(1))
  const words = [...stated, ...targetsFromInput(outer, program, stated)]
  const given = readProgramArguments(program, words)
  const own = ownWords(program, words)
  readReaches({
    context: outer,
    program,
    words: own,
    given: own === words ? given : readProgramArguments(program, own)
  })
  const rehearses = () => words.some(({ value }) => commands.rehearsals.has(value.toLowerCase()))
  const runsOther = program.runs !== undefined && innerWords(program, words) !== undefined
  const asks = asksForHelp(program, words, runsOther)
  if (asks || (cmdletName.test(name.value) && rehearses())) {
    addNamed(outer, "nothingDone", asks ? `${program.name}.help` : "cmdlet.rehearse")
    return noFlow
  }
  const environment = program.runs === "rest" ? withVariables(outer.environment, own) : outer.environment
  const call = { context: { ...outer, environment }, program, words, given }
  const context = {
    ...call.context,
    isRemote: outer.isRemote || landsUnconfirmed(call),
    runsThere: outer.isRemote
  }
  const there = { ...call, context }
  choosePlace(call)
  return unwrap(there) ?? (readers[program.role ?? "pass"] ?? addForm)(there)
}
