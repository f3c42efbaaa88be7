/** Reads programs that run code in other languages: `python -c`, `node -e`, `ruby file`. */

import { changeless } from "../../../domain/Action.ts"
import { CodeReader } from "./code/CodeReader.ts"
import { parseCode } from "./code/parseCode.ts"
import { isPlainCode, shellTexts } from "./code/plainCode.ts"
import type { PreparedProgram } from "./Commands.ts"
import {
  addAct,
  addNamed,
  type Context,
  nested,
  readAsShell,
  readCommandWords,
  runsCodeFrom
} from "./Context.ts"
import { type ProgramCall, findForm, lineOf } from "./matchProgram.ts"
import { type CommandWord, type Flow, noFlow, plainWord, withoutText } from "./paths.ts"
import type { NamedAct } from "./CommandReading.ts"

/** `--eval=x`, `-wex`: the code is part of the same word and contains a character that module names do not have. */
const attachedCode = /^(?:--(?:eval|print)=([^]*)|-[a-zA-Z]{0,4}?[ceE](?=[^]*[^\w:=,./+-])([^]+))$/

/** `-we`, `-vc`: the last letter takes the code as its value. */
const codeCluster = /^-[a-zA-Z]{1,4}[ceE]$/

/** Reads code by its function calls. Undefined if a part is not understood: the acts found so far count, and there may be more. */
const readCalls = (
  context: Context,
  { name }: PreparedProgram,
  { dynamicFrom, value }: CommandWord
): Flow | undefined => {
  const { session, shell } = context
  const { interpreters, limits } = context.commands
  const language = interpreters.get(name)
  if (language === undefined || dynamicFrom !== undefined || value.length > limits.codeMax) return undefined
  if (language.grammar === undefined) return isPlainCode(value, language, shell.classOf) ? noFlow : undefined
  const { steps, tree } = parseCode(value, language.grammar, limits.codeStepsMax - session.codeSteps)
  session.codeSteps += steps
  if (tree === undefined) return undefined
  const reader = new CodeReader(context, language, value, tree)
  return reader.isUnread ? undefined : reader.flow
}

const readCode = (context: Context, program: PreparedProgram, code: CommandWord): Flow => {
  if (runsCodeFrom(context, code.flow)) return noFlow
  const { found } = context.session
  const { length } = found
  const flow = readCalls(nested(context), program, code)
  if (flow !== undefined) {
    if (found.length === length) addNamed(context, "nothingDone", "code.print")
    return flow
  }
  addNamed(context, "evalCode", "code")
  for (const text of shellTexts(code.value, context.commands.codeWords))
    readAsShell(nested(context, noFlow), text)
  return noFlow
}

export const readInterpreter = (call: ProgramCall): Flow => {
  const { context, program, words } = call
  const { codeWords, programs } = context.commands
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as CommandWord
    const { value } = word
    const next = words[i + 1]
    if (value === "-m" && next !== undefined) {
      if (programs.has(next.value)) return readCommandWords(nested(context), words.slice(i + 1))
      const form = findForm(program, call.given, context.shell.classOf)
      if (form === undefined || !changeless.has(form.act.class)) break
      // `curl … | python -m json.tool`: the input is no code.
      addAct(context, program.name, form.act, lineOf(program, form))
      return withoutText(context.stdin)
    }
    const isCode =
      codeWords.flags.includes(value) ||
      codeCluster.test(value) ||
      (i === 0 && program.runsFor.some(([first]) => first === value))
    if (isCode && next !== undefined) return readCode(context, program, next)
    const attached = attachedCode
      .exec(value)
      ?.slice(1)
      .find((text) => text !== undefined)
    if (attached !== undefined) return readCode(context, program, { ...word, value: attached })
    // `python -W ignore -c x`
    if (program.values.has(value)) i++
    if (!value.startsWith("-")) break
  }
  return readScript(call)
}

/** Reads a script in a file or on standard input. */
const readScript = (call: ProgramCall): Flow => {
  const { context, given, program, words } = call
  const { commands, session, stdin } = context
  const file = given.operands[0]
  if (file === undefined || file.value === "-") {
    if (runsCodeFrom(context, stdin)) return noFlow
    if (stdin.text !== undefined)
      return readCode({ ...context, stdin: noFlow }, program, plainWord(stdin.text))
    addFittingForm(call, given.flags.has("-m") ? "ownCode" : "unreadText", "code")
    return noFlow
  }
  const fetched = file.flow.fetched || session.isFetched(file)
  if (runsCodeFrom(context, { ...file.flow, fetched })) return noFlow
  const written = session.textOf(file)
  if (written !== undefined) return readCode(context, program, plainWord(written))
  const name = `./${file.value.slice(file.value.lastIndexOf("/") + 1)}`
  if (commands.programs.has(name))
    return readCommandWords(nested(context), [plainWord(name), ...words.slice(1)])
  addFittingForm(call, "ownCode", "script")
  return noFlow
}

/** Adds the act of the form that fits, or else the named act `other`. */
const addFittingForm = ({ context, given, program }: ProgramCall, other: NamedAct, command: string): void => {
  const form = findForm(program, given, context.shell.classOf)
  if (form === undefined) addNamed(context, other, command)
  else addAct(context, program.name, form.act, lineOf(program, form))
}
