/** Says of a value that it is none of the names that a key may have. */

import type { SchemaAST, SchemaIssue } from "effect"
import { didYouMean } from "../nearestName.ts"
import type { Problem } from "../Problem.ts"
import { quote } from "./explainType.ts"

const listedMax = 12

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Union") return ast.types.flatMap(literalsOf)
  return ast._tag === "Literal" ? [String(ast.literal)] : []
}

/** Null where the union is not about names, or the value chose a member that has more to say. */
export const explainUnion = (
  { ast }: SchemaIssue.AnyOf,
  value: unknown,
  path: Problem["path"]
): ReadonlyArray<Problem> | null => {
  const names = literalsOf(ast)
  if (names.length === 0 || Array.isArray(value)) return null
  const list =
    names.length > listedMax ? "" : `, expected one of ${names.map((name) => `\`${name}\``).join(", ")}`
  if (typeof value !== "string") {
    return [{ rule: "wrong-type", path, message: `expected a name, not ${quote(value)}${list}` }]
  }
  const { hint, suggested } = didYouMean(value, names)
  return [{ rule: "unknown-code", path, message: `unknown name \`${value}\`${hint || list}`, ...suggested }]
}
