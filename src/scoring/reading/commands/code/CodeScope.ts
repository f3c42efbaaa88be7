/** The names in a piece of code, and what they refer to. A name that is bound more than once has no known value. */

import type { SyntaxNode, Tree } from "@lezer/common"
import { type Flow, globFits, joinFlows, noFlow, plainWord, withoutText } from "../paths.ts"
import { nameFits } from "./effects.ts"
import type { PreparedInterpreter } from "./Interpreters.ts"
import { childrenOf, type CodeNames, namesIn } from "./parseCode.ts"
import { type Given, laterValue, laterWord, type Value, wordOfLiteral } from "./values.ts"

/** An import of a module. */
interface Import {
  /** Undefined if the statement does not name the module, or imports everything from it. */
  readonly module: string | undefined
  /** The names that the import binds, each with the path that it refers to. */
  readonly names: ReadonlyArray<readonly [name: string, path: string]>
}

type Words = ReadonlyArray<string>

/** Splits a list at its commas. */
const parts = (words: Words): ReadonlyArray<Words> => {
  const cut: Array<Array<string>> = [[]]
  for (const word of words)
    if (word === ",") cut.push([])
    else cut.at(-1)?.push(word)
  return cut.filter(({ length }) => length > 0)
}

/** `a.b as c` */
const renamed = (words: Words): { readonly name: string; readonly as: string | undefined } => {
  const at = words.indexOf("as")
  return {
    name: words.slice(0, at === -1 ? words.length : at).join(""),
    as: at === -1 ? undefined : words[at + 1]
  }
}

/** `import a.b as c, d`, `from a import b as c, d`. */
const importsOfPython = (words: Words): ReadonlyArray<Import> => {
  const from = words.indexOf("import")
  const list = parts(words.slice(from + 1).filter((word) => word !== "(" && word !== ")")).map(renamed)
  if (words[0] !== "from")
    return list.map(({ as, name }) => {
      const [head = ""] = name.split(".")
      return { module: name, names: [as === undefined ? [head, head] : [as, name]] }
    })
  const module = words.slice(1, from).join("")
  const isKnown = !module.startsWith(".") && !list.some(({ name }) => name === "*")
  return [
    {
      module: isKnown ? module : undefined,
      names: list.map(({ as, name }) => [as ?? name, `${module}.${name}`])
    }
  ]
}

const importsOfJavaScript = (node: SyntaxNode, text: string): ReadonlyArray<Import> => {
  const children = childrenOf(node)
  const source = children.findLast(({ name }) => name === "String")
  if (source === undefined) return []
  const module = wordOfLiteral(text.slice(source.from, source.to)).value
  const path = module.replace(/^node:/, "").replaceAll("/", ".")
  const names: Array<readonly [string, string]> = []
  for (const child of children) {
    if (child.name === "VariableDefinition") names.push([text.slice(child.from, child.to), path])
    if (child.name !== "ImportGroup") continue
    const words = childrenOf(child).map(({ from, to }) => text.slice(from, to))
    for (const one of parts(words.filter((word) => word !== "{" && word !== "}"))) {
      const { as, name } = renamed(one)
      names.push([as ?? name, name === "default" ? path : `${path}.${name}`])
    }
  }
  return [{ module, names }]
}

const importsOf = (node: SyntaxNode, text: string): ReadonlyArray<Import> =>
  node.name === "ImportDeclaration"
    ? importsOfJavaScript(node, text)
    : importsOfPython(childrenOf(node).map(({ from, to }) => text.slice(from, to)))

export class CodeScope {
  /** Part of the code was not understood. */
  isUnread = false
  /** The modules that the data does not list, each with the act of loading it: the workspace's own, and installed ones. */
  readonly unlistedModules = new Map<string, "ownCode" | "plainProgram">()
  readonly #language: PreparedInterpreter
  readonly #text: string
  readonly #stdin: Flow
  readonly #names: CodeNames
  readonly #values = new Map<string, Value>()

  constructor(language: PreparedInterpreter, text: string, tree: Tree, stdin: Flow) {
    this.#language = language
    this.#text = text
    this.#stdin = stdin
    this.#names = namesIn(tree, text)
  }

