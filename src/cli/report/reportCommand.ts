/** `rules report` and `policies report`: write a page that answers a reviewer's questions about a change. */

import { Clock, Effect, Schema, Stream } from "effect"
import { type Command, Flag } from "effect/cli"
import { isoDay } from "../../domain/Day.ts"
import type { Rulebook } from "../../rules/Rulebook.ts"
import { type CasesReport, runCases, runPolicyCases } from "../../rules/cases/runCases.ts"
import { checkPolicies, type CheckReport, checkRules } from "../../rules/check/checkFiles.ts"
import { readCorpus } from "../../rules/corpus/Corpus.ts"
import { compareKnowledge } from "../../rules/corpus/compareKnowledge.ts"
import { diffRulebooks } from "../../rules/diff/diffRulebooks.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { proveNotLower } from "../../rules/proof/proveNotLower.ts"
import { readChangelogFile } from "../../rules/release/changelog.ts"
import { type Style, table, type Terminal } from "../Terminal.ts"
import { wrongFlag } from "../commandFailures.ts"
import { historyFlags, withHistory } from "../evidence/recordedHistory.ts"
import { databaseSettings, elseNull, flagOr, pathFlag } from "../flags.ts"
import { bool, literals, members, objects, string } from "../jsonShapes.ts"
import { writeWhole } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import { backtestHistory } from "../rules/backtest.ts"
import {
  type Noun,
  openVersions,
  ruleFiles,
  type Subject,
  type Versions,
  subjectArguments,
  versionArguments
} from "../rules/subject.ts"
import { verb, type VerbHelp } from "../verb.ts"
import { answersOf, type AnswerState, type ComparedVersion, type Report } from "./Report.ts"
import { reportMarkdown } from "./markdown.ts"

export const reportShape = members({
  ok: bool("Whether no answer is `bad`."),
  from: Schema.String,
  to: Schema.String,
  answers: objects(null, {
    section: literals(
      ["check", "cases", "changes", "proof", "backtest"],
      "The section of the page with the details."
    ),
    question: Schema.String,
    state: literals(
      ["good", "look", "bad", "none"],
      "`look`: a reviewer should read it; `bad`: a reason against the change; `none`: not evaluated."
    ),
    statement: Schema.String
  }),
  out: string("The file that was written.")
})

const help: Readonly<Record<Noun, VerbHelp & Versions>> = {
  rules: {
    from: "The release to compare with, or draft",
    to: "The release that may replace it, or draft",
    about: "Write one page with everything that a reviewer needs: check, cases, changes, proof, backtest",
    fails:
      "the rules or the history cannot be read, or the file cannot be written; the findings of the report do not change the exit code",
    reads: `with \`--history database\`: ${databaseSettings}`,
    examples: {
      "1.0.0 draft --history examples/history/december.ndjson": "A page for the browser, report.html",
      "1.0.0 draft --format markdown": "For a comment on a pull request, without a backtest"
    }
  },
  policies: {
    from: "The version to compare with, or draft",
    to: "The version that may replace it, or draft",
    about:
      "Write one page with everything that a reviewer of a policy set needs: check, cases, changes, proof, backtest",
    fails:
      "the policies or the history cannot be read, or the file cannot be written; the findings of the report do not change the exit code",
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
      ...versionArguments(noun, help[noun].from, help[noun].to),
      ...reportFlags
    },
    prints: reportShape,
    run: Effect.fnUntraced(function* ({ from, subject = ruleFiles, to, ...options }, command) {
      const { format, json } = options
      const out = options.out ?? (format === "html" ? "report.html" : null)
      if (json && out === null) return yield* outRequired
      const report = yield* assembleReport(command, subject, { from, to }, options)
      // The charts are loaded only to draw a page, because loading them takes longer than everything else at startup.
      const page = Effect.promise(async () => (await import("./page.ts")).reportPage(report))
      const text = format === "html" ? yield* page : reportMarkdown(report)
      yield* writeWhole(out, Stream.succeed(Buffer.from(text)))
      if (out === null) return
      const answers = answersOf(report)
      return {
        json: () => ({
          // The exit code is 0 whatever the answers are.
          ok: answers.every(({ state }) => state !== "bad"),
          from: report.from.label,
          to: report.to.label,
          answers,
          out
        }),
        text: (screen) => renderAnswers(screen, report, out)
      }
    })
  })

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

