/** Walks the tree of a shell text, which the library `unbash` parses, and reads each of its simple commands. */

import {
  type ArithmeticFor,
  type Assignment,
  type Command,
  type CommandNode,
  forEachChild,
  type If,
  parse,
  type Redirection,
  type Script,
  type Statement,
  type SyntaxNode,
  type While,
  type Word
} from "unbash"
import { readSetVariable } from "./sideEffects/reaches.ts"
import type { Context, CommandSession } from "./CommandSession.ts"
import { findProgram, invoke } from "./invoke.ts"
import { readFile, writeFile } from "./addForm.ts"
import { type CommandWord, expandBraces, type Flow, joinFlows, noFlow } from "./paths.ts"
import {
  choicesOf,
  readApart,
  readPerhaps,
  readOnlyNamed,
  readScriptsIn,
  unknownValue,
  valuesMax,
  type Walk,
  expandWord,
  arrayNamed
} from "./shellWords.ts"

const assign = (walk: Walk, assignment: Assignment, context: Context): void => {
  const { index, name, value } = assignment
  const { commands } = walk.session
  if (walk.variables.has(readOnlyNamed(name))) return
  if (index !== undefined) expandWord(walk, index, context)
  if (commands.runsVariables.has(name)) walk.session.addNamed("evalCode", "variable.set")
  const words = value.type === "Word" ? expandWord(walk, value, context) : []
  const [word] = words
  if (value.type !== "Word") {
    const before = assignment.append === true ? (walk.variables.get(arrayNamed(name)) ?? []) : []
    walk.variables.set(arrayNamed(name), [
      ...before,
      ...value.elements.flatMap((one) => expandWord(walk, one, context))
    ])
  }
  if (word === undefined || assignment.append === true) walk.variables.set(name, [unknownValue])
  else walk.variables.set(name, words.flatMap(expandBraces))
  if (word !== undefined) readSetVariable(walk.session, name, word, context)
}

interface Redirected {
  readonly stdin: Flow
  /** The files that receive output. `standard`: they receive the standard output. */
  readonly outputs: ReadonlyArray<{
    readonly file: CommandWord
    readonly append: boolean
    readonly standard: boolean
  }>
}

const readRedirects = (walk: Walk, redirects: ReadonlyArray<Redirection>, context: Context): Redirected => {
  let { stdin } = context
  const outputs: Array<Redirected["outputs"][number]> = []
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      const quoted = redirect.delimiter?.quoted === true
      const flow = quoted ? noFlow : readScriptsIn(walk, redirect.body, context)
      stdin = { ...flow, text: redirect.body.text }
      continue
    }
    const [word] = redirect.target === undefined ? [] : expandWord(walk, redirect.target, context)
    if (word === undefined) continue
    if (redirect.type === "HereString")
      stdin = { ...word.flow, text: word.dynamicFrom === undefined ? word.value : undefined }
    else if (redirect.operator === "<") {
      stdin = joinFlows(word.flow, readFile(walk.session, word))
      if (walk.session.isFetched(word)) stdin = { ...stdin, fetched: true }
    } else if (!redirect.operator.endsWith("&") || !/^(?:\d+|-)$/.test(word.value)) {
      const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : 1
      outputs.push({ file: word, append: redirect.operator.includes(">>"), standard: descriptor === 1 })
    }
  }
  return { stdin, outputs }
}

const writeOutputs = (walk: Walk, { outputs }: Redirected, flow: Flow): Flow => {
  for (const { file, append, standard } of outputs)
    writeFile(walk.session, file, standard ? flow : noFlow, append)
  return outputs.some(({ standard }) => standard) ? noFlow : flow
}

const declares = new Set(["export", "declare", "local", "readonly", "typeset"])

/** `readonly x`, `declare -r x`: the shell refuses every later value of these variables. */
const markReadOnly = (walk: Walk, { args, name, suffix }: Command): void => {
  const isReadOnly = name?.value === "readonly" || args.some(({ text }) => /^-[a-zA-Z]*r/.test(text))
  if (!isReadOnly) return
  for (const item of suffix) if (item.type === "Assignment") walk.variables.set(readOnlyNamed(item.name), [])
  for (const { text } of args) if (walk.variables.has(text)) walk.variables.set(readOnlyNamed(text), [])
}

