/** `--rules <v>`: a frozen release, or `draft` for the working files. An unknown one is wrong usage. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { listReleases } from "../../rules/loadRelease.ts"
import { packageRoot } from "../../rules/packageRoot.ts"

const expected = (known: ReadonlyArray<string>, value: string) =>
  new CliError.InvalidValue({ option: "rules", value, expected: `one of ${known.join(", ")}`, kind: "flag" })

export const rulesVersion = (description: string) =>
  Flag.String("rules").pipe(
    Flag.withDescription(description),
    Flag.withMetavar("version|draft"),
    Flag.mapEffect((version) => {
      const known = [...listReleases(packageRoot), "draft"]
      return known.includes(version) ? Effect.succeed(version) : Effect.fail(expected(known, version))
    })
  )
