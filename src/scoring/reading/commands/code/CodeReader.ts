/** Reads the effects of the function calls in code. */

import type { SyntaxNode, Tree } from "@lezer/common"
import { addNamed, type Context, nested, readCommandWords } from "../Context.ts"
import { type Flow, joinFlows, noFlow, plainWord, withoutText } from "../paths.ts"
import { commandsOfCall, deedOf, nameFits } from "./effects.ts"
import type { PreparedInterpreter } from "./Interpreters.ts"
import { bindInOrder, readAssignments } from "./bindings.ts"
import { childrenOf, isDefinition } from "./parseCode.ts"
import { CodeScope } from "./CodeScope.ts"
import {
  type ExpressionReader,
  type Given,
  joinPath,
  joinWords,
  nothingGiven,
  laterValue,
  laterWord,
  type Value,
  wordOfFormat,
  wordOfText
} from "./values.ts"

/**
 * A call with an outside effect is read as its equivalent command. Code counts as doing nothing if all its calls are known to have no
 * effect. Anything else in it marks it as unread.
 */
export class CodeReader implements ExpressionReader {
  /** The flow of the code's output. */
  readonly flow: Flow
  readonly #language: PreparedInterpreter
  readonly #text: string
  readonly #context: Context
  readonly #scope: CodeScope
  #depth = 0

  constructor(context: Context, language: PreparedInterpreter, text: string, tree: Tree) {
    this.#language = language
    this.#text = text
    this.#context = context
    this.#scope = new CodeScope(language, text, tree, context.stdin)
    this.flow = this.read(tree.topNode).word.flow
    for (const act of new Set(this.#scope.unlistedModules.values())) addNamed(context, act, "module")
  }

  /** Whether part of the code was not understood. */
  get isUnread(): boolean {
    return this.#scope.isUnread
  }

  #unread(flow: Flow = noFlow): Value {
    this.#scope.isUnread = true
    return laterValue(flow)
  }

  #textOf({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to)
  }

  readAll(nodes: ReadonlyArray<SyntaxNode>): Flow {
    return nodes.reduce((flow, node) => joinFlows(flow, this.read(node).word.flow), noFlow)
  }

