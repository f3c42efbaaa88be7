/** Texts that a command hands to a shell: `eval`, `sh -c`, `sh file`, `alias`, `crontab -`, `-EncodedCommand`, the lines of a client. */

import { addForm, writeFile } from "./addForm.ts"
import type { PreparedProgram } from "./Commands.ts"
import type { CommandSession, Context } from "./CommandSession.ts"
import { type Arguments, readProgramArguments } from "./matchProgram.ts"
import {
  type CommandWord,
  type Flow,
  flowOf,
  globFits,
  installedName,
  joinFlows,
  noFlow,
  plainWord,
  withoutText
} from "./paths.ts"

/** The text behind Base64. Undefined if it is not readable text. `-EncodedCommand` holds UTF-16. */
export const decodeBase64 = (encoded: string, encoding: "utf-8" | "utf-16le"): string | undefined => {
  const plain = encoded.replaceAll("-", "+").replaceAll("_", "/")
  try {
    const bytes = Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0))
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // A control character other than a line break or a tab shows that the bytes are no text.
    return text === "" || /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    // Neither Base64 nor bytes of this encoding.
    return undefined
  }
}

export const readTexts = (
  session: CommandSession,
  texts: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  let flow = noFlow
  for (const text of texts)
    if (!session.runsCodeFrom(text.flow, context))
      flow = joinFlows(flow, session.readers.shell(session, text.value, context))
  return flow
}

const encodedFlags = ["-encodedcommand", "-enc", "-ec", "-e"]

/**
 * Code that a program of PowerShell is given by a pipe or as `-EncodedCommand`. Decoded code counts in addition to the act of a hidden
 * command. Undefined where neither the pipe nor its text says what runs.
 */
export const readPowerShellInput = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow | undefined => {
  const { flags } = readProgramArguments(program, words)
  const inside = { ...context, stdin: noFlow }
  for (const word of encodedFlags.flatMap((flag) => flags.get(flag) ?? [])) {
    const text = decodeBase64(word.value, "utf-16le")
    if (text !== undefined) session.readers.powerShell(session, text, inside)
  }
  if (words.at(-1)?.value !== "-") return undefined
  if (session.runsCodeFrom(context.stdin, context)) return noFlow
  const { text } = context.stdin
  return text === undefined ? undefined : session.readers.powerShell(session, text, inside)
}

