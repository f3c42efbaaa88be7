/** `rules backtest` and `policies backtest`: what a change would have changed on recorded assessments. */

import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { availableParallelism } from "node:os"
import { historyUnreadableMax } from "../../limits.ts"
import type { LocatedFinding } from "../../rules/Finding.ts"
import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import { type BacktestSides, openBacktestSides } from "../../rules/backtest/BacktestSides.ts"
import { type BacktestOutcome, runBacktest } from "../../rules/backtest/runBacktest.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { terminal } from "../Terminal.ts"
import { FindingsExit } from "../commandFailures.ts"
import { type Format, formatFlag, jsonFlag } from "../flags.ts"
import { refuseFile } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import { type History, historyFlags, type HistoryOptions, withHistory } from "../recordedHistory.ts"
import { backtestJson, isClean } from "./backtestJson.ts"
import { actionName, factorMoveText, renderBacktest } from "./backtestView.ts"
import { renderFindings } from "./findings.ts"
import {
  knownPolicyVersion,
  policiesFlagFor,
  policySetArgument,
  readOrRefuse,
  releaseArgument
} from "./rulebooks.ts"

const policies = policiesFlagFor("Score every record with this policy set instead of the one it names").pipe(
  Flag.optional
)

export const backtestRules = Command.make(
  "backtest",
  {
    from: releaseArgument("from", "The release that records are compared with, or draft"),
    to: releaseArgument("to", "The release that may take its place, or draft"),
    ...historyFlags,
    policies,
    format: formatFlag,
    json: jsonFlag
  },
  ({ from, policies, to, ...options }) =>
    backtestCommand(
      "rules backtest",
      { from, to, of: { kind: "rules", policies: Option.getOrNull(policies) } },
      options
    )
).pipe(
  Command.withDescription(
    "Score recorded assessments under two rule releases and show what moves, falls first"
  ),
  Command.withExamples([
    {
      command: "action-risk rules backtest 1.0.0 draft --history examples/history/december.ndjson",
      description: "The working files against the first release"
    },
    {
      command: "action-risk rules backtest 1.0.0 draft --history database --org acme --mode live",
      description: "On everything that is stored for an organization"
    },
    {
      command: "action-risk rules backtest 1.0.0 draft --history - --json",
      description: "From a pipe, for scripts"
    }
  ])
)

/** `action-risk policies backtest <set> <from> <to>`: what a policy change would have changed on recorded assessments. */
const versionArgument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

const command = "policies backtest"

export const backtestPolicies = Command.make(
  "backtest",
  {
    set: policySetArgument,
    from: versionArgument("from", "A frozen version of the set, or draft"),
    to: versionArgument("to", "The version that may take its place, or draft"),
    ...historyFlags,
    format: formatFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ from, set, to, ...options }) {
    const sides = {
      from: yield* knownPolicyVersion(command, "from", set, from),
      to: yield* knownPolicyVersion(command, "to", set, to),
      of: { kind: "policies", set }
    } as const
    yield* backtestCommand(command, sides, options)
  })
).pipe(
  Command.withDescription(
    "Score recorded assessments under two versions of a policy set, whatever set they were recorded with"
  ),
  Command.withExamples([
    {
      command: "action-risk policies backtest starter 1.0.0 draft --history examples/history/december.ndjson",
      description: "The working files of a set against its first version"
    },
    {
      command: "action-risk policies backtest starter 1.0.0 draft --history december.ndjson --format github",
      description: "Falls in level as annotations of a pull request"
    }
  ])
)

/** What `rules backtest` and `policies backtest` do: score a history under two sides, print what moved, end with 1 where a level fell. */
interface BacktestOptions extends HistoryOptions {
  readonly json: boolean
  readonly format: Format
}

/** The outcome of a history that streams in, under a bar that says how far it is. */
export const backtestHistory = (sides: BacktestSides, jobs: number, { bytes, name, totalBytes }: History) =>
  Effect.gen(function* () {
    const opened = yield* readOrRefuse(openBacktestSides(sides))
    const outcome: BacktestOutcome = yield* withProgress({ title: "backtest", unit: "records" }, (progress) =>
      // A database or a disk that goes away while it is read is told as what it is, also as a defect.
      Effect.promise((signal) =>
        runBacktest({
          sides,
          opened,
          jobs,
          signal,
          history: bytes,
          onProgress: (records, readBytes) =>
            progress.at(records, totalBytes === null ? null : readBytes / totalBytes)
        })
      )
    )
    if (outcome.kind === "done") return outcome.backtest
    const { line, message } = outcome.first
    return yield* refuseFile(
      name,
      `more than ${historyUnreadableMax.toLocaleString("en-US")} lines cannot be read, the first is line ${line}, which ${message}: is it an export of stored assessments?`
    )
  })

const backtestCommand = (command: string, sides: Omit<BacktestSides, "root">, options: BacktestOptions) =>
  withHistory(command, options, (history) =>
    Effect.gen(function* () {
      const jobs = Option.getOrElse(options.jobs, availableParallelism)
      const backtest = yield* backtestHistory({ root: packageRoot, ...sides }, jobs, history)
      const page = {
        command,
        findings: backtestFindings(backtest, history.name),
        scope: `${backtest.counts.records.toLocaleString("en-US")} records`
      }
      yield* Console.log(
        options.json
          ? JSON.stringify(backtestJson(backtest), null, 2)
          : options.format === "pretty"
            ? renderBacktest(terminal(), backtest)
            : renderFindings(options.format, page, packageRoot)
      )
      if (!isClean(backtest)) return yield* new FindingsExit()
    })
  )

/** A backtest as findings at the lines of its history: every fall in level, and every line that could not be read. */
const fallText = ({ factors, from, request, to }: Move): string => {
  const why = factors.map(factorMoveText).join(", ")
  return `\`${actionName(request)}\` falls from ${from.level} (${from.score}) to ${to.level} (${to.score})${why === "" ? "" : `: ${why}`}`
}

/** Those that were kept; a last finding says how many more there are. */
export const backtestFindings = (backtest: Backtest, file: string): ReadonlyArray<LocatedFinding> => {
  const at = (line: number) => ({ file, line, column: 1, severity: "error" }) as const
  const more = (count: number, what: string) =>
    count > 0
      ? [{ ...at(1), rule: "level-fell", message: `${count.toLocaleString("en-US")} more ${what}` }]
      : []
  const { counts, falls, unreadable } = backtest
  return [
    ...falls.map((move) => ({ ...at(move.line), rule: "level-fell", message: fallText(move) })),
    ...more(counts.falls - falls.length, "records fall in level"),
    ...unreadable.map(({ line, message }) => ({
      ...at(line),
      rule: "unreadable-record",
      message: `the line ${message}, so it was not scored`
    })),
    ...more(counts.unreadable - unreadable.length, "lines cannot be read").map((finding) => ({
      ...finding,
      rule: "unreadable-record"
    }))
  ]
}
