/** The shapes of documents printed by `--json`: members have camelCase names in the program and snake_case names in JSON. */

import { Schema } from "effect"
import { modes } from "../domain/Caller.ts"
import { snakeCase, type SnakeCased } from "../rules/files/vocabulary.ts"

/**
 * An object in a document. Members of a value that have no field here are omitted. `named`: members whose JSON name is not the snake_case
 * one.
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

/** Fields with the descriptions shown in docs/cli.md. */
export const string = (description: string) => Schema.String.annotate({ description })
export const int = (description: string) => Schema.Int.annotate({ description })
export const bool = (description: string) => Schema.Boolean.annotate({ description })
export const literals = <const A extends ReadonlyArray<string>>(words: A, description: string) =>
  Schema.Literals(words).annotate({ description })
export const list = <S extends Schema.Constraint>(item: S, description: string) =>
  Schema.Array(item).annotate({ description })
/** A list of objects. The description may be null. */
export const objects = <const Fields extends Schema.Struct.Fields>(
  description: string | null,
  fields: Fields
) => Schema.Array(members(fields)).annotate(description === null ? {} : { description })
export const nullOr = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })
export const optionalKey = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotate({ description })

/** The owner of stored data, as named in documents. */
export const ownerFields = { organization: string("The slug."), mode: Schema.Literals(modes) }

const row = Schema.Struct({ low: Schema.Int, moderate: Schema.Int, high: Schema.Int, critical: Schema.Int })
/** Counts by two levels. */
export const levelCounts = (description: string) =>
  Schema.Struct({ low: row, moderate: row, high: row, critical: row }).annotate({ description })

/** The document for a value. The program created the value, so its figures and texts are not checked again. */
export const documentOf = (shape: Schema.Constraint, value: unknown): unknown =>
  Schema.encodeUnknownSync(shape as Schema.Codec<unknown>)(value, { disableChecks: true })
