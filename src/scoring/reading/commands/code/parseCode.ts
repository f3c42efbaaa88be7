/** Parses code with Lezer grammars, within a budget, and finds the names that it binds. */

import type { SyntaxNode, Tree } from "@lezer/common"
import { parser as javascript } from "@lezer/javascript"
import type { LRParser } from "@lezer/lr"
import { parser as python } from "@lezer/python"
import type { CodeGrammar } from "./Interpreters.ts"

/** Strict parsers fail at the first error: code that does not parse completely is not read. */
const parsers: { readonly [grammar in CodeGrammar]: LRParser } = {
  python: python.configure({ strict: true }),
  javascript: javascript.configure({ strict: true })
}

/** The syntax tree of a text, and the number of parser steps. No tree if the text has an error or needs more steps than allowed. */
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

/** A function or a class. Its body is read where it is defined, so calling it adds nothing. */
export const isDefinition = ({ name }: SyntaxNode): boolean =>
  functionKinds.test(name) || classKinds.test(name)

const isLoop = /^(?:ForStatement|\w*ComprehensionExpression|ArgList)$/
const holdsNames = /^(?:Tuple|Array|Parenthesized)Expression$/
const bindsAll = /^(?:CapturePattern|ScopeStatement|FunctionDefinition|ClassDefinition)$/
const bindsFront = /^(?:AssignStatement|NamedExpression)$/
const bindsFirst = /^(?:UpdateStatement|AssignmentExpression)$/

/** The children that a node binds: by an assignment, a loop, a parameter, or `as`. */
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

/** Whether a node is the name in the definition of a function, method or class. */
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

/** The names that code binds anywhere. */
export interface CodeNames {
  /** How many times each name is bound. A name that is bound more than once has no known value. */
  readonly bound: ReadonlyMap<string, number>
  /** Positions where names are bound. There, the name's old value is not used. */
  readonly places: ReadonlySet<number>
  /** Names of the functions, methods and classes that the code defines. */
  readonly defined: ReadonlySet<string>
}

/** Visits each list of children once, because finding a node's siblings takes time linear in the list. */
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
