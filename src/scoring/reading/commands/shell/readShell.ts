/** Walks the syntax tree of a shell text, parsed by the library `unbash`, and reads each simple command. */

import {
  type ArithmeticFor,
  type Command,
  type CommandNode,
  forEachChild,
  type Function as FunctionDefinition,
  type If,
  parse,
  type Redirection,
  type Script,
  type Statement,
  type SyntaxNode,
  type While,
  type Word
} from "unbash"
import { readFile, writeFile } from "../addForm.ts"
import {
  addNamed,
  type Context,
  firstAndLast,
  mayGoOn,
  mayParse,
  nested,
  ShellState,
  unknownValue,
  type Variables,
  valuesMax
} from "../Context.ts"
import { findProgram } from "../matchProgram.ts"
import { invoke } from "../invoke.ts"
import { type CommandWord, type Flow, joinFlows, noFlow, plainWord } from "../paths.ts"
import { positional } from "./parameters.ts"
import { assign, declares, markDeclared, setByWords } from "./variables.ts"
import { choicesOf, expandWord, readPerhaps, readScriptsIn, subshell } from "./words.ts"

interface Redirected {
  readonly stdin: Flow
  /** The files that receive output. `standard`: whether it is the standard output. */
  readonly outputs: ReadonlyArray<{
    readonly file: CommandWord
    readonly append: boolean
    readonly standard: boolean
  }>
}

const readRedirects = (context: Context, redirects: ReadonlyArray<Redirection>): Redirected => {
  let { stdin } = context
  const outputs: Array<Redirected["outputs"][number]> = []
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      const quoted = redirect.delimiter?.quoted === true
      const flow = quoted ? noFlow : readScriptsIn(context, redirect.body)
      stdin = { ...flow, text: redirect.body.text }
      continue
    }
    const [word] = redirect.target === undefined ? [] : expandWord(context, redirect.target)
    if (word === undefined) continue
    if (redirect.type === "HereString")
      stdin = { ...word.flow, text: word.dynamicFrom === undefined ? word.value : undefined }
    else if (redirect.operator === "<") {
      stdin = joinFlows(word.flow, readFile(context, word))
      if (context.session.isFetched(word)) stdin = { ...stdin, fetched: true }
    } else if (!redirect.operator.endsWith("&") || !/^(?:\d+|-)$/.test(word.value)) {
      const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : 1
      outputs.push({ file: word, append: redirect.operator.includes(">>"), standard: descriptor === 1 })
    }
  }
  return { stdin, outputs }
}

const writeOutputs = (context: Context, { outputs }: Redirected, flow: Flow): Flow => {
  for (const { file, append, standard } of outputs) writeFile(context, file, standard ? flow : noFlow, append)
  return outputs.some(({ standard }) => standard) ? noFlow : flow
}

const readSimple = (outer: Context, command: Command): Flow => {
  const { args, end, name, pos, prefix, redirects, suffix } = command
  const context = outer.isOutermost ? { ...outer, span: { pos, end } } : outer
  const redirected = readRedirects(context, firstAndLast(context, redirects))
  const setsOnly = name === undefined || declares.has(name.value)
  // `A=1 command` sets the variable only for this command.
  const setting = setsOnly || prefix.length === 0 ? context : subshell(context)
  for (const item of setsOnly ? [...prefix, ...suffix] : prefix)
    if (item.type === "Assignment") assign(setting, item)
  if (name !== undefined && setsOnly) markDeclared(context, command)
  if (name === undefined) return writeOutputs(context, redirected, noFlow)
  const inner = { ...context, stdin: redirected.stdin }
  const given = [name, ...firstAndLast(context, args)]
  // Assignments before a command take effect only after the shell has expanded the command's words.
  const wordsAt = (choice: number): ReadonlyArray<CommandWord> =>
    given.flatMap((argument) =>
      argument.type === "Word" ? expandWord({ ...inner, choice }, argument) : [plainWord(argument.text)]
    )
  const choices = Array.from({ length: choicesOf(context, given) }, (_, choice) => wordsAt(choice))
  const running = setting === context ? inner : { ...inner, environment: setting.shell.environment }
  const flow = choices.reduce((all, words) => {
    setByWords(running, words)
    const callFunction = running.shell.functions.get(words[0]?.value ?? "")
    return joinFlows(all, callFunction?.(running, words.slice(1)) ?? invoke(running, words))
  }, noFlow)
  return writeOutputs(context, redirected, flow)
}

const readPipeline = (context: Context, commands: ReadonlyArray<CommandNode>): Flow => {
  let flow = context.stdin
  for (const command of commands) {
    flow = readNode(subshell({ ...context, stdin: flow }), command)
    if (context.session.exhausted) break
  }
  return flow
}

const readList = (context: Context, statements: ReadonlyArray<Statement>): Flow => {
  let flow = noFlow
  for (const { command } of statements) {
    flow = joinFlows(flow, readNode(context, command))
    // The next statement runs even if this one failed, so a chosen place is uncertain.
    context.shell.chosen = undefined
    if (context.session.exhausted) break
  }
  return flow
}

