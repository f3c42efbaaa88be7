/** `--min <percent>`: from where on enough mutants are killed. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { mutantsKilledPercentMin } from "../../Limits.ts"

export const percentMin = Flag.Int("min").pipe(
  Flag.withDescription(
    `How many percent of the mutants the cases must kill; else ${mutantsKilledPercentMin}`
  ),
  Flag.withMetavar("percent"),
  Flag.mapEffect((percent) =>
    percent >= 0 && percent <= 100
      ? Effect.succeed(percent)
      : Effect.fail(
          new CliError.InvalidValue({
            option: "min",
            value: String(percent),
            expected: "a whole number from 0 to 100",
            kind: "flag"
          })
        )
  ),
  Flag.withDefault(mutantsKilledPercentMin)
)