  read(node: SyntaxNode): Value {
    if (this.#depth > this.#context.commands.limits.codeNestingMax) return this.#unread()
    this.#depth++
    const value = this.named(this.resolve(node))
    this.#depth--
    return value
  }

  /** The value of an expression. A name is resolved without the effect of using it. */
  resolve(node: SyntaxNode): Value {
    switch (node.name) {
      case "VariableName":
      case "VariableDefinition":
        return this.#scope.isBinding(node) ? laterValue() : this.#scope.variable(this.#textOf(node))
      case "MemberExpression":
        return this.#member(node)
      case "CallExpression":
      case "NewExpression":
      case "TaggedTemplateExpression":
      case "DynamicImport":
        return this.#call(node)
      case "ParenthesizedExpression":
      case "AwaitExpression": {
        const inner = childrenOf(node).filter(({ name }) => !/^(?:[()]|await)$/.test(name))
        return inner.length === 1 && inner[0] !== undefined
          ? this.resolve(inner[0])
          : laterValue(this.readAll(inner))
      }
      case "String":
      case "ContinuedString":
      case "FormatString":
      case "TemplateString":
        return { word: wordOfText(node, this.#text, this) }
      case "Number":
      case "Boolean":
      case "BooleanLiteral":
        return { word: plainWord(this.#textOf(node)) }
      case "BinaryExpression":
        return this.#operation(node)
      case "ArrayExpression":
      case "TupleExpression":
        return this.#list(node)
      case "ObjectExpression":
      case "DictionaryExpression":
        return this.#object(node)
      default:
        return this.#statement(node)
    }
  }

  #statement(node: SyntaxNode): Value {
    switch (node.name) {
      case "ImportStatement":
      case "ImportDeclaration":
        this.#scope.import(node)
        return laterValue()
      case "AssignStatement":
      case "NamedExpression":
      case "VariableDeclaration":
      case "AssignmentExpression":
        return readAssignments(this, this.#scope, node)
      case "WithStatement":
      case "ForStatement":
      case "ForOfSpec":
        return laterValue(bindInOrder(this, this.#scope, childrenOf(node)))
      case "Decorator":
        return this.#decorator(node)
    }
    const children = childrenOf(node)
    // In a comprehension, the loop follows the expression that it repeats.
    const loop = node.name.endsWith("ComprehensionExpression")
      ? children.findIndex(({ name }) => name === "for")
      : -1
    const before = loop === -1 ? noFlow : bindInOrder(this, this.#scope, children.slice(loop))
    const flow = joinFlows(before, this.readAll(loop === -1 ? children : children.slice(0, loop)))
    return isDefinition(node) ? { ...laterValue(flow), isFunction: true } : laterValue(flow)
  }

  /** The effect of using a name without calling it. */
  named(value: Value): Value {
    const { path } = value
    if (path === undefined) return value
    const { harmless, places } = this.#language
    const done = this.#does(path, nothingGiven, undefined)
    if (done !== undefined) return places.has(path) ? { ...done, word: value.word } : done
    return nameFits(harmless, path) || this.#isPlain(path) ? value : this.#unread(value.word.flow)
  }

  /** Whether a name belongs to a module that the data does not list, and names no deed. */
  #isPlain(path: string): boolean {
    return this.#scope.isUnlisted(path) && deedOf(path, this.#context.commands) === undefined
  }

  /** Whether a method has no effect outside. One of an object that unlisted code has made may do what its name says. */
  #isHarmless(name: string, owner: Value, given: Given): boolean {
    const isKnown = this.#language.methods.has(name)
    if (owner.foreign === undefined) return isKnown || this.#scope.defines(name)
    const deed = deedOf(name, this.#context.commands)
    return deed === undefined
      ? isKnown || this.#scope.mayBeGiven(owner.foreign, given)
      : isKnown && deed !== "delete" && deed !== "destroy"
  }

  #member(node: SyntaxNode): Value {
    const [object, ...rest] = childrenOf(node)
    if (object === undefined) return laterValue()
    const owner = this.resolve(object)
    const last = rest.at(-1)
    const inner = rest.filter(({ name }) => !/^(?:[[\].:]|\?\.)$/.test(name))
    const [index] = inner
    const key =
      last?.name === "PropertyName"
        ? this.#textOf(last)
        : inner.length === 1 && index !== undefined
          ? this.#keyOf(index)
          : undefined
    if (key === undefined)
      return {
        ...laterValue(joinFlows(this.named(owner).word.flow, this.readAll(inner))),
        from: owner.from
      }
    if (owner.path !== undefined) return this.#scope.nameOf(`${owner.path}.${key}`)
    if (last?.name !== "PropertyName") return { ...laterValue(owner.word.flow), from: owner.from }
    return this.#memberOfValue(owner, key)
  }

  #keyOf(node: SyntaxNode): string | undefined {
    const { word } = this.read(node)
    return node.name === "String" && word.dynamicFrom === undefined ? word.value : undefined
  }

  /** A member that is read and not called. Names such as `__class__` can lead to anything. */
  #memberOfValue(owner: Value, key: string): Value {
    const { calls, modules, revealing } = this.#language
    const found = owner.members?.get(key)
    if (found !== undefined) return found
    const value = { ...laterValue(owner.word.flow), from: owner.from ?? owner.word }
    if (key.startsWith("_") || revealing.has(key) || modules.has(key)) this.#scope.isUnread = true
    if (calls.has(`.${key}`)) return this.#does(`.${key}`, nothingGiven, owner) ?? value
    return value
  }

  #call(node: SyntaxNode): Value {
    const children = childrenOf(node).filter(({ name }) => name !== "new" && name !== "?.")
    const [callee, ...others] = children
    if (callee === undefined) return laterValue()
    if (node.name === "DynamicImport")
      return this.#load(others.flatMap((one) => (one.name === "String" ? [this.read(one)] : [])))
    const list = others.find(({ name }) => name === "ArgList")
    if (callee.name === "MemberExpression") {
      const [object, ...rest] = childrenOf(callee)
      const last = rest.at(-1)
      const owner = object === undefined ? laterValue() : this.resolve(object)
      if (last?.name === "PropertyName" && owner.path === undefined)
        return this.#method(owner, this.#textOf(last), this.#arguments(list))
    }
    const target = this.resolve(callee)
    const given =
      list === undefined && others.length > 0
        ? { ...nothingGiven, values: others.map((one) => this.read(one)) }
        : this.#arguments(list)
    if (target.path !== undefined) return this.#function(target, target.path, given)
    return target.isFunction === true || callee.name === "super"
      ? this.#result(given)
      : this.#unread(target.word.flow)
  }

  #result({ named, values }: Given, owner?: Value): Value {
    const all = [...(owner === undefined ? [] : [owner]), ...values, ...named.values()]
    const flow = all.reduce((sum, { word }) => joinFlows(sum, word.flow), noFlow)
    return { ...laterValue(flow), from: owner === undefined ? values[0]?.word : (owner.from ?? owner.word) }
  }

  #function(target: Value, path: string, given: Given): Value {
    const { harmless, joins, loads, passes, places } = this.#language
    const done = this.#does(path, given, undefined)
    if (done !== undefined) return done
    if (loads.has(path)) return this.#load(given.values)
    if (this.#isPlain(path) && this.#scope.mayBeGiven(path, given))
      return { ...this.#result(given), foreign: path }
    if (!nameFits(harmless, path)) return this.#unread(this.#result(given).word.flow)
    this.#apply(path, given)
    const [first] = given.values
    const result = this.#result(given)
    const flow = joinFlows(result.word.flow, target.word.flow)
    if (places.has(path)) return { word: target.word }
    if (first !== undefined && (joins.has(path) || passes.has(path))) {
      const word = joins.has(path) ? joinPath(given.values.map((value) => value.word)) : first.word
      return { word: { ...word, flow: withoutText(flow) }, from: word }
    }
    return { ...result, word: laterWord(flow) }
  }

  #method(owner: Value, name: string, given: Given): Value {
    const { joins } = this.#language
    const key = `.${name}`
    const done = this.#does(key, given, owner)
    if (done !== undefined) return done
    if (!this.#isHarmless(name, owner, given)) return this.#unread(this.#result(given, owner).word.flow)
    this.#apply(key, given)
    const result = { ...this.#result(given, owner), foreign: owner.foreign }
    if (!joins.has(key)) return result
    const word = joinPath([owner.from ?? owner.word, ...given.values.map((value) => value.word)])
    return { ...result, word, from: word }
  }

  /** A method passed to a function that calls it must be a known one: `map(x.run, y)`. */
  #apply(name: string, { members }: Given): void {
    const { applies, methods } = this.#language
    if (applies.has(name) && members.some((member) => !methods.has(member))) this.#scope.isUnread = true
  }

  /** Reads the command equivalent to a call; undefined if there is none. */
  #does(name: string, given: Given, owner: Value | undefined): Value | undefined {
    const commands = commandsOfCall(this.#language, name, given, owner)
    if (commands.length === 0) return undefined
    const flow = commands.reduce(
      (all, { stdin, words }) => joinFlows(all, readCommandWords(nested(this.#context, stdin), words)),
      noFlow
    )
    return { ...this.#result(given, owner), word: laterWord(flow) }
  }

  #arguments(list: SyntaxNode | undefined): Given {
    const children = list === undefined ? [] : childrenOf(list)
    const loop = children.findIndex(({ name }) => name === "for")
    // `sum(x for x in y)`
    if (loop > 0) {
      const flow = joinFlows(
        bindInOrder(this, this.#scope, children.slice(loop)),
        this.readAll(children.slice(0, loop))
      )
      return { ...nothingGiven, values: [laterValue(flow)], isOpen: false }
    }
    const values: Array<Value> = []
    const named = new Map<string, Value>()
    const members: Array<string> = []
    let isOpen = false
    for (const [i, child] of children.entries()) {
      const isName = children[i + 1]?.name === "AssignOp"
      if (isName || /^(?:[(),]|AssignOp)$/.test(child.name)) continue
      if (/^(?:\*\*?|Spread)$/.test(child.name)) isOpen = true
      else {
        const value = this.read(child)
        const name = children[i - 1]?.name === "AssignOp" ? children[i - 2] : undefined
        if (name === undefined) values.push(value)
        else named.set(this.#textOf(name), value)
        for (const [key, member] of value.members ?? []) named.set(key, member)
        if (child.name === "MemberExpression" && value.path === undefined) {
          const member = child.lastChild
          if (member?.name === "PropertyName") members.push(this.#textOf(member))
        }
      }
    }
    return { values, named, isOpen, members }
  }

  /** `require("fs")`, `__import__("os")`. */
  #load([name]: ReadonlyArray<Value>): Value {
    if (name === undefined || name.word.dynamicFrom !== undefined) return this.#unread()
    return this.#scope.module(name.word.value)
  }

  #operation(node: SyntaxNode): Value {
    const [left, operator, right] = childrenOf(node)
    if (left === undefined || operator === undefined || right === undefined) return laterValue()
    const [a, b] = [this.read(left), this.read(right)]
    const flow = joinFlows(a.word.flow, b.word.flow)
    const sign = this.#textOf(operator)
    if (sign === "+") return { word: joinWords(a.word, b.word) }
    // `Path("a") / "b"`
    if (sign === "/" && a.from !== undefined)
      return { word: joinPath([a.from, b.word]), from: joinPath([a.from, b.word]) }
    return sign === "%" ? { word: wordOfFormat(a.word, b.word.flow) } : laterValue(flow)
  }

  #list(node: SyntaxNode): Value {
    const children = childrenOf(node)
    const isOpen = children.some(({ name }) => name === "*" || name === "Spread")
    const items = children
      .filter(({ name }) => !/^(?:[[\](),*]|Spread)$/.test(name))
      .map((child) => this.read(child).word)
    const flow = items.reduce((all, word) => joinFlows(all, word.flow), noFlow)
    return { ...laterValue(flow), items: isOpen ? [...items, laterWord()] : items }
  }

  #object(node: SyntaxNode): Value {
    const members = new Map<string, Value>()
    const flow = childrenOf(node).reduce((all, child) => {
      const [key, colon, value] = childrenOf(child)
      const isPlain = child.name === "Property" && key?.name === "PropertyDefinition"
      if (isPlain && colon === undefined) {
        // `{ method }`
        members.set(this.#textOf(key), this.named(this.#scope.variable(this.#textOf(key))))
        return all
      }
      if (!isPlain || colon?.name !== ":" || value === undefined)
        return joinFlows(all, this.read(child).word.flow)
      const read = this.read(value)
      members.set(this.#textOf(key), read)
      return joinFlows(all, read.word.flow)
    }, noFlow)
    return { ...laterValue(flow), members }
  }

  #decorator(node: SyntaxNode): Value {
    const children = childrenOf(node)
    const list = children.find(({ name }) => name === "ArgList")
    const [first, ...rest] = children
      .filter(({ name }) => name === "VariableName")
      .map((child) => this.#textOf(child))
    if (first === undefined) return this.#unread()
    const owner = this.#scope.variable(first)
    const path = [owner.path, ...rest].join(".")
    const isKnown =
      owner.path === undefined ? owner.isFunction === true : nameFits(this.#language.harmless, path)
    const { word } = this.#result(this.#arguments(list))
    return isKnown ? laterValue(word.flow) : this.#unread(word.flow)
  }
}