/** Reads the body once for each of the variable's first values, then once for any other value. */
const readLoop = (
  context: Context,
  name: string,
  wordlist: ReadonlyArray<Word> | undefined,
  body: ReadonlyArray<Statement>
): Flow => {
  const values = (wordlist ?? []).flatMap((word) => expandWord(context, word))
  const tried =
    values.length === 0 || values.length > valuesMax ? [...values.slice(0, valuesMax), unknownValue] : values
  let flow = noFlow
  for (const value of tried) {
    context.shell.variables.set(name, [value])
    flow = joinFlows(flow, readList(context, body))
  }
  return flow
}

/** Reads lists of commands of which only some will run. */
const readBranches = (context: Context, lists: ReadonlyArray<ReadonlyArray<Statement>>, before: Flow): Flow =>
  lists.reduce(
    (flow, statements) =>
      joinFlows(
        flow,
        readPerhaps(context, (path) => readList(path, statements))
      ),
    before
  )

const readChoice = (context: Context, node: If): Flow => {
  const lists = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then])]
  if (node.else !== undefined) lists.push(node.else)
  return readBranches(
    context,
    lists.map(({ commands }) => commands),
    readList(context, node.clause.commands)
  )
}

const readRepeated = (context: Context, node: While | ArithmeticFor): Flow => {
  if (startsForever(node)) addNamed(context, "forkBomb", "fork_bomb")
  if (node.type === "ArithmeticFor") return readScriptsIn(context, node)
  return readPerhaps(context, (path) => readList(path, [...node.clause.commands, ...node.body.commands]))
}

const readNode = (outer: Context, node: Statement["command"]): Flow => {
  const context = nested(outer)
  if (!mayGoOn(context)) return noFlow
  switch (node.type) {
    case "Command":
      return readSimple(outer, node)
    case "Pipeline":
      return readPipeline(outer, node.commands)
    case "AndOr":
      return node.commands.reduce((flow, command, i) => {
        const read = (path: Context) => readNode(path, command)
        const isOther = node.operators[i - 1] === "||"
        if (isOther) outer.shell.chosen = undefined
        return joinFlows(flow, isOther ? readPerhaps(outer, read) : read(outer))
      }, noFlow)
    case "Redirected": {
      const redirected = readRedirects(context, node.redirects)
      const flow = readNode({ ...context, stdin: redirected.stdin }, node.command)
      return writeOutputs(context, redirected, flow)
    }
    case "Subshell":
      return readList(subshell(context), node.body.commands)
    case "BraceGroup":
      return readList(context, node.body.commands)
    case "If":
      return readChoice(context, node)
    case "For":
    case "Select":
      return readLoop(context, node.name.value, node.wordlist, node.body.commands)
    case "While":
    case "ArithmeticFor":
      return readRepeated(context, node)
    case "Function":
      defineFunction(context, node)
      return noFlow
    case "Case":
      return readBranches(
        context,
        node.items.map(({ body }) => body.commands),
        noFlow
      )
    default:
      if (node.type === "Coproc" && node.body.type !== "CompoundList") return readNode(context, node.body)
      return readScriptsIn(context, node)
  }
}

/**
 * Each of the first calls reads the body with its arguments; further calls share one reading with unknown arguments. Detects fork bombs,
 * which run themselves again in the background or twice: `:(){ :|:& }`.
 */
const defineFunction = (context: Context, { body, name }: FunctionDefinition): void => {
  const { session, shell } = context
  const forks = startsInBackground(context, body) ? 1 : 0
  const known = new Set<string>()
  let running = 0
  const run = (call: Context, words: ReadonlyArray<CommandWord> | undefined): Flow => {
    shell.uncalled.delete(run)
    if (running > 0) {
      if (session.forking > 0 || ++running > 2) addNamed(call, "forkBomb", "fork_bomb")
      return noFlow
    }
    const given = known.size < valuesMax ? words : undefined
    const key = given?.map(({ value }) => value).join(" ") ?? ""
    if (known.has(key)) return noFlow
    known.add(key)
    running = 1
    session.forking += forks
    const { variables } = call.shell
    const before = variables.get(positional)
    if (given === undefined) variables.delete(positional)
    else variables.set(positional, given)
    const inner = nested(call)
    const flow = body.type === "CompoundList" ? readList(inner, body.commands) : readNode(inner, body)
    if (before === undefined) variables.delete(positional)
    else variables.set(positional, before)
    session.forking -= forks
    running = 0
    return flow
  }
  session.functions.set(name.value, run)
  shell.functions.set(name.value, run)
  shell.uncalled.add(run)
}

const startsInBackground = ({ commands }: Context, body: SyntaxNode): boolean => {
  let starts = false
  const look = (child: SyntaxNode, depth: number) => {
    starts ||= child.type === "Statement" && child.background === true
    if (child.type !== "Word" && depth < commands.limits.nestingMax)
      forEachChild(child, (next) => look(next, depth + 1))
  }
  look(body, 0)
  return starts
}

