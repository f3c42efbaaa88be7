/** The shapes of the documents that `--json` prints: members have camelCase names in the program and snake_case names in JSON. */

import { Schema } from "effect"
import { snakeCase, type SnakeCased } from "../rules/files/vocabulary.ts"

/**
 * An object in a document. The document leaves out the members of a value that have no field here.
 * `named`: members with another name in JSON than the one that snake_case gives them.
 */
export const members = <
  const Fields extends Schema.Struct.Fields,
  const Named extends { readonly [Name in keyof Fields]?: string } = {}
>(
  fields: Fields,
  named?: Named
) => {
  const names = Object.fromEntries(Object.keys(fields).map((name) => [name, snakeCase(name)]))
  // `SnakeCased` computes in types the same names that the line above computes.
  const all = { ...names, ...named } as Omit<SnakeCased<Fields>, keyof Named> & Named
  return Schema.Struct(fields).pipe(Schema.encodeKeys(all))
}

/** The document of a value. The program made the value, so its figures and texts are not checked again. */
export const documentOf = (shape: Schema.Constraint, value: unknown): unknown =>
  Schema.encodeUnknownSync(shape as Schema.Codec<unknown>)(value, { disableChecks: true })
