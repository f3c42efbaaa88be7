/** Parses code with the grammars of Lezer, within a budget, and finds the names that it binds. */

import type { SyntaxNode, Tree } from "@lezer/common"
import { parser as javascript } from "@lezer/javascript"
import type { LRParser } from "@lezer/lr"
import { parser as python } from "@lezer/python"
import type { CodeGrammar } from "./Interpreters.ts"

/** They stop at the first fault: code that does not parse whole is not read. */
const parsers: { readonly [grammar in CodeGrammar]: LRParser } = {
  python: python.configure({ strict: true }),
  javascript: javascript.configure({ strict: true })
}

/** The tree of a text, and the steps that it took. No tree if the text has a fault or needs more steps. */
export const parseCode = (
  text: string,
  grammar: CodeGrammar,
  stepsMax: number
): { readonly tree: Tree | undefined; readonly steps: number } => {
  const parse = parsers[grammar].startParse(text)
  for (let steps = 1; steps <= stepsMax; steps++) {
    try {
      const tree = parse.advance()
      if (tree !== null) return { tree, steps }
    } catch {
      return { tree: undefined, steps }
    }
  }
  return { tree: undefined, steps: stepsMax }
}

export const childrenOf = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const children: Array<SyntaxNode> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const functionKinds = /^(?:Function(?:Definition|Declaration|Expression)|ArrowFunction|LambdaExpression)$/
const classKinds = /^Class(?:Definition|Declaration|Expression)$/

/** A function or a class. To call it does what its body says, and the body is read where it is defined. */
export const isDefinition = ({ name }: SyntaxNode): boolean =>
  functionKinds.test(name) || classKinds.test(name)

const isLoop = /^(?:ForStatement|\w*ComprehensionExpression|ArgList)$/
const holdsNames = /^(?:Tuple|Array|Parenthesized)Expression$/
const bindsAll = /^(?:CapturePattern|ScopeStatement|FunctionDefinition|ClassDefinition)$/
const bindsFront = /^(?:AssignStatement|NamedExpression)$/
const bindsFirst = /^(?:UpdateStatement|AssignmentExpression)$/

/** The children that a node binds: by an assignment, a loop, a parameter, `as`. */
const targetsIn = ({ name }: SyntaxNode, children: ReadonlyArray<SyntaxNode>): ReadonlyArray<SyntaxNode> => {
  if (bindsAll.test(name)) return children
  if (bindsFirst.test(name)) return children.slice(0, 1)
  if (bindsFront.test(name))
    return children.slice(
      0,
      Math.max(
        0,
        children.findLastIndex((child) => child.name === "AssignOp")
      )
    )
  let isBehindFor = false
  return children.filter((child, i) => {
    const before = children[i - 1]?.name
    if (child.name === "for" || child.name === "in") isBehindFor = child.name === "for"
    if (name === "ParamList") return before !== "AssignOp" && before !== ":"
    if (isLoop.test(name) && isBehindFor) return true
    return before === "as" && name !== "ImportStatement"
  })
}

/** Whether it is the name of a function, a method or a class that the code defines. */
const isNameOfDefinition = (
  node: SyntaxNode,
  parent: SyntaxNode,
  next: ReadonlyArray<SyntaxNode>
): boolean => {
  const [sign, value] = next
  if (node.name === "VariableDefinition" && sign?.name === "Equals")
    return value !== undefined && isDefinition(value)
  if (node.name === "PropertyDefinition") return parent.name === "MethodDeclaration"
  if (node.name === "VariableName") return /^(?:Function|Class)Definition$/.test(parent.name)
  return node.name === "VariableDefinition" && isDefinition(parent)
}

/** The names that code binds, wherever it does so. */
export interface CodeNames {
  /** How often each is bound. A name that is bound several times has no known value. */
  readonly bound: ReadonlyMap<string, number>
  /** Where names are bound: their old value means nothing there. */
  readonly places: ReadonlySet<number>
  /** Names of the functions, methods and classes that the code defines. */
  readonly defined: ReadonlySet<string>
}

/** Goes through each list of children once, because finding the neighbours of a node takes as long as the list is. */
export const namesIn = (tree: Tree, text: string): CodeNames => {
  const bound = new Map<string, number>()
  const places = new Set<number>()
  const defined = new Set<string>()
  const nameOf = ({ from, to }: SyntaxNode) => text.slice(from, to)
  const open: Array<{ readonly node: SyntaxNode; readonly isTarget: boolean }> = [
    { node: tree.topNode, isTarget: false }
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { isTarget, node } = next
    const children = childrenOf(node)
    const targets = new Set(isTarget && holdsNames.test(node.name) ? children : targetsIn(node, children))
    for (const [i, child] of children.entries()) {
      const binds =
        child.name === "VariableDefinition" || (child.name === "VariableName" && targets.has(child))
      if (binds) {
        bound.set(nameOf(child), (bound.get(nameOf(child)) ?? 0) + 1)
        places.add(child.from)
      }
      if (isNameOfDefinition(child, node, children.slice(i + 1, i + 3))) defined.add(nameOf(child))
      open.push({ node: child, isTarget: targets.has(child) })
    }
  }
  return { bound, places, defined }
}
