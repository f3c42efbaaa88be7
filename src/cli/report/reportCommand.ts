/** `rules report` and `policies report`: write one page that answers a reviewer's questions about a change. */

import { Effect, Schema, Stream } from "effect"
import { type Style, table, currentTerminal, type Terminal } from "../Terminal.ts"
import { wrongFlag } from "../commandFailures.ts"
import { writeWhole } from "../operatorFiles.ts"
import { checkVersions, type Noun, ruleFiles, subjectArguments, versionArgument } from "../rules/subject.ts"
import { answersOf, type AnswerState, type Report } from "./Report.ts"
import { assembleReport, reportFlags } from "./assemble.ts"
import { reportMarkdown } from "./markdown.ts"
import { verb, type VerbHelp } from "../verb.ts"
import { databaseSettings } from "../flags.ts"

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
    about: "Write one page with everything a reviewer asks: check, cases, changes, proof, backtest",
    fails:
      "the rules or the history cannot be read, or the file cannot be written; it ends with 0 whatever the report says",
    reads: `with \`--history database\`: ${databaseSettings}`,
    examples: {
      "1.0.0 draft --history examples/history/december.ndjson": "A page for the browser, report.html",
      "1.0.0 draft --format markdown": "For a comment on a pull request, without a backtest"
    }
  },
  policies: {
    from: "The version that is compared with, or draft",
    to: "The version that may take its place, or draft",
    about:
      "Write one page with everything a reviewer of a policy set asks: check, cases, changes, proof, backtest",
    fails:
      "the policies or the history cannot be read, or the file cannot be written; it ends with 0 whatever the report says",
    reads: `with \`--history database\`: ${databaseSettings}`,
    examples: {
      "starter 1.0.0 draft --history examples/history/december.ndjson": "A page for the browser, report.html",
      "starter 1.0.0 draft --format markdown --out review.md":
        "For a comment on a pull request, without a backtest"
    }
  }
}

export const reportVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    takes: {
      ...subjectArguments[noun],
      from: versionArgument(noun, "from", help[noun].from),
      to: versionArgument(noun, "to", help[noun].to),
      ...reportFlags
    },
    prints: reportSchema,
    run: Effect.fnUntraced(function* ({ from, subject = ruleFiles, to, ...options }, command) {
      yield* checkVersions(subject, { from, to })
      const { format, json } = options
      const out = options.out ?? (format === "html" ? "report.html" : null)
      if (json && out === null) return yield* outRequired
      const report = yield* assembleReport(command, subject, { from, to }, options)
      const text = format === "html" ? yield* renderPage(report) : reportMarkdown(report)
      yield* writeWhole(out, Stream.succeed(Buffer.from(text)))
      if (out === null) return
      const answers = answersOf(report)
      return {
        json: () => ({
          // The exit code is 0 for any answers.
          ok: answers.every(({ state }) => state !== "bad"),
          from: report.from.label,
          to: report.to.label,
          answers,
          out
        }),
        text: () => renderAnswers(currentTerminal(), report, out)
      }
    })
  })

/** The charts are loaded only when a page is drawn: loading them costs more than everything else at the start. */
const renderPage = (report: Report) =>
  Effect.map(
    Effect.promise(() => import("./page.ts")),
    ({ reportPage }) => reportPage(report)
  )

const outRequired = wrongFlag(
  "json",
  "true",
  "used together with --out, because the Markdown itself goes to standard output"
)

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
