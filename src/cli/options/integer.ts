/** A flag that takes a whole number between two others. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"

/** `expected` completes the sentence "expected …". */
export const integer = (
  name: string,
  min: number,
  max: number,
  expected = `a whole number from ${min} to ${max}`
) =>
  Flag.Int(name).pipe(
    Flag.mapEffect((value) =>
      value >= min && value <= max
        ? Effect.succeed(value)
        : Effect.fail(
            new CliError.InvalidValue({ option: name, value: String(value), expected, kind: "flag" })
          )
    )
  )
