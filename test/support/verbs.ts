/** The verbs of the command line, as their records describe them. */

import { Effect, Schema } from "effect"
import { everyCommand } from "../../cliPage.ts"
import { documentOf } from "../../src/cli/jsonShapes.ts"

export const verbs = await Effect.runPromise(everyCommand)

/** The shape of what a verb prints with `--json`. `words`: `rules check`; or a command line that starts with them. */
export const shapeOf = (words: string): Schema.Codec<unknown> => {
  const found = verbs.find((one) => `${words} `.startsWith(`${one.words.join(" ")} `))
  return (found?.facts.prints ?? Schema.Never) as Schema.Codec<unknown>
}

/** The JSON that a verb printed, after a check that it has exactly its shape. */
export const documentIn = <S extends Schema.Codec<unknown, unknown>>(
  shape: S,
  stdout: string
): S["Encoded"] => {
  const document = JSON.parse(stdout)
  Schema.decodeUnknownSync(shape, { onExcessProperty: "error" })(document)
  return document
}

/** The JSON that a verb prints of a value. */
export const printedOf = <S extends Schema.Codec<unknown, unknown>>(
  shape: S,
  value: S["Type"]
): S["Encoded"] => JSON.parse(JSON.stringify(documentOf(shape, value)))
