/** The shapes of the documents that `--json` prints: members have camelCase names in the program and snake_case names in JSON. */

import { Schema } from "effect"
import { modes } from "../domain/Caller.ts"
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

/** Fields with the descriptions that docs/cli.md shows. */
export const string = (description: string) => Schema.String.annotate({ description })
export const int = (description: string) => Schema.Int.annotate({ description })
export const bool = (description: string) => Schema.Boolean.annotate({ description })
export const literals = <const A extends ReadonlyArray<string>>(words: A, description: string) =>
  Schema.Literals(words).annotate({ description })
export const list = <S extends Schema.Constraint>(item: S, description: string) =>
  Schema.Array(item).annotate({ description })
/** A list of objects, with its description or null. */
export const objects = <const Fields extends Schema.Struct.Fields>(
  description: string | null,
  fields: Fields
) => Schema.Array(members(fields)).annotate(description === null ? {} : { description })
export const nullOr = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })
export const optionalKey = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotate({ description })

/** The owner of what is stored, as the document names it. */
export const ownerFields = { organization: string("The slug."), mode: Schema.Literals(modes) }

const row = Schema.Struct({ low: Schema.Int, moderate: Schema.Int, high: Schema.Int, critical: Schema.Int })
/** Counts by two levels. */
export const levelCounts = (description: string) =>
  Schema.Struct({ low: row, moderate: row, high: row, critical: row }).annotate({ description })

/** The document of a value. The program made the value, so its figures and texts are not checked again. */
export const documentOf = (shape: Schema.Constraint, value: unknown): unknown =>
  Schema.encodeUnknownSync(shape as Schema.Codec<unknown>)(value, { disableChecks: true })
