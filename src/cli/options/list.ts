/** A flag that takes several of a few words, with commas between them. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"

/** In the order of `words`, each once. */
export const list = <const A extends string>(name: string, words: ReadonlyArray<A>) =>
  Flag.String(name).pipe(
    Flag.withMetavar(words.join(",")),
    Flag.mapEffect((text) => {
      const given = text.split(",").map((word) => word.trim())
      const unknown = given.find((word) => !words.some((known) => known === word))
      return unknown === undefined
        ? Effect.succeed(words.filter((word) => given.includes(word)))
        : Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: text,
              expected: `some of ${words.join(", ")}, with commas between them`,
              kind: "flag"
            })
          )
    })
  )
