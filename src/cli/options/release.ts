/** `<v>` of the rule commands: a frozen release, or `draft` for the working files. An unknown one is wrong usage. */

import { Effect } from "effect"
import { Argument, CliError } from "effect/cli"
import { listReleases } from "../../rules/loadRelease.ts"
import { packageRoot } from "../../rules/packageRoot.ts"

export const release = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(description),
    Argument.mapEffect((version) => {
      const known = [...listReleases(packageRoot), "draft"]
      return known.includes(version)
        ? Effect.succeed(version)
        : Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: version,
              expected: `one of ${known.join(", ")}`,
              kind: "argument"
            })
          )
    })
  )
