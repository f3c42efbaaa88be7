/** Assembles a report: runs check, cases, diff, proof and backtest, one after the other. */

import { Clock, Effect } from "effect"
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
import { pathFlag } from "../flags.ts"
import { historyFlags, withHistory } from "../evidence/recordedHistory.ts"
import { withProgress } from "../progress.ts"
import { backtestHistory } from "../rules/backtest.ts"
import { openVersion, type Subject } from "../rules/subject.ts"
import type { ComparedVersion, Report } from "./Report.ts"

interface Versions {
  readonly from: string
  readonly to: string
}

/** `command`: its words below the root, for the progress bar. */
export const assembleReport = Effect.fnUntraced(function* (
  command: string,
  subject: Subject,
  versions: Versions,
  options: ReportOptions
) {
  const [from, to] = yield* Effect.all([
    openVersion(subject, versions.from),
    openVersion(subject, versions.to)
  ])
  const answers = yield* answerQuestions(command, subject, from, to)
  const model = comparedVersionOf(subject, to)
  const nowMs = yield* Clock.currentTimeMillis
  const { entries } = readChangelogFile(packageRoot, changelogFile(subject))
  const report: Report = {
    ...answers,
    of: subject.kind,
    from: comparedVersionOf(subject, from),
    to: model,
    date: isoDay(nowMs),
    backtest: yield* backtestOf(subject, versions, options),
    changelog: entries.find(({ version }) => version === model.version) ?? null
  }
  return report
})

const answerQuestions = (command: string, subject: Subject, from: Rulebook, to: Rulebook) =>
  withProgress({ title: command, unit: "answers" }, (progress) => {
    const corpus = readCorpus(packageRoot)
    let done = 0
    const ask = <A>(question: () => A) =>
      // Each question blocks the process, so the bar is drawn between two questions.
      Effect.yieldNow.pipe(
        Effect.andThen(
          Effect.sync(() => {
            const answer = question()
            done += 1
            progress.at(done, done / 5)
            return answer
          })
        )
      )
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

const comparedVersionOf = (subject: Subject, { label, policies, release }: Rulebook): ComparedVersion => {
  const { digest, version } = subject.kind === "rules" ? release.model : policies.policySet
  return { label, version, digest }
}

const checkSubject = (subject: Subject): CheckReport =>
  subject.kind === "rules" ? checkRules(packageRoot) : checkPolicies(packageRoot, subject.set)

const testSubject = (subject: Subject, rulebook: Rulebook): CasesReport =>
  (subject.kind === "rules" ? runCases : runPolicyCases)(packageRoot, rulebook, { coverage: true })

const changelogFile = (subject: Subject): string =>
  subject.kind === "rules" ? "rules/CHANGELOG.md" : `policies/${subject.set}/CHANGELOG.md`

const reportFormatFlag = Flag.Literals("format", ["html", "markdown"]).pipe(
  Flag.withDescription("One page for a browser, or Markdown for a comment on a pull request"),
  Flag.withDefault("html")
)

/** The flags of `rules report` and `policies report`. */
export const reportFlags = {
  ...historyFlags,
  history: historyFlags.history.pipe(Flag.withDefault(null)),
  out: pathFlag("out", "report.html").pipe(
    Flag.withDescription(
      "The file to write, whole or not at all (default: report.html for a page, standard output for Markdown)"
    ),
    Flag.withDefault(null)
  ),
  format: reportFormatFlag
}

export type ReportOptions = Command.Command.Config.Infer<typeof reportFlags>
