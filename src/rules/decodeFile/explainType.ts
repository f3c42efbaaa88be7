/** Says of a value that it is of another type than the one asked for, and how it is written when only the quotes are wrong. */

import type { SchemaAST } from "effect"
import type { Problem } from "../Problem.ts"

/** A value as the file has it; a long one is cut. */
export const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return `\`${text.length > quoteMax ? `${text.slice(0, quoteMax)}…` : text}\``
}

const quoteMax = 60

const wanted: Readonly<Record<string, string>> = {
  String: "a text",
  Number: "a number",
  Boolean: "true or false",
  Objects: "an object",
  Arrays: "a list"
}

/** What a text says when it stands without its quotes. */
const unquoted = (ast: SchemaAST.AST, value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined
  if (ast._tag === "Number" && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(value)) return value
  return ast._tag === "Boolean" && (value === "true" || value === "false") ? value : undefined
}

export const explainType = (ast: SchemaAST.AST, value: unknown, path: Problem["path"]): Problem => {
  const suggestion = unquoted(ast, value)
  const expected = ast._tag === "Literal" ? quote(ast.literal) : (wanted[ast._tag] ?? "another type")
  return {
    rule: "wrong-type",
    path,
    message: `expected ${expected}, not ${quote(value)}`,
    ...(suggestion === undefined ? {} : { suggestion })
  }
}
