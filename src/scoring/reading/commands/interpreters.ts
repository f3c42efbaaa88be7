/** Programs that run code of other languages: `python -c`, `node -e`, `ruby file`. */

import { CodeReader } from "./code/CodeReader.ts"
import { parseCode } from "./code/parseCode.ts"
import { isPlainCode, shellTexts } from "./code/plainCode.ts"
import type { PreparedProgram } from "./Commands.ts"
import { findForm, lineOf, readProgramArguments } from "./matchProgram.ts"
import { type CommandWord, type Flow, noFlow, plainWord } from "./paths.ts"
import type { CommandSession, Context } from "./CommandSession.ts"

/** `--eval=x`, `-wex`: the code is in the same word, with a character that no name of a module has. */
const attachedCode = /^(?:--(?:eval|print)=([^]*)|-[a-zA-Z]{0,4}?[ceE](?=[^]*[^\w:=,./+-])([^]+))$/

/** `-we`, `-vc`: the last letter takes the code. */
const codeCluster = /^-[a-zA-Z]{1,4}[ceE]$/

/** Reads code by its calls. Undefined if a part is not understood: then the found acts count, and there may be more. */
const readCalls = (
  session: CommandSession,
  { name }: PreparedProgram,
  { dynamicFrom, value }: CommandWord,
  context: Context
): Flow | undefined => {
  const { interpreters, limits } = session.commands
  const language = interpreters.get(name)
  if (language === undefined || dynamicFrom !== undefined || value.length > limits.codeMax) return undefined
  if (language.grammar === undefined)
    return isPlainCode(value, language, session.classOf) ? noFlow : undefined
  const { steps, tree } = parseCode(value, language.grammar, limits.codeStepsMax - session.codeSteps)
  session.codeSteps += steps
  if (tree === undefined) return undefined
  const reader = new CodeReader(session, language, value, tree, context)
  return reader.isUnread ? undefined : reader.flow
}

const readCode = (
  session: CommandSession,
  program: PreparedProgram,
  code: CommandWord,
  context: Context
): Flow => {
  if (session.runsCodeFrom(code.flow, context)) return noFlow
  const { length } = session.found
  const flow = readCalls(session, program, code, { ...context, depth: context.depth + 1 })
  if (flow !== undefined) {
    if (session.found.length === length) session.addNamed("nothingDone", "code.print")
    return flow
  }
  session.addNamed("evalCode", "code")
  for (const text of shellTexts(code.value, session.commands.codeWords))
    session.readers.shell(session, text, { ...context, stdin: noFlow, depth: context.depth + 1 })
  return noFlow
}

export const readInterpreter = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const { programs } = session.commands
  const inside = { ...context, depth: context.depth + 1 }
  for (let i = 0; i < words.length; i++) {
    const { value } = words[i] as CommandWord
    const next = words[i + 1]
    if (value === "-m" && next !== undefined) {
      if (programs.has(next.value)) return session.readers.words(session, words.slice(i + 1), inside)
      break
    }
    const isCode =
      session.commands.codeWords.flags.includes(value) ||
      codeCluster.test(value) ||
      (i === 0 && program.runsFor.some(([word]) => word === value))
    if (isCode && next !== undefined) return readCode(session, program, next, context)
    const attached = attachedCode
      .exec(value)
      ?.slice(1)
      .find((text) => text !== undefined)
    if (attached !== undefined)
      return readCode(session, program, { ...(words[i] as CommandWord), value: attached }, context)
    // `python -W ignore -c x`
    if (program.values.has(value)) i++
    if (!value.startsWith("-")) break
  }
  return readScript(session, program, words, context)
}

/** A script by its file, or by standard input. */
const readScript = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>,
  context: Context
): Flow => {
  const given = readProgramArguments(program, words)
  const inside = { ...context, depth: context.depth + 1 }
  const file = given.operands[0]
  if (file === undefined || file.value === "-") {
    const { stdin } = context
    if (session.runsCodeFrom(stdin, context)) return noFlow
    if (stdin.text !== undefined)
      return readCode(session, program, plainWord(stdin.text), { ...context, stdin: noFlow })
    const isModule = given.flags.has("-m")
    if (!addFittingForm(session, program, words))
      session.addNamed(isModule ? "ownCode" : "unreadText", "code")
    return noFlow
  }
  if (session.runsCodeFrom({ ...file.flow, fetched: file.flow.fetched || session.isFetched(file) }, context))
    return noFlow
  const written = session.textOf(file)
  if (written !== undefined) return readCode(session, program, plainWord(written), context)
  const name = file.value.slice(file.value.lastIndexOf("/") + 1)
  if (session.commands.programs.has(`./${name}`))
    return session.readers.words(session, [plainWord(`./${name}`), ...words.slice(1)], inside)
  if (!addFittingForm(session, program, words)) session.addNamed("ownCode", "script")
  return noFlow
}

/** Adds the act of the form that fits. False if none does. */
const addFittingForm = (
  session: CommandSession,
  program: PreparedProgram,
  words: ReadonlyArray<CommandWord>
): boolean => {
  const form = findForm(program, readProgramArguments(program, words), session.classOf)
  if (form !== undefined) session.add(program.name, form.act, lineOf(program, form))
  return form !== undefined
}
