/** Assignments, loops and `with` in code: the names that they bind, in order. */

import type { SyntaxNode } from "@lezer/common"
import { type Flow, joinFlows, noFlow } from "../paths.ts"
import { childrenOf } from "./parseCode.ts"
import type { CodeScope } from "./CodeScope.ts"
import { type ExpressionReader, laterValue, type Value } from "./values.ts"

/** Punctuation and keywords that carry no value. */
const marks =
  /^(?:[[\](){},;:.]|\?\.|=|\*\*?|Spread|AssignOp|Equals|UpdateOp|TypeDef|const|let|var|new|await|as|in|of|for|if|with|@)$/
const signs = /^(?:AssignOp|Equals|UpdateOp)$/

const bindAll = (
  reader: ExpressionReader,
  scope: CodeScope,
  targets: ReadonlyArray<SyntaxNode>,
  value: Value
): void => {
  for (const target of targets) {
    if (target.name === "MemberExpression") reader.read(target)
    else if (!marks.test(target.name)) scope.bind(target, value)
  }
}

const assign = (reader: ExpressionReader, scope: CodeScope, children: ReadonlyArray<SyntaxNode>): Value => {
  const at = children.findLastIndex(({ name }) => signs.test(name))
  const behind = children.slice(at + 1).filter(({ name }) => !marks.test(name))
  const front = children.slice(0, Math.max(0, at))
  const [only, ...more] = behind
  if (at === -1 || only === undefined || more.length > 0) {
    const several = laterValue(reader.readAll(behind))
    bindAll(reader, scope, front, several)
    return several
  }
  const resolved = reader.resolve(only)
  // A module under another name is still that module. Any other named value counts as used here.
  const isModule = scope.isModule(resolved)
  const whole = isModule ? resolved : reader.named(resolved)
  const isPart = children[at]?.name === "UpdateOp" || front.some(({ name }) => name === ",")
  const value = isPart ? laterValue(whole.word.flow) : whole
  bindAll(reader, scope, front, value)
  return isModule ? laterValue() : value
}

/** `a = b = x`, `const a = x, b = y`. */
export const readAssignments = (reader: ExpressionReader, scope: CodeScope, node: SyntaxNode): Value => {
  const children = childrenOf(node)
  if (node.name !== "VariableDeclaration") return assign(reader, scope, children)
  let last = laterValue()
  for (let from = 0; from < children.length;) {
    const comma = children.findIndex(({ name }, i) => i >= from && name === ",")
    const end = comma === -1 ? children.length : comma
    last = assign(reader, scope, children.slice(from, end))
    from = end + 1
  }
  return last
}

const isTarget = (scope: CodeScope, node: SyntaxNode): boolean =>
  scope.isBinding(node) ||
  node.name.endsWith("Pattern") ||
  (/^(?:Tuple|Array|Parenthesized)Expression$/.test(node.name) &&
    childrenOf(node).some((child) => scope.isBinding(child)))

/** `for x in y`, `with x as y`, one after the other. */
export const bindInOrder = (
  reader: ExpressionReader,
  scope: CodeScope,
  children: ReadonlyArray<SyntaxNode>
): Flow => {
  let flow = noFlow
  let last = laterValue()
  let targets: Array<SyntaxNode> = []
  for (const [i, child] of children.entries()) {
    const before = children[i - 1]?.name ?? ""
    if (marks.test(child.name)) continue
    if (before === "as") scope.bind(child, last)
    else if (isTarget(scope, child)) targets.push(child)
    else {
      last = reader.read(child)
      flow = joinFlows(flow, last.word.flow)
      if (before !== "in" && before !== "of") continue
      const { items, word } = last
      const element = items === undefined ? { word } : { ...laterValue(word.flow), choices: items }
      for (const target of targets) scope.bind(target, targets.length === 1 ? element : laterValue(word.flow))
      targets = []
    }
  }
  return flow
}
