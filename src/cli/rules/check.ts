/** `rules check` and `policies check`: checks that the files are well-formed and make sense. */

import { Clock, Effect, Schema } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import { isoDay } from "../../domain/Day.ts"
import { checkPolicies, type CheckReport, checkRules } from "../../rules/check/checkFiles.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { wrongUsage } from "../commandFailures.ts"
import { formatFlag, jsonFlag, type OutputOptions, pathArgument } from "../flags.ts"
import { counted } from "../texts.ts"
import { findingSchema, printReport } from "./findings.ts"
import { type Noun, policySetArgument, type VerbHelp } from "./subject.ts"

export const checkSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether nothing was found." }),
  findings: Schema.Array(findingSchema).annotate({ description: "Ascending by file, line and column." }),
  files: Schema.Int.annotate({ description: "How many files were checked." })
})

const paths = pathArgument("paths").pipe(
  Argument.withDescription("Report on these files and folders only; all rule files are read anyway"),
  Argument.variadic()
)
const set = policySetArgument.pipe(Argument.withDefault(undefined))

interface CheckArguments {
  readonly paths?: typeof paths
  readonly set?: typeof set
}

const checkArguments: Readonly<Record<Noun, CheckArguments>> = { rules: { paths }, policies: { set } }

const help: Readonly<Record<Noun, VerbHelp>> = {
  rules: {
    description: "Check that the rule files parse, type-check and make sense",
    examples: [
      { command: "action-risk rules check", description: "All rule files, for people" },
      {
        command: "action-risk rules check rules/factors/volume --format github",
        description: "One folder, as annotations in a pull request"
      },
      { command: "action-risk rules check --format sarif", description: "For a code review tool" }
    ]
  },
  policies: {
    description: "Check that the files of one policy set, or of all, parse, type-check and make sense",
    examples: [
      { command: "action-risk policies check", description: "All policy sets, for people" },
      { command: "action-risk policies check starter --json", description: "One set, for scripts" }
    ]
  }
}

export const checkCommand = (noun: Noun) =>
  Command.make(
    "check",
    { ...checkArguments[noun], format: formatFlag, json: jsonFlag },
    Effect.fnUntraced(function* ({ paths = [], set, ...output }) {
      const below = yield* Effect.forEach(paths, belowRoot)
      const today = isoDay(yield* Clock.currentTimeMillis)
      const report =
        noun === "rules" ? checkRules(packageRoot, below) : checkPolicies(packageRoot, set, today)
      yield* printCheck(`${noun} check`, report, output)
    })
  ).pipe(Command.withDescription(help[noun].description), Command.withExamples(help[noun].examples))

/** The exit code is 1 where the check has findings. */
const printCheck = Effect.fn("cli.printCheck")(function* (
  command: string,
  report: CheckReport,
  output: OutputOptions
) {
  const document: typeof checkSchema.Encoded = report
  yield* printReport(output, {
    ok: report.ok,
    document: () => document,
    page: { command, scope: counted(report.files, "file"), findings: report.findings }
  })
})

const wrongPath = (value: string, expected: string) =>
  Effect.fail(
    wrongUsage(
      "rules check",
      new CliError.InvalidValue({ option: "paths", value, expected, kind: "argument" })
    )
  )

/**
 * A path that the operator typed, in the form in which findings name files: from the root, with `/`.
 * It is resolved against the working directory first, then against the root.
 */
export const belowRoot = (typed: string) => {
  const path = [resolve(typed), resolve(packageRoot, typed)].find((candidate) => existsSync(candidate))
  if (path === undefined) return wrongPath(typed, "a file or folder that exists")
  const below = relative(packageRoot, path).replaceAll("\\", "/")
  return /^rules(?:\/|$)/.test(below)
    ? Effect.succeed(below)
    : wrongPath(typed, "a file or folder under rules/")
}