const readSimple = (walk: Walk, command: Command, context: Context): Flow => {
  if (walk.isOutermost) walk.session.span = { pos: command.pos, end: command.end }
  const redirected = readRedirects(walk, walk.session.firstAndLast(command.redirects), context)
  const setsOnly = command.name === undefined || declares.has(command.name.value)
  const outer = setsOnly || command.prefix.length === 0 ? walk.variables : new Map(walk.variables)
  const { variables } = walk.session
  for (const item of [...command.prefix, ...command.suffix])
    if (item.type === "Assignment" && (setsOnly || command.prefix.includes(item))) assign(walk, item, context)
  if (command.name !== undefined && declares.has(command.name.value)) markReadOnly(walk, command)
  const inner = { ...context, stdin: redirected.stdin }
  if (command.name === undefined) return writeOutputs(walk, redirected, noFlow)
  // The shell expands the words before the assignments in front of them take effect.
  const given = [command.name, ...walk.session.firstAndLast(command.args)]
  const wordsAt = (choice: number): ReadonlyArray<CommandWord> =>
    given.flatMap((argument) =>
      argument.type === "Word"
        ? expandWord({ ...walk, choice, variables: setsOnly ? walk.variables : outer }, argument, inner)
        : [{ value: argument.text, raw: argument.text, dynamicFrom: undefined, flow: noFlow }]
    )
  const choices = Array.from({ length: choicesOf(walk, given, outer) }, (_, choice) => wordsAt(choice))
  if (outer !== walk.variables) {
    walk.variables.clear()
    for (const [name, value] of outer) walk.variables.set(name, value)
  }
  // The commands in its words had spans of their own.
  if (walk.isOutermost) walk.session.span = { pos: command.pos, end: command.end }
  const flow = choices.reduce((all, words) => joinFlows(all, invoke(walk.session, words, inner)), noFlow)
  // `A=1 command` sets the variable only for this command.
  if (!setsOnly) walk.session.variables = variables
  return writeOutputs(walk, redirected, flow)
}

const readPipeline = (walk: Walk, commands: ReadonlyArray<CommandNode>, context: Context): Flow => {
  let flow = context.stdin
  for (const command of commands) {
    const piped = { ...context, stdin: flow }
    flow = readApart(walk, (inner) => readNode(inner, command, piped))
    if (walk.session.exhausted) break
  }
  return flow
}

const readList = (walk: Walk, statements: ReadonlyArray<Statement>, context: Context): Flow => {
  let flow = noFlow
  for (const { command } of statements) {
    flow = joinFlows(flow, readNode(walk, command, context))
    if (walk.session.exhausted) break
  }
  return flow
}

/** The body is read once for each of the first values of the variable, then once for any other. */
const readLoop = (
  walk: Walk,
  name: string,
  wordlist: ReadonlyArray<Word> | undefined,
  body: ReadonlyArray<Statement>,
  context: Context
): Flow => {
  const values = (wordlist ?? []).flatMap((word) => expandWord(walk, word, context))
  const tried =
    values.length === 0 || values.length > valuesMax ? [...values.slice(0, valuesMax), unknownValue] : values
  let flow = noFlow
  for (const value of tried) {
    walk.variables.set(name, [value])
    flow = joinFlows(flow, readList(walk, body, context))
  }
  return flow
}

/** Lists of commands of which some run and others do not. */
const readBranches = (
  walk: Walk,
  lists: ReadonlyArray<ReadonlyArray<Statement>>,
  before: Flow,
  context: Context
): Flow =>
  lists.reduce(
    (flow, statements) =>
      joinFlows(
        flow,
        readPerhaps(walk, (path) => readList(path, statements, context))
      ),
    before
  )

const readChoice = (walk: Walk, node: If, context: Context): Flow => {
  const lists = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then])]
  if (node.else !== undefined) lists.push(node.else)
  return readBranches(
    walk,
    lists.map(({ commands }) => commands),
    readList(walk, node.clause.commands, context),
    context
  )
}

const readRepeated = (walk: Walk, node: While | ArithmeticFor, context: Context): Flow => {
  if (startsForever(node)) walk.session.addNamed("forkBomb", "fork_bomb")
  if (node.type === "ArithmeticFor") return readScriptsIn(walk, node, context)
  return readPerhaps(walk, (path) =>
    readList(path, [...node.clause.commands, ...node.body.commands], context)
  )
}

