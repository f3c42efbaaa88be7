/** A struct that is written in snake_case in rule files and read in camelCase in code. */

import { Schema } from "effect"

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : S

type SnakeCased<Fields> = { readonly [K in keyof Fields]: K extends string ? SnakeCase<K> : K }

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const fileStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const names = Object.fromEntries(Object.keys(fields).map((name) => [name, snakeCase(name)]))
  // The type computes the same names that the line above does.
  return Schema.Struct(fields).pipe(Schema.encodeKeys(names as SnakeCased<Fields>))
}
