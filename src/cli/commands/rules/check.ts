/** `action-risk rules check [paths…]`: are the rule files well-formed, and do they make sense? */

import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { checkRules } from "../../../rules/check/checkRules.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { pathArgument } from "../../options/path.ts"
import { printCheck } from "../../printCheck.ts"
import { belowRoot } from "./check/belowRoot.ts"

const paths = pathArgument("paths").pipe(
  Argument.withDescription("Report on these files and folders only; all rule files are looked at anyway"),
  Argument.variadic()
)

export const checkRuleFiles = Command.make(
  "check",
  { paths, format, json },
  Effect.fnUntraced(function* ({ paths, ...options }) {
    const below = yield* Effect.forEach(paths, belowRoot)
    yield* printCheck("rules check", checkRules(packageRoot, below), options)
  })
).pipe(
  Command.withDescription("Check that the rule files parse, type-check and make sense"),
  Command.withExamples([
    { command: "action-risk rules check", description: "All rule files, for people" },
    {
      command: "action-risk rules check rules/factors/volume --format github",
      description: "One folder, as annotations in a pull request"
    },
    { command: "action-risk rules check --format sarif", description: "For a code review tool" }
  ])
)
