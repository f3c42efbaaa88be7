/** The verbs of the command line, as their records describe them. */

import { Effect, Schema } from "effect"
import { everyCommand } from "../../src/cli/docs/page.ts"

export const verbs = await Effect.runPromise(everyCommand)

/** The shape of what a verb prints with `--json`. `words`: `rules check`; or a command line that starts with them. */
export const shapeOf = (words: string): Schema.Codec<unknown> => {
  const found = verbs.find((one) => `${words} `.startsWith(`${one.words.join(" ")} `))
  return (found?.facts.prints ?? Schema.Never) as Schema.Codec<unknown>
}
