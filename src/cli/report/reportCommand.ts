/** `rules report` and `policies report`: everything that a reviewer asks of a change, on one page. */

import { Console, Effect, Option, Schema, Stream } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { type Style, table, terminal, type Terminal } from "../Terminal.ts"
import { wrongUsage } from "../commandFailures.ts"
import { writeWhole } from "../operatorFiles.ts"
import { knownPolicyVersion, policySetArgument, releaseArgument } from "../rules/rulebooks.ts"
import { answersOf, type AnswerState, type Report, type ReportAnswer } from "./Report.ts"
import {
  assembleReport,
  policySubject,
  reportFlags,
  type ReportOptions,
  type ReportSubject,
  ruleSubject
} from "./assemble.ts"
import { reportMarkdown } from "./markdown.ts"

export const reportSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether no answer stands against the change." }),
  from: Schema.String,
  to: Schema.String,
  answers: Schema.Array(
    Schema.Struct({
      section: Schema.Literals(["check", "cases", "changes", "proof", "backtest"]).annotate({
        description: "The section of the page that says more."
      }),
      question: Schema.String,
      state: Schema.Literals(["good", "look", "bad", "none"]).annotate({
        description:
          "`look`: a reviewer should know; `bad`: it stands against the change; `none`: it was not asked."
      }),
      statement: Schema.String
    })
  ),
  out: Schema.String.annotate({ description: "The file that was written." })
})

/** `action-risk rules report <from> <to>`: everything a reviewer asks of a rule change, on one page. */
export const reportRules = Command.make(
  "report",
  {
    from: releaseArgument("from", "The release that is compared with, or draft"),
    to: releaseArgument("to", "The release that may take its place, or draft"),
    ...reportFlags
  },
  ({ from, to, ...options }) => reportCommand(ruleSubject(from, to), options)
).pipe(
  Command.withDescription(
    "Write one page with everything a reviewer asks: check, cases, changes, proof, backtest"
  ),
  Command.withExamples([
    {
      command: "action-risk rules report 1.0.0 draft --history examples/history/december.ndjson",
      description: "A page for the browser, report.html"
    },
    {
      command: "action-risk rules report 1.0.0 draft --format markdown",
      description: "For a comment on a pull request, without a backtest"
    }
  ])
)

/** `action-risk policies report <set> <from> <to>`: everything a reviewer asks of a policy change, on one page. */
const command = "policies report"

const versionArgument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

export const reportPolicies = Command.make(
  "report",
  {
    set: policySetArgument,
    from: versionArgument("from", "The version that is compared with, or draft"),
    to: versionArgument("to", "The version that may take its place, or draft"),
    ...reportFlags
  },
  Effect.fnUntraced(function* ({ from, set, to, ...options }) {
    const before = yield* knownPolicyVersion(command, "from", set, from)
    const after = yield* knownPolicyVersion(command, "to", set, to)
    yield* reportCommand(policySubject(set, before, after), options)
  })
).pipe(
  Command.withDescription(
    "Write one page with everything a reviewer of a policy set asks: check, cases, changes, proof, backtest"
  ),
  Command.withExamples([
    {
      command: "action-risk policies report starter 1.0.0 draft --history examples/history/december.ndjson",
      description: "A page for the browser, report.html"
    },
    {
      command: "action-risk policies report starter 1.0.0 draft --format markdown --out review.md",
      description: "For a comment on a pull request, without a backtest"
    }
  ])
)

/** What `rules report` and `policies report` do: answer everything, write it down, say the answers. */
const reportCommand = Effect.fnUntraced(function* (subject: ReportSubject, options: ReportOptions) {
  const out = Option.getOrElse(options.out, () => (options.format === "html" ? "report.html" : null))
  if (options.json && out === null) return yield* wrongUsage(subject.command, outRequired)
  const report = yield* assembleReport(subject, options)
  const text = options.format === "html" ? yield* renderPage(report) : reportMarkdown(report)
  yield* writeWhole(out, Stream.succeed(Buffer.from(text)))
  if (out === null) return
  const answers = answersOf(report)
  const told: typeof reportSchema.Encoded = {
    ok: answers.every(({ state }) => state !== "bad"),
    from: report.from.label,
    to: report.to.label,
    answers: answers.map(answerJson),
    out
  }
  yield* Console.log(options.json ? JSON.stringify(told, null, 2) : renderAnswers(terminal(), report, out))
})

/** The charts are loaded where a page is drawn, and nowhere else: they are most of what starting would cost. */
const renderPage = (report: Parameters<typeof reportMarkdown>[0]) =>
  Effect.map(
    Effect.promise(() => import("./page.ts")),
    ({ reportPage }) => reportPage(report)
  )

const answerJson = ({ question, section, state, statement }: ReportAnswer) => ({
  section,
  question,
  state,
  statement
})

const outRequired = new CliError.InvalidValue({
  option: "json",
  value: "true",
  expected: "used together with --out, because the Markdown itself goes to standard output",
  kind: "flag"
})

/** The answers of a report in the terminal, and where the rest of it is. */
const stateMarks: Readonly<Record<AnswerState, { readonly text: string; readonly style: Style }>> = {
  good: { text: "✓", style: "green" },
  look: { text: "!", style: "yellow" },
  bad: { text: "✕", style: "red" },
  none: { text: "–", style: "dim" }
}

const renderAnswers = (sheet: Terminal, report: Report, out: string): string =>
  [
    sheet.color("bold", `${report.from.label} → ${report.to.label}`),
    "",
    ...table(
      sheet,
      answersOf(report).map(({ question, state, statement }) => [stateMarks[state], question, statement])
    ),
    "",
    `Everything else is in ${out}`
  ].join("\n")