/** `command`: its words after the program's name, for the progress bar. */
const assembleReport = Effect.fnUntraced(function* (
  command: string,
  subject: Subject,
  versions: Versions,
  options: ReportOptions
) {
  const { from, to } = yield* openVersions(subject, versions)
  const answers = yield* answerQuestions(command, subject, from, to)
  const compared = comparedVersionOf(subject, to)
  const { entries } = readChangelogFile(packageRoot, changelogFile(subject))
  const report: Report = {
    ...answers,
    of: subject.kind,
    from: comparedVersionOf(subject, from),
    to: compared,
    date: isoDay(yield* Clock.currentTimeMillis),
    backtest: yield* backtestOf(subject, versions, options),
    changelog: entries.find(({ version }) => version === compared.version) ?? null
  }
  return report
})

const answerQuestions = (command: string, subject: Subject, from: Rulebook, to: Rulebook) =>
  withProgress({ title: command, unit: "answers" }, ({ at }) => {
    const corpus = readCorpus(packageRoot)
    let done = 0
    // Each question blocks the process, so the bar is drawn between two questions.
    const ask = <A>(question: () => A) =>
      Effect.map(Effect.yieldNow, () => {
        const answer = question()
        at(++done, done / 5)
        return answer
      })
    return Effect.gen(function* () {
      const check = yield* ask(() => checkSubject(subject))
      const cases = yield* ask(() => testSubject(subject, to))
      const knowledge = yield* ask(() => compareKnowledge({ from, to }, corpus.calls))
      const diff = yield* ask(() => diffRulebooks(from, to, corpus, knowledge))
      const proof = yield* ask(() => proveNotLower(from, to, corpus, knowledge))
      return { check, cases, diff, proof }
    })
  })

const backtestOf = (subject: Subject, versions: Versions, { history, ...options }: ReportOptions) =>
  history === null
    ? Effect.succeed(null)
    : withHistory({ ...options, history }, (opened) =>
        backtestHistory(
          {
            root: packageRoot,
            ...versions,
            of: subject.kind === "rules" ? { kind: "rules", policies: null } : subject
          },
          options.jobs,
          opened
        ).pipe(Effect.map((result) => ({ history: opened.name, result })))
      )

const comparedVersionOf = (subject: Subject, { label, policies, release }: Rulebook): ComparedVersion => ({
  ...(subject.kind === "rules" ? release.model : policies.policySet),
  label
})

const checkSubject = (subject: Subject): CheckReport =>
  subject.kind === "rules" ? checkRules(packageRoot) : checkPolicies(packageRoot, subject.set)

const testSubject = (subject: Subject, rulebook: Rulebook): CasesReport =>
  (subject.kind === "rules" ? runCases : runPolicyCases)(packageRoot, rulebook, { coverage: true })

const changelogFile = (subject: Subject): string =>
  subject.kind === "rules" ? "rules/CHANGELOG.md" : `policies/${subject.set}/CHANGELOG.md`

const reportFlags = {
  ...historyFlags,
  history: historyFlags.history.pipe(Flag.withDefault(null)),
  out: elseNull(
    pathFlag("out", "report.html"),
    "The file to write; no partial file is left behind (default: report.html for a page, standard output for Markdown)"
  ),
  format: flagOr(
    Flag.Literals("format", ["html", "markdown"]),
    "html",
    "One page for a browser, or Markdown for a comment on a pull request"
  )
}

type ReportOptions = Command.Command.Config.Infer<typeof reportFlags>
