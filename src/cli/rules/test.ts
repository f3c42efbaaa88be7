/** `rules test` and `policies test`: do all cases hold, and what of the rules does no case reach? */

import { Console, Effect, Result, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { openRulebook } from "../../rules/Rulebook.ts"
import type { Coverage } from "../../rules/cases/coverage.ts"
import {
  type CaseGroup,
  type CasesReport,
  reportWithoutRun,
  runCases,
  runPolicyCases
} from "../../rules/cases/runCases.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { loadPolicyVersion } from "../../rules/policies/loadPolicySet.ts"
import { headings, type Row, table, terminal, type Terminal } from "../Terminal.ts"
import { FindingsExit } from "../commandFailures.ts"
import { type Format, formatFlag, jsonFlag } from "../flags.ts"
import { findingSchema, renderFindings } from "./findings.ts"
import { policySetArgument, rulebookOrServed, rulesFlag } from "./rulebooks.ts"

const reachedFields = {
  reachable: Schema.Int.annotate({
    description: "Each rule, each question answered yes and no, each threshold from both sides."
  }),
  reached: Schema.Int,
  percent: Schema.Int.annotate({ description: "Rounded down: 100 only where everything is reached." })
}

export const testSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether there are cases and all of them hold, and no gaps." }),
  findings: Schema.Array(findingSchema).annotate({
    description: "Each failing case at its expectation; with --coverage also each gap. By file and line."
  }),
  cases: Schema.Struct({ total: Schema.Int, failed: Schema.Int }),
  groups: Schema.Array(
    Schema.Struct({
      of: Schema.String.annotate({
        description: "A factor's code, a typology's name, a policy rule's id, or calibration."
      }),
      file: Schema.String,
      cases: Schema.Int,
      failed: Schema.Int
    })
  ),
  coverage: Schema.optionalKey(
    Schema.Struct({
      ...reachedFields,
      codes: Schema.Array(Schema.Struct({ code: Schema.String, file: Schema.String, ...reachedFields })),
      gaps: Schema.Array(
        Schema.Struct({
          kind: Schema.Literals(["rule", "atom", "boundary"]),
          code: Schema.String,
          rule: Schema.String.annotate({ description: "The rule's own name." }),
          message: Schema.String
        })
      )
    })
  ).annotate({ description: "What the cases beside each file reach of its rules; with --coverage." })
})

/** Prints what running cases gave, and ends with 1 where one fails or, with coverage, something is not reached. */
const coverageFlag = Flag.Boolean("coverage").pipe(
  Flag.withDescription("Also find the rules, answers and thresholds that no case of their own reaches"),
  Flag.withDefault(false),
  Flag.withoutNegation
)

const casesJson = ({ coverage, ...report }: CasesReport): typeof testSchema.Encoded => ({
  ...report,
  ...(coverage === undefined
    ? {}
    : {
        coverage: {
          ...coverage,
          gaps: coverage.gaps.map(({ code, kind, message, rule }) => ({ kind, code, rule, message }))
        }
      })
})

const scopeOf = ({ cases: { failed, total } }: CasesReport): string => {
  if (total === 0) return "no cases were run"
  return `${total} ${total === 1 ? "case" : "cases"}, ${failed === 0 ? "all hold" : `${failed} failed`}`
}

interface Options {
  readonly json: boolean
  readonly format: Format
}

const printCases = Effect.fn("cli.printCases")(function* (
  command: string,
  report: CasesReport,
  { format, json }: Options
) {
  const { total } = report.cases
  const scope = scopeOf(report)
  const page = { command, scope, findings: report.findings }
  if (json) yield* Console.log(JSON.stringify(casesJson(report), null, 2))
  else {
    if (format === "pretty" && total > 0) yield* Console.log(`${casesTable(terminal(), report).join("\n")}\n`)
    yield* Console.log(renderFindings(format, page, packageRoot))
  }
  if (!report.ok) return yield* new FindingsExit()
})

/** `action-risk rules test`: do all cases hold, and what of the rules does no case reach? */
const testedRelease = rulesFlag(
  "Which release the working cases are run against; else the working files"
).pipe(Flag.withDefault("draft"))

export const testRules = Command.make(
  "test",
  { coverage: coverageFlag, rules: testedRelease, format: formatFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ rules, ...options }) {
    const report = Result.match(openRulebook(packageRoot, rules), {
      onFailure: (findings) => reportWithoutRun(packageRoot, findings),
      onSuccess: (book) => runCases(packageRoot, book, options)
    })
    yield* printCases("rules test", report, options)
  })
).pipe(
  Command.withDescription("Run every case and the calibration through the whole score"),
  Command.withExamples([
    { command: "action-risk rules test", description: "Do all cases hold?" },
    {
      command: "action-risk rules test --coverage",
      description: "And what of the rules does no case reach?"
    },
    {
      command: "action-risk rules test --rules 1.0.0 --format github",
      description: "The working cases against a release, as annotations in a pull request"
    }
  ])
)

/** `action-risk policies test <set>`: do the cases of a policy set hold, and what of its rules does no case reach? */
const scoringRelease = rulesFlag("Which release scores; else RULES_VERSION or the newest").pipe(
  Flag.withDefault(null)
)

export const testPolicies = Command.make(
  "test",
  {
    set: policySetArgument,
    coverage: coverageFlag,
    rules: scoringRelease,
    format: formatFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ rules, set, ...options }) {
    const { release } = yield* rulebookOrServed(rules)
    const report = Result.match(loadPolicyVersion(packageRoot, set, "draft"), {
      onFailure: (findings) => reportWithoutRun(packageRoot, findings),
      onSuccess: (policies) =>
        runPolicyCases(packageRoot, { label: `${set}@draft`, release, policies }, options)
    })
    yield* printCases("policies test", report, options)
  })
).pipe(
  Command.withDescription("Run every case of a policy set's working folder through the whole score"),
  Command.withExamples([
    { command: "action-risk policies test starter", description: "Do all cases hold?" },
    {
      command: "action-risk policies test starter --coverage --format markdown",
      description: "And what of the rules does no case reach, for a pull request"
    }
  ])
)

/** How many cases each file has and how many fail; with coverage, how much of its rules they reach. */
const figure = (count: number, style: "plain" | "red" = "plain") =>
  ({ text: String(count), align: "right", style }) as const

type Reached = Pick<Coverage, "percent" | "reachable" | "reached">

const shareCells = ({ percent, reachable, reached }: Reached): Row => {
  const style = reached === reachable ? "green" : "yellow"
  return [
    { text: `${percent} %`, align: "right", style },
    { text: `${reached} of ${reachable}`, style }
  ]
}

export const casesTable = (
  sheet: Terminal,
  { cases, coverage, groups }: CasesReport
): ReadonlyArray<string> => {
  const reachedBy = ({ of }: CaseGroup): Row => {
    const own = coverage?.codes.find(({ code }) => code === of)
    if (own !== undefined) return shareCells(own)
    return coverage === undefined ? [] : ["", ""]
  }
  const rows = groups.map((group): Row => [
    group.of,
    figure(group.cases),
    figure(group.failed, group.failed > 0 ? "red" : "plain"),
    ...reachedBy(group)
  ])
  const sum: Row = [
    { text: "together", style: "bold" },
    figure(cases.total),
    figure(cases.failed, cases.failed > 0 ? "red" : "plain"),
    ...(coverage === undefined ? [] : shareCells(coverage))
  ]
  const head = headings("cases beside", "cases", "failed", ...(coverage === undefined ? [] : ["", "reached"]))
  return table(sheet, [head, ...rows, sum], 0)
}