const constants = { while: /^(?:(?:\/usr)?\/bin\/)?true$|^:$/, until: /^(?:(?:\/usr)?\/bin\/)?false$/ }

/** `while :; do x & done`, `for ((;;)); do x & done`: starts processes without end. */
const startsForever = (node: While | ArithmeticFor): boolean => {
  const [first] = node.type === "While" ? node.clause.commands : []
  const isEndless =
    node.type === "While"
      ? first?.command.type === "Command" && constants[node.kind].test(first.command.name?.value ?? "")
      : node.test === undefined
  const { commands } = node.body
  const placeOf = (name: string) =>
    commands.findLastIndex(({ command }) => command.type === "Command" && command.name?.value === name)
  const started = commands.findLastIndex(({ background }) => background === true)
  return isEndless && started >= 0 && placeOf("sleep") < 0 && placeOf("wait") < started
}

/** Reads a script nested in a text. */
export const readScript = (context: Context, script: Script & { errors?: unknown }): Flow => {
  if (Array.isArray(script.errors) && script.errors.length > 0) addNamed(context, "unreadText", "unread")
  return readList(context, script.commands)
}

/** Reads a whole text. Functions that it only defines are read too, because something else may call them. */
export const readWhole = (context: Context, script: Script): Flow => {
  const flow = readScript(context, script)
  for (const run of context.shell.uncalled) run(subshell(context), undefined)
  return flow
}

const quotes = ["'", '"']

/**
 * Parses a text up to a mistake, because a shell runs the lines before it. Text with an open quote at the end runs only together with what
 * closes it. Undefined if the mistake is in the first line.
 */
const parses = (text: string): Script | undefined => {
  const script = parse(text)
  const [mistake] = script.errors ?? []
  if (mistake === undefined) return script
  const closed = quotes.map((quote) => parse(text + quote)).find(({ errors = [] }) => errors.length === 0)
  if (closed !== undefined) return closed
  const end = text.lastIndexOf("\n", mistake.pos - 1)
  const lines = end > 0 ? parse(text.slice(0, end)) : undefined
  return lines === undefined || (lines.errors ?? []).length > 0
    ? undefined
    : Object.assign(lines, { errors: script.errors })
}

/**
 * A new shell process: it inherits the folder and the environment of the command that starts it, but no other variables. A variable that
 * was set without `export` may or may not be in the environment.
 */
const newShell = (context: Context): Context => {
  const { environment: exported, folder } = context.shell
  const own = context.environment
  const environment = own === undefined ? exported : new Map([...(exported ?? []), ...own])
  const variables: Variables = new Map()
  for (const [name, word] of environment ?? [])
    variables.set(name, own?.get(name) === word ? [word] : [word, unknownValue])
  return {
    ...context,
    isOutermost: false,
    choice: 0,
    environment: undefined,
    shell: new ShellState(context.session, { folder, environment, variables })
  }
}

/** Reads a text that a command passes to a shell. Text that does not parse is not read. */
export const readShell = (context: Context, text: string): Flow => {
  if (!mayParse(context, text)) return noFlow
  const script = parses(text.replaceAll("\r\n", "\n"))
  if (script !== undefined) return readWhole(newShell(context), script)
  addNamed(context, "unreadText", "unread")
  return noFlow
}

/** The outline of a whole text before it is read. */
export interface Outline {
  readonly script: Script
  /** The first word that names a program, as written. */
  readonly firstWord: string
  readonly known: boolean
  /** Contains more than words: an operator, a loop, a substitution. */
  readonly structured: boolean
  /** Begins with a loop, an assignment, or another construct that no sentence has. */
  readonly compound: boolean
  readonly wordCount: number
}

/** The first command that is more than an assignment; undefined if a construct such as a loop comes first. */
const firstCommand = (statements: ReadonlyArray<Pick<Statement, "command">>): Command | undefined => {
  for (const { command } of statements)
    if (command.type === "Command") {
      if (command.name !== undefined) return command
    } else if (command.type === "Pipeline" || command.type === "AndOr")
      return firstCommand(command.commands.map((inner) => ({ command: inner })))
    else if (command.type === "Subshell" || command.type === "BraceGroup")
      return firstCommand(command.body.commands)
    else return undefined
  return undefined
}

export const outlineOf = (context: Context, text: string): Outline | undefined => {
  if (!mayParse(context, text)) return undefined
  const script = parses(text)
  const first = script?.commands[0]?.command
  if (script === undefined || first === undefined) return undefined
  const command = firstCommand(script.commands)
  const firstWord = command?.name?.value ?? ""
  return {
    script,
    firstWord,
    known: firstWord !== "" && findProgram(context.session, firstWord) !== undefined,
    structured: script.commands.length > 1 || first.type !== "Command",
    compound: command === undefined || (first.type === "Command" && first.name === undefined),
    wordCount: command === undefined ? 0 : command.args.length + 1
  }
}
