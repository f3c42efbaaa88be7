/** A path as the reviewer typed it, as findings name files: from the root, with `/`. */

import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { Effect } from "effect"
import { CliError } from "effect/cli"
import { packageRoot } from "../../../../rules/packageRoot.ts"
import { wrongUsage } from "../../../wrongUsage.ts"

const wrong = (value: string, expected: string) =>
  Effect.fail(
    wrongUsage(
      "rules check",
      new CliError.InvalidValue({ option: "paths", value, expected, kind: "argument" })
    )
  )

/** Taken from the working directory, or else from the root. */
export const belowRoot = (typed: string) => {
  const path = [resolve(typed), resolve(packageRoot, typed)].find((candidate) => existsSync(candidate))
  if (path === undefined) return wrong(typed, "a file or folder that exists")
  const below = relative(packageRoot, path).replaceAll("\\", "/")
  return /^rules(?:\/|$)/.test(below) ? Effect.succeed(below) : wrong(typed, "a file or folder under rules/")
}
