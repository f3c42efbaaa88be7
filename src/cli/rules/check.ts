/** `rules check` and `policies check`: check that the files are well-formed and make sense. */

import { Clock, Effect } from "effect"
import { Argument } from "effect/cli"
import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { isoDay } from "../../domain/Day.ts"
import { checkPolicies, checkRules } from "../../rules/check/checkFiles.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { wrongArgument } from "../commandFailures.ts"
import { formatFlag, pathArgument } from "../flags.ts"
import { counted } from "../texts.ts"
import { bool, int, list, members } from "../jsonShapes.ts"
import { Found, inFormat } from "./findings.ts"
import { type Noun, policySetArgument } from "./subject.ts"
import { verb, type NounHelp } from "../verb.ts"

const checkShape = members({
  ok: bool("True if nothing was found."),
  findings: list(Found, "Ascending by file, line and column."),
  files: int("How many files were checked.")
})

const paths = pathArgument(
  "paths",
  "Report on these files and folders only; all rule files are read anyway"
).pipe(Argument.variadic())
const set = policySetArgument.pipe(Argument.withDefault(undefined))

interface CheckArguments {
  readonly paths?: typeof paths
  readonly set?: typeof set
}

const checkArguments: Readonly<Record<Noun, CheckArguments>> = { rules: { paths }, policies: { set } }

const help: Readonly<Record<Noun, NounHelp>> = {
  rules: {
    about: "Check that the rule files parse, type-check and make sense",
    examples: {
      "": "All rule files, for people",
      "rules/factors/volume --format github": "One folder, as annotations in a pull request",
      "--format sarif": "For a code review tool"
    }
  },
  policies: {
    about: "Check that the files of one policy set, or of all, parse, type-check and make sense",
    examples: {
      "": "All policy sets, for people",
      "starter --json": "One set, for scripts"
    }
  }
}

export const checkVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    fails: "there are findings",
    takes: { ...checkArguments[noun], format: formatFlag },
    prints: checkShape,
    isBlocking: true,
    run: Effect.fnUntraced(function* ({ format, paths = [], set }, command) {
      const below = yield* Effect.forEach(paths, belowRoot)
      const today = isoDay(yield* Clock.currentTimeMillis)
      const report =
        noun === "rules" ? checkRules(packageRoot, below) : checkPolicies(packageRoot, set, today)
      return inFormat(format, {
        ok: report.ok,
        json: () => report,
        page: { command, scope: counted(report.files, "file"), findings: report.findings }
      })
    })
  })

/**
 * A path typed by the operator, in the form in which findings name files: relative to the root, with `/`. It is resolved against the
 * working directory first, then against the root.
 */
export const belowRoot = (typed: string) => {
  const path = [resolve(typed), resolve(packageRoot, typed)].find((candidate) => existsSync(candidate))
  if (path === undefined) return wrongArgument("paths", typed, "a file or folder that exists")
  const below = relative(packageRoot, path).replaceAll("\\", "/")
  return /^rules(?:\/|$)/.test(below)
    ? Effect.succeed(below)
    : wrongArgument("paths", typed, "a file or folder under rules/")
}
