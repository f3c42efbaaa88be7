/** Reads PowerShell to the extent of pipelines, parentheses and blocks: enough to find the cmdlets and the data that flows between them. */

import { findProgram } from "./matchProgram.ts"
import { invoke } from "./invoke.ts"
import { type CommandWord, type Flow, flowOf, joinFlows, noFlow, plainWord, withoutText } from "./paths.ts"
import { writeFile } from "./addForm.ts"
import { readSetVariable } from "./sideEffects/reaches.ts"
import { addNamed, type Context, mayGoOn, mayParse, nested, type CommandSession } from "./Context.ts"

const firstWord = /^[\s(&]*(?:\$\w+\s*=[\s(&]*)?([A-Za-z][\w.-]*)/

const beginsBlock =
  /^\s*(?:(?:if|foreach|for|while|try|do|switch|function|param|trap)\b|[&.]\s*[{("']|\$[\w:]+\s*=|[{[@])/i
/** Cmdlets at the beginning of a command only: `aws dynamodb get-item` is not `Get-Item`. */
const cmdlets = /(?<=(?:^|[{}();|&=,\n])\s{0,8})[A-Za-z]+-[A-Za-z]\w*/gi
const cmdletsTriedMax = 8

/** Expressions that no other shell has: `[Math]::Round(1)`, `1..5 | …`, `(Get-Date).Year`, `$env:PATH`. */
const beginsExpression =
  /^\s*(?:\[[\w.]+\]::\w|\d+\.\.\d+\s*\||\([^()]+\)\.[a-z]|\$env:\w|\$PSVersionTable\b)/i

/** Whether a text has a cmdlet, which is a verb and a noun with a hyphen, or an alias of one, such as `iex`. */
export const looksLikePowerShell = (text: string, session: CommandSession): boolean => {
  const isCmdlet = (name: string) => findProgram(session, name)?.flags === "slash"
  const plain = text.replaceAll(/`(?=\w)/g, "")
  const first = firstWord.exec(plain)?.[1] ?? ""
  const isNamed = /^\w+-\w+$/.test(first) || session.commands.cmdletAliases.has(first.toLowerCase())
  if (isNamed && isCmdlet(first)) return true
  if (beginsExpression.test(plain)) return true
  if (!beginsBlock.test(plain)) return false
  const named = Array.from(plain.matchAll(cmdlets), ([name]) => name)
  return named.slice(0, cmdletsTriedMax).some(isCmdlet)
}

/** Keywords before a block. The block is read separately. */
const keyword =
  /^(?:if|elseif|else|foreach|for|while|until|do|try|catch|finally|switch|function|return|param|begin|process|end|in|trap)$/i

/** `.Delete(`, `]::Round(` */
const called = /(?:\]::|\.)(\w+)$/
/** A string, a number, a variable, a type, or something in parentheses. */
const beginsValue = /^["'$([\d@-]/
const setsVariable = /^\$env:(\w+)=([^]*)$/i
const redirects = /^[\d*]?(>>?)(?!&)([^]*)$/

const downloads = /\.(?:download(?:string|data)|getstringasync)$/i
const decodesText = /frombase64string$|gzipstream/i

/** Reads the text in one pass. Each method continues at `at`. */
class PowerShellReader {
  readonly #text: string
  readonly #variables = new Map<string, Flow>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads commands up to the closing bracket or the end. */
  list(closer: string, context: Context): Flow {
    let all = noFlow
    while (this.#at < this.#text.length) {
      all = joinFlows(all, this.#pipeline(closer, context))
      const mark = this.#text[this.#at++]
      if (mark === closer) break
    }
    return all
  }

  #pipeline(closer: string, context: Context): Flow {
    let flow = context.stdin
    for (;;) {
      const inside = { ...context, stdin: flow }
      const { first, words } = this.#command(closer, inside)
      flow = this.#run(words, beginsValue.test(first), inside)
      if (this.#text[this.#at] !== "|" || this.#text[this.#at + 1] === "|") return flow
      this.#at++
    }
  }

  #run(words: ReadonlyArray<CommandWord>, isExpression: boolean, context: Context): Flow {
    const bare = words[0]?.raw === "&" || words[0]?.raw === "." ? words.slice(1) : words
    const [name, equals] = bare
    if (name === undefined || keyword.test(name.raw)) return context.stdin
    if (equals?.raw === "=" && name.raw.startsWith("$")) {
      const flow = this.#run(bare.slice(2), beginsValue.test(bare[2]?.raw ?? ""), context)
      this.#variables.set(name.raw.toLowerCase(), flow)
      return flow
    }
    // `@{a=1}`
    if (equals?.raw === "=" || /^['"\w-]+=/.test(name.raw)) return flowOf(bare)
    const [, variable, set] = setsVariable.exec(name.value) ?? []
    if (variable !== undefined && set !== undefined)
      readSetVariable(context, variable, { ...name, value: set, raw: set })
    const at = bare.findIndex(({ raw }) => redirects.test(raw))
    if (at < 1) return this.#evaluate(bare, isExpression, context)
    const [, sign, joined = ""] = redirects.exec(bare[at]?.raw ?? "") ?? []
    const target = joined === "" ? bare[at + 1] : plainWord(joined)
    const flow = this.#evaluate(bare.slice(0, at), isExpression, context)
    if (target !== undefined) writeFile(context, target, flow, sign === ">>")
    return noFlow
  }

  /** An expression, such as a string or a variable, only passes its value on. */
  #evaluate(words: ReadonlyArray<CommandWord>, isExpression: boolean, context: Context): Flow {
    return isExpression ? joinFlows(words[0]?.flow ?? noFlow, noFlow) : invoke(context, words)
  }

  /** The words of one command, and its first character as written. Stops before a separator. */
  #command(
    closer: string,
    context: Context
  ): { readonly first: string; readonly words: ReadonlyArray<CommandWord> } {
    const words: Array<CommandWord> = []
    let value = ""
    let raw = ""
    let flow = noFlow
    let dynamicFrom: number | undefined
    let first = ""
    const end = () => {
      if (words.length === 0) first = raw.charAt(0)
      if (raw !== "") words.push({ value, raw: value === "" ? raw : value, dynamicFrom, flow })
      value = raw = ""
      flow = noFlow
      dynamicFrom = undefined
    }
    while (this.#at < this.#text.length) {
      const mark = this.#text[this.#at] ?? ""
      if (mark === closer || "|;\n})".includes(mark)) break
      this.#at++
      if (mark === "`") continue
      if (/[\s,]/.test(mark)) end()
      else if (mark === "(" || mark === "{") {
        const inner = this.#nested(mark, raw, context)
        flow = joinFlows(flow, inner)
        dynamicFrom ??= value.length
        raw += "("
      } else if (mark === '"' || mark === "'") {
        const text = this.#quoted(mark)
        value += text
        raw += mark
      } else if (mark === "$") {
        const variable = this.#variable(context)
        flow = joinFlows(flow, variable.flow)
        if (variable.dynamicFrom !== undefined) dynamicFrom ??= value.length
        value += variable.value
        raw += variable.raw
      } else {
        value += mark
        raw += mark
      }
    }
    end()
    return { first, words }
  }

  /** The variable behind a `$`. `$_` is what comes in. */
  #variable({ commands, stdin }: Context): CommandWord {
    const name = /\w[\w:.]*/y
    name.lastIndex = this.#at
    const raw = `$${name.exec(this.#text)?.[0] ?? ""}`
    this.#at += raw.length - 1
    if (/^\$(?:_|psitem)(?:\.|$)/i.test(raw)) {
      const [line, ...others] = stdin.lines ?? []
      const isOne = line !== undefined && others.length === 0
      return { value: isOne ? line : raw, raw, dynamicFrom: isOne ? undefined : 0, flow: withoutText(stdin) }
    }
    const isPlace = commands.placeVariables.powershell.has(raw.slice(1).toLowerCase())
    const flow = this.#variables.get(raw.toLowerCase()) ?? noFlow
    return { value: raw, raw, dynamicFrom: isPlace ? undefined : 0, flow }
  }

  #nested(mark: string, before: string, context: Context): Flow {
    const inside = nested(context, mark === "{" ? context.stdin : noFlow)
    if (!mayGoOn(inside)) {
      this.#at = this.#text.length
      return noFlow
    }
    const [, method] = called.exec(before) ?? []
    if (mark === "(" && method !== undefined && !context.commands.methods.has(method.toLowerCase()))
      addNamed(context, "unreadText", "method.call")
    const flow = this.list(mark === "(" ? ")" : "}", inside)
    return {
      ...flow,
      fetched: flow.fetched || downloads.test(before),
      decoded: flow.decoded || decodesText.test(before)
    }
  }

  #quoted(mark: string): string {
    const to = this.#text.indexOf(mark, this.#at)
    const text = this.#text.slice(this.#at, to === -1 ? this.#text.length : to)
    this.#at = to === -1 ? this.#text.length : to + 1
    return text
  }
}

export const readPowerShell = (context: Context, text: string): Flow =>
  mayParse(context, text) ? new PowerShellReader(text).list("", context) : noFlow