  #textOf({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to)
  }

  /** Whether a name is being bound at this position. */
  isBinding({ from, name }: SyntaxNode): boolean {
    return (name === "VariableName" || name === "VariableDefinition") && this.#names.places.has(from)
  }

  /** Whether the code defines a function or method of this name. */
  defines(name: string): boolean {
    return this.#names.defined.has(name)
  }

  variable(name: string): Value {
    const value = this.#values.get(name)
    const times = this.#names.bound.get(name) ?? 0
    if (times > 1) return laterValue(value?.word.flow)
    if (value !== undefined) return value
    if (times === 0) return this.nameOf(name)
    return this.defines(name) ? { ...laterValue(), isFunction: true } : laterValue()
  }

  /** The value of a name from the language or a module: `len`, `os.path`. */
  nameOf(path: string): Value {
    const { inputs, places } = this.#language
    const place = places.get(path)
    const flow = nameFits(inputs, path) ? withoutText(this.#stdin) : noFlow
    return { word: place === undefined ? laterWord(flow) : plainWord(place), path }
  }

  isModule({ path }: Value): boolean {
    return path !== undefined && (this.#language.modules.has(path) || this.unlistedModules.has(path))
  }

  /** The module of a name, where the data does not list it. */
  #unlistedOf(path: string): string | undefined {
    const isBelow = (module: string): boolean => path === module || path.startsWith(`${module}.`)
    // In `from src.x import os`, `os` is still the language's module.
    const isElsewhere = (members: string): boolean =>
      members.split(".").some((member) => this.#language.modules.has(member))
    return [...this.unlistedModules.keys()].find(
      (module) => isBelow(module) && !isElsewhere(path.slice(module.length + 1))
    )
  }

  isUnlisted(path: string): boolean {
    return this.#unlistedOf(path) !== undefined
  }

  /** A text with a blank can be a command or a statement. An installed module may do anything with a path or an address. */
  mayBeGiven(path: string, { named, values }: Given): boolean {
    const isInstalled = this.unlistedModules.get(this.#unlistedOf(path) ?? "") === "plainProgram"
    const telling = isInstalled ? /[^\w$-]/ : /\s/
    return ![...values, ...named.values()].some(({ word }) => telling.test(word.value))
  }

  /** Loads a module, which runs it. */
  module(name: string): Value {
    const path = name.replace(/^node:/, "").replaceAll("/", ".")
    const isOwn = this.#language.own.some((glob) => globFits(glob, name))
    if (!this.#language.modules.has(path)) this.unlistedModules.set(path, isOwn ? "ownCode" : "plainProgram")
    return { ...laterValue(), path }
  }

  import(node: SyntaxNode): void {
    for (const { module, names } of importsOf(node, this.#text)) {
      if (module === undefined) this.isUnread = true
      else this.module(module)
      for (const [name, path] of names) this.#keep(name, this.nameOf(path))
    }
  }

  /** Binds a value to a name or to the parts of a pattern. */
  bind(node: SyntaxNode, value: Value): void {
    if (this.isBinding(node)) this.#keep(this.#textOf(node), value)
    else for (const child of childrenOf(node)) this.#bindPart(node, child, value)
  }

  /** `const { rmSync: remove } = require("fs")`: each part of the pattern refers to that member of the module. */
  #bindPart(pattern: SyntaxNode, part: SyntaxNode, value: Value): void {
    const { path, word } = value
    if (path === undefined || part.name !== "PatternProperty" || pattern.name !== "ObjectPattern") {
      if (path !== undefined && this.isBinding(part)) this.isUnread = true
      this.bind(part, laterValue(word.flow))
      return
    }
    const [first, , second] = childrenOf(part)
    const own = second?.name === "VariableDefinition" ? second : first
    if (first === undefined || own?.name !== "VariableDefinition") this.isUnread = true
    else this.#keep(this.#textOf(own), this.nameOf(`${path}.${this.#textOf(first)}`))
  }

  #keep(name: string, value: Value): void {
    const before = this.#values.get(name)
    const isOther = before !== undefined && before.path !== value.path
    this.#values.set(name, isOther ? laterValue(joinFlows(before.word.flow, value.word.flow)) : value)
  }
}
