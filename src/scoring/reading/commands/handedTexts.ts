/** Reads texts that a command passes to a shell: `eval`, `sh -c`, `sh file`, `alias`, `crontab -`, `-EncodedCommand`, and the input lines of a client. */

import { addForm, writeFile } from "./addForm.ts"
import type { PreparedCommands } from "./Commands.ts"
import { addNamed, type Context, nested, readAsShell, readCommandWords, runsCodeFrom } from "./Context.ts"
import { type ProgramCall, readProgramArguments } from "./matchProgram.ts"
import {
  type CommandWord,
  type Flow,
  flowOf,
  globFits,
  installedName,
  joinFlows,
  noFlow,
  plainWord,
  withoutText,
  inOneWord
} from "./paths.ts"

/** Decodes Base64. Undefined if the result is not readable text. `-EncodedCommand` uses UTF-16. */
export const decodeBase64 = (encoded: string, encoding: "utf-8" | "utf-16le"): string | undefined => {
  const plain = encoded.replaceAll("-", "+").replaceAll("_", "/")
  try {
    const bytes = Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0))
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // Control characters other than line breaks and tabs show that the bytes are not text.
    return text === "" || /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    // Not Base64, or not in this encoding.
    return undefined
  }
}

/** Reads texts as a shell would receive them, except code whose origin alone decides the act. */
export const readTexts = (context: Context, texts: ReadonlyArray<CommandWord>): Flow => {
  let flow = noFlow
  for (const text of texts)
    if (!runsCodeFrom(context, text.flow)) flow = joinFlows(flow, readAsShell(context, text.value))
  return flow
}

const encodedFlags = ["-encodedcommand", "-enc", "-ec", "-e"]

/**
 * Reads code that PowerShell receives from a pipe or as `-EncodedCommand`. For encoded code, also adds the act of a hidden command.
 * Undefined if it cannot be told what runs.
 */
export const readPowerShellInput = ({ context, given, words }: ProgramCall): Flow | undefined => {
  const { session, stdin } = context
  const inside = { ...context, stdin: noFlow }
  for (const word of encodedFlags.flatMap((flag) => given.flags.get(flag) ?? [])) {
    const text = decodeBase64(word.value, "utf-16le")
    if (text !== undefined) session.readers.powerShell(inside, text)
  }
  if (words.at(-1)?.value !== "-") return undefined
  if (runsCodeFrom(context, stdin)) return noFlow
  return stdin.text === undefined ? undefined : session.readers.powerShell(inside, stdin.text)
}

/**
 * A single command whose output becomes code, without any part that exists only at run time: `$(ssh-agent -s)`, `<(kubectl completion
 * bash)`.
 */
