/** Assembles a report: what it is about, its flags, and one question after the other. */

import { Clock, Effect, Option } from "effect"
import { type Command, Flag } from "effect/cli"
import { availableParallelism } from "node:os"
import type { Read } from "../../rules/Finding.ts"
import { openPolicyRulebook, openRulebook, type Rulebook } from "../../rules/Rulebook.ts"
import type { BacktestSides } from "../../rules/backtest/BacktestSides.ts"
import { type CasesReport, runCases, runPolicyCases } from "../../rules/cases/runCases.ts"
import { checkPolicies, type CheckReport, checkRules } from "../../rules/check/checkFiles.ts"
import { readSampleSituations } from "../../rules/counterexample/sampleSituations.ts"
import { diffRulebooks } from "../../rules/diff/diffRulebooks.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { proveNotLower } from "../../rules/proof/proveNotLower.ts"
import { readChangelogFile } from "../../rules/release/changelog.ts"
import { jsonFlag, pathFlag } from "../flags.ts"
import { withProgress } from "../progress.ts"
import { historyFlags, withHistory } from "../recordedHistory.ts"
import { backtestHistory } from "../rules/backtest.ts"
import { readOrRefuse } from "../rules/rulebooks.ts"
import type { Edition, Report } from "./Report.ts"

const isoDay = 10

export const assembleReport = Effect.fn("report.assemble")(function* (
  subject: ReportSubject,
  options: ReportOptions
) {
  const [from, to] = yield* Effect.all([
    readOrRefuse(subject.open(subject.sides.from)),
    readOrRefuse(subject.open(subject.sides.to))
  ])
  const lifelike = readSampleSituations(packageRoot)
  const edition = subject.edition(to)
  const asked = yield* withProgress({ title: subject.command, unit: "answers" }, (progress) => {
    let done = 0
    const ask = <A>(answer: () => A) =>
      // Each takes the process for a while; between them the bar is drawn.
      Effect.yieldNow.pipe(
        Effect.andThen(
          Effect.sync(() => {
            const given = answer()
            done += 1
            progress.at(done, done / 4)
            return given
          })
        )
      )
    return Effect.all({
      check: ask(subject.check),
      cases: ask(() => subject.test(to)),
      diff: ask(() => diffRulebooks(from, to, lifelike)),
      proof: ask(() => proveNotLower(from, to, lifelike))
    })
  })
  const nowMs = yield* Clock.currentTimeMillis
  const { entries } = readChangelogFile(packageRoot, subject.changelog)
  const report: Report = {
    ...asked,
    of: subject.of,
    from: subject.edition(from),
    to: edition,
    date: new Date(nowMs).toISOString().slice(0, isoDay),
    backtest: yield* backtestOf(subject, options),
    changelog: entries.find(({ version }) => version === edition.version) ?? null
  }
  return report
})

const backtestOf = (subject: ReportSubject, options: ReportOptions) =>
  Option.match(options.history, {
    onNone: () => Effect.succeed(null),
    onSome: (history) =>
      withHistory(subject.command, { ...options, history }, (opened) =>
        backtestHistory(
          { root: packageRoot, ...subject.sides },
          Option.getOrElse(options.jobs, availableParallelism),
          opened
        ).pipe(Effect.map((result) => ({ history: opened.name, result })))
      )
  })

/** `--format` of reports: a page for people, or Markdown for a comment on a pull request. */
const reportFormatFlag = Flag.Literals("format", ["html", "markdown"]).pipe(
  Flag.withDescription("One page for a browser, or Markdown for a comment on a pull request"),
  Flag.withDefault("html")
)

/** The flags of `rules report` and `policies report`. */
export const reportFlags = {
  ...historyFlags,
  history: historyFlags.history.pipe(Flag.optional),
  out: pathFlag("out", "report.html").pipe(
    Flag.withDescription(
      "The file to write, whole or not at all (default: report.html for a page, standard output for Markdown)"
    ),
    Flag.optional
  ),
  format: reportFormatFlag,
  json: jsonFlag
}

export type ReportOptions = Command.Command.Config.Infer<typeof reportFlags>

/** What a report is about: two rulebooks and the files that the second of them came from. */
export interface ReportSubject {
  readonly of: Report["of"]
  /** The words of the command. */
  readonly command: string
  readonly sides: Omit<BacktestSides, "root">
  readonly open: (version: string) => Read<Rulebook>
  readonly edition: (rulebook: Rulebook) => Edition
  readonly check: () => CheckReport
  readonly test: (rulebook: Rulebook) => CasesReport
  readonly changelog: string
}

export const ruleSubject = (from: string, to: string): ReportSubject => ({
  of: "rules",
  command: "rules report",
  sides: { from, to, of: { kind: "rules", policies: null } },
  open: (version) => openRulebook(packageRoot, version),
  edition: ({ label, release: { model } }) => ({ label, version: model.version, digest: model.digest }),
  check: () => checkRules(packageRoot),
  test: (rulebook) => runCases(packageRoot, rulebook, { coverage: true }),
  changelog: "rules/CHANGELOG.md"
})

export const policySubject = (set: string, from: string, to: string): ReportSubject => ({
  of: "policies",
  command: "policies report",
  sides: { from, to, of: { kind: "policies", set } },
  open: (version) => openPolicyRulebook(packageRoot, set, version),
  edition: ({ label, policies: { policySet } }) => ({
    label,
    version: policySet.version,
    digest: policySet.digest
  }),
  check: () => checkPolicies(packageRoot, set),
  test: (rulebook) => runPolicyCases(packageRoot, rulebook, { coverage: true }),
  changelog: `policies/${set}/CHANGELOG.md`
})