/** One command whose output becomes code, with nothing in it that only exists when it runs: `$(ssh-agent -s)`, `<(kubectl completion bash)`. */
const oneCommand = /^(?:[$<]\(([^()`$;&|<>\\\n]*?)(?:\s2>\s*\/dev\/null)?\)|`([^()`$;&|<>\\\n]*)`)$/

/** Whether a command prints the set-up of a shell, according to the documentation of a tool: then the output is the tool's own code. */
export const printsSetUp = (
  { commands: { setUps } }: CommandSession,
  words: ReadonlyArray<string>
): boolean => {
  const [program = "", ...rest] = words
  const said = [installedName(program), ...rest].join(" ")
  return setUps.some((glob) => globFits(glob, said))
}

const isSetUp = (session: CommandSession, word: CommandWord | undefined): boolean => {
  const [, inDollar, inQuotes] = oneCommand.exec(word?.raw ?? "") ?? []
  return printsSetUp(session, (inDollar ?? inQuotes ?? "").trim().split(/\s+/))
}

/** `eval`, `iex`: a text becomes code. */
export const readEval = (
  session: CommandSession,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const inside = { ...context, depth: context.depth + 1 }
  if (session.runsCodeFrom(joinFlows(flowOf(words), context.stdin), inside)) return noFlow
  if (words.length === 1 && isSetUp(session, words[0])) return noFlow
  if (words.length === 0 || words.some(({ dynamicFrom }) => dynamicFrom !== undefined))
    session.addNamed("evalCode", "eval")
  else session.readers.shell(session, words.map(({ value }) => value).join(" "), inside)
  session.unread = true
  return noFlow
}

const patchHeading = /^\*\*\* (\w+) \w+: (.+)$/
const diffHeading = /^(\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/

/** `apply_patch`, `patch`: each file that the patch names is written with the lines that it adds, or removed. */
export const readPatch = (
  session: CommandSession,
  program: PreparedProgram,
  given: Arguments,
  context: Context
): Flow => {
  const stated = given.operands.find(({ value }) => value.includes("\n"))?.value ?? context.stdin.text
  if (stated === undefined) return addForm(session, program, given, context)
  let [file, added, old] = ["", "", ""]
  const write = () => {
    if (file !== "") writeFile(session, plainWord(file), { ...noFlow, text: added }, true)
    ;[file, added] = ["", ""]
  }
  for (const line of stated.split("\n")) {
    const [, deed, named] = patchHeading.exec(line) ?? []
    const [, sign, path = named ?? ""] = diffHeading.exec(line) ?? []
    if (sign === "---") old = path
    else if (deed !== undefined || sign !== undefined) {
      write()
      const gone = deed === "Delete" ? path : path === "/dev/null" ? old : undefined
      if (gone === undefined) file = path
      else session.readers.words(session, [plainWord("rm"), plainWord(gone)], context)
    } else if (line.startsWith("+")) added += `${line.slice(1)}\n`
  }
  write()
  return noFlow
}

/** `redis-cli <<< FLUSHALL`: each line that comes in is a call of the program. */
export const readLines = (
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

const plainArgument = /^[\w.@~+/*?:=,%^-]+$/

/** `$0`, `$1` and `$@` of a text are the words behind it: `bash -c 'rm "$1"' sh file`. */
const withArguments = (text: CommandWord, given: ReadonlyArray<CommandWord>): CommandWord => {
  const isPlain = given.every((word) => word.dynamicFrom === undefined && plainArgument.test(word.value))
  if (given.length === 0 || !isPlain || text.dynamicFrom !== undefined) return text
  const values = given.map(({ value }) => value)
  const value = text.value
    .replace(/"\$\{?@\}?"|\$\{?[@*]\}?/g, () => values.slice(1).join(" "))
    .replace(/\$\{?(\d)\}?(?!\w)/g, (whole, place: string) => values[Number(place)] ?? whole)
  return { ...text, value }
}

const shellValues = /^-(?:[a-z]*c)$/

const standardInput = /^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/

/** The script from `<(…)` or standard input, where the command contains it. */
const streamOf = (file: CommandWord | undefined, { stdin }: Context): string | undefined => {
  if (file === undefined) return undefined
  const flow = standardInput.test(file.value) ? stdin : file.flow
  return flow.fetched || flow.decoded ? undefined : flow.text
}

/** `sh -c text`, `sh file`, `… | sh`. */
export const readShellProgram = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const inside = { ...context, depth: context.depth + 1 }
  const flag = words.findIndex(({ value }) => shellValues.test(value))
  const text = flag === -1 ? undefined : words[flag + 1]
  if (text !== undefined) {
    const flow = readTexts(session, [withArguments(text, words.slice(flag + 2))], inside)
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
  const written = file === undefined ? undefined : session.textOf(file)
  if (written !== undefined) return session.readers.shell(session, written, { ...inside, stdin: noFlow })
  const entry =
    file === undefined ? undefined : session.commands.programs.get(`./${file.value.split("/").at(-1) ?? ""}`)
  if (file !== undefined && entry === undefined) session.addNamed("ownCode", "script")
  else addForm(session, entry ?? program, readProgramArguments(entry ?? program, words), context)
  return noFlow
}

/** `alias x='rm -rf /'`: the text of an alias counts as run. */
export const readAliases = (
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

/** `. file`: the shell runs the content of the file. */
export const readSourced = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const given = readProgramArguments(program, words)
  const [file] = given.operands
  const text = streamOf(file, context) ?? (file === undefined ? undefined : session.textOf(file))
  if (text !== undefined)
    return session.readers.shell(session, text, { ...context, depth: context.depth + 1 })
  if (isSetUp(session, file)) return noFlow
  const isFetched = given.operands.some((word) => session.isFetched(word))
  const input = standardInput.test(file?.value ?? "") ? withoutText(context.stdin) : noFlow
  return isFetched || session.runsCodeFrom(joinFlows(flowOf(words), input), context)
    ? noFlow
    : addForm(session, program, given, context)
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
