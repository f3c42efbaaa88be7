/** The keys that an object may have by its schema, as files spell them. */

import type { SchemaAST } from "effect"

/** What the keys of a record must look like, in the words of its schema; undefined where any key may stand. */
export const keyPattern = (ast: SchemaAST.AST): string | undefined => {
  if (ast._tag !== "Objects") return undefined
  const [signature] = ast.indexSignatures
  return signature?.parameter.checks
    ?.map(({ annotations }) => annotations?.["message"])
    .find((message) => typeof message === "string")
}

export const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
