/** `rules report` and `policies report`: write one page that answers a reviewer's questions about a change. */

import { Console, Effect, Option, Schema, Stream } from "effect"
import { CliError, Command } from "effect/cli"
import { type Style, table, currentTerminal, type Terminal } from "../Terminal.ts"
import { wrongUsage } from "../commandFailures.ts"
import { writeWhole } from "../operatorFiles.ts"
import {
  checkVersions,
  type Noun,
  ruleFiles,
  type Subject,
  subjectArguments,
  type VerbHelp,
  versionArgument
} from "../rules/subject.ts"
import { answersOf, type AnswerState, type Report, type ReportAnswer } from "./Report.ts"
import { assembleReport, reportFlags, type ReportOptions } from "./assemble.ts"
import { reportMarkdown } from "./markdown.ts"

export const reportSchema = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether no answer is `bad`." }),
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
          "`look`: a reviewer should read it; `bad`: it speaks against the change; `none`: it was not asked."
      }),
      statement: Schema.String
    })
  ),
  out: Schema.String.annotate({ description: "The file that was written." })
})

interface ReportHelp extends VerbHelp {
  readonly from: string
  readonly to: string
}

const help: Readonly<Record<Noun, ReportHelp>> = {
  rules: {
    from: "The release that is compared with, or draft",
    to: "The release that may take its place, or draft",
    description: "Write one page with everything a reviewer asks: check, cases, changes, proof, backtest",
    examples: [
      {
        command: "action-risk rules report 1.0.0 draft --history examples/history/december.ndjson",
        description: "A page for the browser, report.html"
      },
      {
        command: "action-risk rules report 1.0.0 draft --format markdown",
        description: "For a comment on a pull request, without a backtest"
      }
    ]
  },
  policies: {
    from: "The version that is compared with, or draft",
    to: "The version that may take its place, or draft",
    description:
      "Write one page with everything a reviewer of a policy set asks: check, cases, changes, proof, backtest",
    examples: [
      {
        command: "action-risk policies report starter 1.0.0 draft --history examples/history/december.ndjson",
        description: "A page for the browser, report.html"
      },
      {
        command: "action-risk policies report starter 1.0.0 draft --format markdown --out review.md",
        description: "For a comment on a pull request, without a backtest"
      }
    ]
  }
}

export const reportCommand = (noun: Noun) =>
  Command.make(
    "report",
    {
      ...subjectArguments[noun],
      from: versionArgument(noun, "from", help[noun].from),
      to: versionArgument(noun, "to", help[noun].to),
      ...reportFlags
    },
    Effect.fnUntraced(function* ({ from, subject = ruleFiles, to, ...options }) {
      const command = `${noun} report`
      yield* checkVersions(subject, command, { from, to })
      yield* writeReport(command, subject, { from, to }, options)
    })
  ).pipe(Command.withDescription(help[noun].description), Command.withExamples(help[noun].examples))

/** The exit code is 0 whatever the answers are. */
const writeReport = Effect.fnUntraced(function* (
  command: string,
  subject: Subject,
  versions: { readonly from: string; readonly to: string },
  options: ReportOptions
) {
  const out = Option.getOrElse(options.out, () => (options.format === "html" ? "report.html" : null))
  if (options.json && out === null) return yield* wrongUsage(command, outRequired)
  const report = yield* assembleReport(command, subject, versions, options)
  const text = options.format === "html" ? yield* renderPage(report) : reportMarkdown(report)
  yield* writeWhole(out, Stream.succeed(Buffer.from(text)))
  if (out === null) return
  const answers = answersOf(report)
  const document: typeof reportSchema.Encoded = {
    ok: answers.every(({ state }) => state !== "bad"),
    from: report.from.label,
    to: report.to.label,
    answers: answers.map(answerJson),
    out
  }
  yield* Console.log(
    options.json ? JSON.stringify(document, null, 2) : renderAnswers(currentTerminal(), report, out)
  )
})

/** The charts are loaded only when a page is drawn: loading them costs more than everything else at the start. */
const renderPage = (report: Report) =>
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

const stateMarks: Readonly<Record<AnswerState, { readonly text: string; readonly style: Style }>> = {
  good: { text: "✓", style: "green" },
  look: { text: "!", style: "yellow" },
  bad: { text: "✕", style: "red" },
  none: { text: "–", style: "dim" }
}

const renderAnswers = (screen: Terminal, report: Report, out: string): string =>
  [
    screen.color("bold", `${report.from.label} → ${report.to.label}`),
    "",
    ...table(
      screen,
      answersOf(report).map(({ question, state, statement }) => [stateMarks[state], question, statement])
    ),
    "",
    `Everything else is in ${out}`
  ].join("\n")