const oneCommand = /^(?:[$<]\(([^()`$;&|<>\\\n]*?)(?:\s2>\s*\/dev\/null)?\)|`([^()`$;&|<>\\\n]*)`)$/

/** Whether a command is documented to print shell configuration, so that its output is the tool's own code. */
export const printsSetUp = ({ setUps }: PreparedCommands, words: ReadonlyArray<string>): boolean => {
  const [program = "", ...rest] = words
  const line = [installedName(program), ...rest].join(" ")
  return setUps.some((glob) => globFits(glob, line))
}

const isSetUp = (commands: PreparedCommands, word: CommandWord | undefined): boolean => {
  const [, inDollar, inQuotes] = oneCommand.exec(word?.raw ?? "") ?? []
  return printsSetUp(commands, (inDollar ?? inQuotes ?? "").trim().split(/\s+/))
}

/** `eval`, `iex`: a text becomes code. */
export const readEval = ({ context, words }: ProgramCall): Flow => {
  const inside = nested(context)
  if (runsCodeFrom(inside, joinFlows(flowOf(words), context.stdin))) return noFlow
  if (words.length === 1 && isSetUp(context.commands, words[0])) return noFlow
  if (words.length === 0 || words.some(({ dynamicFrom }) => dynamicFrom !== undefined))
    addNamed(context, "evalCode", "eval")
  else readAsShell(inside, words.map(({ value }) => value).join(" "))
  context.session.unread = true
  return noFlow
}

const patchHeading = /^\*\*\* (\w+) \w+: (.+)$/
const diffHeading = /^(\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/

/** `apply_patch`, `patch`: for each file in the patch, reads it as written with the added lines, or as removed. */
export const readPatch = (call: ProgramCall): Flow => {
  const context = nested(call.context)
  const stated = call.given.operands.find(({ value }) => value.includes("\n"))?.value ?? context.stdin.text
  if (stated === undefined) return addForm(call)
  let [file, added, old] = ["", "", ""]
  const write = () => {
    if (file !== "") writeFile(context, plainWord(file), { ...noFlow, text: added }, true)
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
      else readCommandWords(context, [plainWord("rm"), plainWord(gone)])
    } else if (line.startsWith("+")) added += `${line.slice(1)}\n`
  }
  write()
  return noFlow
}

/** `redis-cli <<< FLUSHALL`: each input line is a call of the program. */
export const readLines = (call: ProgramCall): Flow => {
  const { context, given, program } = call
  const { text } = context.stdin
  if (text === undefined || given.operands.length > 0) return addForm(call)
  for (const line of text.split("\n"))
    if (line.trim() !== "") readAsShell(nested(context, noFlow), `${program.name} ${line}`)
  return noFlow
}

const plainArgument = /^[\w.@~+/*?:=,%^-]+$/

/** Replaces `$0`, `$1` and `$@` in a text by the words after it: `bash -c 'rm "$1"' sh file`. */
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

/** The text of a flow, if the command contains all of it. */
const textOf = ({ decoded, fetched, text }: Flow): string | undefined =>
  fetched || decoded ? undefined : text

/** The script in `<(…)` or standard input. */
const streamOf = (file: CommandWord, { stdin }: Context): string | undefined =>
  textOf(standardInput.test(file.value) ? stdin : file.flow)

/** Reads `sh -c text`. A shell rejects `-c` without a text. */
const readFlagText = (call: ProgramCall, flag: number): Flow => {
  const { context, program, words } = call
  // `bash -c -x -- text`: further options precede the text.
  const place = words.findIndex(({ value }, i) => i > flag && !/^[-+]/.test(value))
  const text = words[place]
  if (text === undefined) {
    addNamed(context, "nothingDone", `${program.name}.refuse`)
    return noFlow
  }
  const flow = readTexts(nested(context), [withArguments(text, words.slice(place + 1))])
  if (text.value.trim() === "") context.session.unread = true
  return flow
}

/** Reads `sh -c text`, `sh file` and `… | sh`. */
export const readShellProgram = (call: ProgramCall): Flow => {
  const { context, given, program, words } = call
  const { commands, session, stdin } = context
  const inside = nested(context)
  const flag = words.findIndex(({ value }) => shellValues.test(value))
  if (flag >= 0) return readFlagText(call, flag)
  // `sh -s x` reads standard input; `x` is an argument.
  const file = given.flags.has("-s") ? undefined : given.operands[0]
  const streamed = file === undefined ? textOf(stdin) : streamOf(file, context)
  if (streamed !== undefined) return readAsShell({ ...inside, stdin: noFlow }, streamed)
  const flow =
    file === undefined ? stdin : session.isFetched(file) ? { ...file.flow, fetched: true } : file.flow
  if (runsCodeFrom(context, flow)) return noFlow
  const written = file === undefined ? undefined : session.textOf(file)
  if (written !== undefined) return readAsShell({ ...inside, stdin: noFlow }, written)
  const entry =
    file === undefined ? program : commands.programs.get(`./${file.value.split("/").at(-1) ?? ""}`)
  if (entry === undefined) addNamed(context, "ownCode", "script")
  else addForm({ ...call, program: entry, given: readProgramArguments(entry, words) })
  return noFlow
}

/** `alias x='rm -rf /'`: the text of an alias is read as if it ran. */
export const readAliases = (call: ProgramCall): Flow => {
  const { context, words } = call
  for (const word of words) {
    const [, name, text] = /^([\w.:+-]+)=([^]*)$/.exec(word.value) ?? []
    if (name === undefined || text === undefined) continue
    const line = text.replace(/^(["'])([^]*)\1$/, "$2")
    readTexts(nested(context), [{ ...word, value: line }])
    context.session.functions.set(name, (call, words = []) =>
      context.session.readers.shell(nested(call), [line, ...words.map(inOneWord)].join(" "))
    )
  }
  return addForm(call)
}

/** `. file`: the shell runs the content of the file. */
export const readSourced = (call: ProgramCall): Flow => {
  const { context, given, words } = call
  const { commands, session, stdin } = context
  const [file] = given.operands
  const text = file === undefined ? undefined : (streamOf(file, context) ?? session.textOf(file))
  if (text !== undefined) return readAsShell(nested(context), text)
  if (isSetUp(commands, file)) return noFlow
  const isFetched = given.operands.some((word) => session.isFetched(word))
  const input = standardInput.test(file?.value ?? "") ? withoutText(stdin) : noFlow
  return isFetched || runsCodeFrom(context, joinFlows(flowOf(words), input)) ? noFlow : addForm(call)
}

/**
 * Each run of letters can match in only one way: `LLL` could be three L fields or a name, and a pattern that tries both backtracks
 * exponentially.
 */
const scheduleField = /(?:[\d*/,?#-]|[LW]+(?![a-z])|(?![LW]+(?![a-z]))[LW]*?[a-z]{3}(?!\w))+/.source
const scheduleFields = new RegExp(`^\\s*(?:@\\w+|${scheduleField}(?:\\s+${scheduleField}){4})\\s+`, "i")

/** `crontab -`, `at`: each input line is a command that will run on a schedule. */
export const readSchedule = (call: ProgramCall): Flow => {
  const { stdin } = call.context
  const inside = { ...nested(call.context, noFlow), scheduled: true }
  const lines = runsCodeFrom(inside, stdin) ? [] : (stdin.text?.split("\n") ?? [])
  for (const line of lines)
    if (line.trim() !== "" && !line.trim().startsWith("#"))
      readAsShell(inside, line.replace(scheduleFields, ""))
  return addForm(call)
}