const readNode = (walk: Walk, node: Statement["command"], outer: Context): Flow => {
  const context = { ...outer, depth: outer.depth + 1 }
  if (!walk.session.mayGoOn(context)) return noFlow
  switch (node.type) {
    case "Command":
      return readSimple(walk, node, outer)
    case "Pipeline":
      return readPipeline(walk, node.commands, outer)
    case "AndOr":
      return node.commands.reduce((flow, command, i) => {
        const read = (path: Walk) => readNode(path, command, outer)
        const isOther = node.operators[i - 1] === "||"
        return joinFlows(flow, isOther ? readPerhaps(walk, read) : read(walk))
      }, noFlow)
    case "Redirected": {
      const redirected = readRedirects(walk, node.redirects, context)
      return writeOutputs(
        walk,
        redirected,
        readNode(walk, node.command, { ...context, stdin: redirected.stdin })
      )
    }
    case "Subshell":
      return readApart(walk, (inner) => readList(inner, node.body.commands, context))
    case "BraceGroup":
      return readList(walk, node.body.commands, context)
    case "If":
      return readChoice(walk, node, context)
    case "For":
    case "Select":
      return readLoop(walk, node.name.value, node.wordlist, node.body.commands, context)
    case "While":
    case "ArithmeticFor":
      return readRepeated(walk, node, context)
    case "Function": {
      walk.session.functions.add(node.name.value)
      const body = node.body.type === "Redirected" ? node.body.command : node.body
      if (callsItself(walk, node.name.value, body)) walk.session.addNamed("forkBomb", "fork_bomb")
      return readPerhaps(walk, (path) =>
        body.type === "CompoundList"
          ? readList(path, body.commands, context)
          : readNode(path, body, { ...context, stdin: noFlow })
      )
    }
    case "Case":
      return readBranches(
        walk,
        node.items.map(({ body }) => body.commands),
        noFlow,
        context
      )
    default:
      if (node.type === "Coproc" && node.body.type !== "CompoundList")
        return readNode(walk, node.body, context)
      return readScriptsIn(walk, node, context)
  }
}

/** `:(){ :|:& }`, `f(){ f & }`: each call makes more. */
const callsItself = (walk: Walk, name: string, body: SyntaxNode): boolean => {
  let calls = 0
  const count = (child: SyntaxNode, depth: number) => {
    if (child.type === "Statement" && child.background === true && callsOnly(child, name)) calls++
    if (child.type === "Command" && child.name?.value === name) calls++
    if (child.type !== "Word" && depth < walk.session.commands.limits.nestingMax)
      forEachChild(child, (next) => count(next, depth + 1))
  }
  count(body, 0)
  return calls > 1
}

/** `while :; do x & done`, `for ((;;)); do x & done`: it starts another one again and again. */
const startsForever = (node: While | ArithmeticFor): boolean => {
  const [first] = node.type === "While" ? node.clause.commands : []
  const isEndless =
    node.type === "While"
      ? first?.command.type === "Command" && /^(?:true|:)$/.test(first.command.name?.value ?? "")
      : node.test === undefined
  const { commands } = node.body
  const waits = commands.some(
    ({ command }) => command.type === "Command" && /^(?:wait|sleep)$/.test(command.name?.value ?? "")
  )
  return isEndless && !waits && commands.some(({ background }) => background === true)
}

const callsOnly = ({ command }: Statement, name: string): boolean =>
  command.type === "Command" && command.name?.value === name

const startOf = (session: CommandSession, isOutermost: boolean): Walk => ({
  session,
  isOutermost,
  variables: new Map(),
  choice: 0,
  readScript
})

const readScript = (walk: Walk, script: Script & { errors?: unknown }, context: Context): Flow => {
  if (Array.isArray(script.errors) && script.errors.length > 0) walk.session.addNamed("unreadText", "unread")
  return readList(walk, script.commands, context)
}

const parses = (text: string): Script | undefined => {
  const script = parse(text)
  return script.errors === undefined || script.errors.length === 0 ? script : undefined
}

/** Reads a text that some command hands to a shell. A text that does not parse is not read. */
export const readShell = (session: CommandSession, text: string, context: Context): Flow => {
  if (!session.mayParse(text)) return noFlow
  const script = parses(text.replaceAll("\r\n", "\n"))
  if (script !== undefined)
    return readApart(startOf(session, false), (walk) => readScript(walk, script, context))
  session.addNamed("unreadText", "unread")
  return noFlow
}

/** The shape of a whole text before it is read. */
export interface Outline {
  readonly script: Script
  /** The first word that names a program, as written. */
  readonly firstWord: string
  readonly known: boolean
  /** It has more to it than words: an operator, a loop, a substitution. */
  readonly structured: boolean
  /** It begins with a loop, an assignment, or another construct that no sentence has. */
  readonly compound: boolean
  readonly wordCount: number
}

/** The first command that is more than an assignment; undefined where a construct such as a loop comes first. */
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

export const outlineOf = (session: CommandSession, text: string): Outline | undefined => {
  if (!session.mayParse(text)) return undefined
  const script = parses(text)
  const first = script?.commands[0]?.command
  if (script === undefined || first === undefined) return undefined
  const command = firstCommand(script.commands)
  const firstWord = command?.name?.value ?? ""
  return {
    script,
    firstWord,
    known: firstWord !== "" && findProgram(session, firstWord) !== undefined,
    structured: script.commands.length > 1 || first.type !== "Command",
    compound: command === undefined || (first.type === "Command" && first.name === undefined),
    wordCount: command === undefined ? 0 : command.args.length + 1
  }
}

export const readOutline = (session: CommandSession, { script }: Outline, context: Context): void => {
  readScript(startOf(session, true), script, context)
}
