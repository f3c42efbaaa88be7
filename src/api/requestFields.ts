/** The kinds of fields that request bodies are made of, each with the words that say what is wrong with one. */

import { Schema } from "effect"

/** `isMaxLength` counts UTF-16 units, the service counts code points as JSON Schema does: hence the own check. */
export const text = (max: number, description: string) =>
  Schema.String.annotate({ message: "must be a string" })
    .check(
      Schema.makeFilter((value: string) => value.length <= max || [...value].length <= max, {
        message: `must have at most ${max.toLocaleString("en-US")} characters`,
        toJsonSchema: () => ({ maxLength: max })
      })
    )
    .annotate({ description })

export const oneOf = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Schema.Literals(names).annotate({ message: `must be one of ${names.join(", ")}` })

export const flag = (description: string) =>
  Schema.Boolean.annotate({ message: "must be true or false", description })
