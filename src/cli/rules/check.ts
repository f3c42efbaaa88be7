/** `rules check` and `policies check`: are the files well-formed, and do they make sense? */

import { Console, Effect, Schema } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { checkPolicies, type CheckReport, checkRules } from "../../rules/check/checkFiles.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { FindingsExit, wrongUsage } from "../commandFailures.ts"
import { type Format, formatFlag, jsonFlag, pathArgument } from "../flags.ts"
import { findingSchema, renderFindings } from "./findings.ts"
import { policySetArgument } from "./rulebooks.ts"

export const checkSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether nothing was found." }),
  findings: Schema.Array(findingSchema).annotate({ description: "Ascending by file, line and column." }),
  files: Schema.Int.annotate({ description: "How many files were looked at." })
})

/** `action-risk rules check [paths…]`: are the rule files well-formed, and do they make sense? */
const paths = pathArgument("paths").pipe(
  Argument.withDescription("Report on these files and folders only; all rule files are looked at anyway"),
  Argument.variadic()
)

export const checkRuleFiles = Command.make(
  "check",
  { paths, format: formatFlag, json: jsonFlag },
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

/** A path as the reviewer typed it, as findings name files: from the root, with `/`. */
const wrongPath = (value: string, expected: string) =>
  Effect.fail(
    wrongUsage(
      "rules check",
      new CliError.InvalidValue({ option: "paths", value, expected, kind: "argument" })
    )
  )

/** Taken from the working directory, or else from the root. */
export const belowRoot = (typed: string) => {
  const path = [resolve(typed), resolve(packageRoot, typed)].find((candidate) => existsSync(candidate))
  if (path === undefined) return wrongPath(typed, "a file or folder that exists")
  const below = relative(packageRoot, path).replaceAll("\\", "/")
  return /^rules(?:\/|$)/.test(below)
    ? Effect.succeed(below)
    : wrongPath(typed, "a file or folder under rules/")
}

/** `action-risk policies check [set]`: are the files of the policy sets well-formed, and do they make sense? */
const set = policySetArgument.pipe(Argument.withDefault(undefined))

export const checkPolicyFiles = Command.make(
  "check",
  { set, format: formatFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ set, ...options }) {
    yield* printCheck("policies check", checkPolicies(packageRoot, set), options)
  })
).pipe(
  Command.withDescription(
    "Check that the files of one policy set, or of all, parse, type-check and make sense"
  ),
  Command.withExamples([
    { command: "action-risk policies check", description: "All policy sets, for people" },
    { command: "action-risk policies check starter --json", description: "One set, for scripts" }
  ])
)

/** Prints what a check says, and ends with 1 where it found something. */
interface Options {
  readonly json: boolean
  readonly format: Format
}

const printCheck = Effect.fn("cli.printCheck")(function* (
  command: string,
  report: CheckReport,
  { format, json }: Options
) {
  const document: typeof checkSchema.Encoded = report
  const scope = `${report.files} ${report.files === 1 ? "file" : "files"}`
  yield* Console.log(
    json
      ? JSON.stringify(document, null, 2)
      : renderFindings(format, { command, scope, findings: report.findings }, packageRoot)
  )
  if (!report.ok) return yield* new FindingsExit()
})
