/** `rules backtest` and `policies backtest`: score recorded assessments under two versions and show which ones move. */

import { Effect, Schema } from "effect"
import { availableParallelism } from "node:os"
import { actionRiskLevels, controlTypes, severities } from "../../domain/Opinion.ts"
import { historyUnreadableMax } from "../../limits.ts"
import type { LocatedFinding } from "../../rules/Finding.ts"
import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import { type BacktestSides, openBacktestSides } from "../../rules/backtest/BacktestSides.ts"
import { type BacktestOutcome, runBacktest } from "../../rules/backtest/runBacktest.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { currentTerminal } from "../Terminal.ts"
import { databaseSettings, formatFlag } from "../flags.ts"
import { historyFlags, withHistory } from "../evidence/recordedHistory.ts"
import { type OpenInput, refuseFile } from "../operatorFiles.ts"
import { bool, int, levelCounts, list, members, nullOr, objects, string } from "../jsonShapes.ts"
import { withProgress } from "../progress.ts"
import { figure } from "../texts.ts"
import { actionName, renderBacktest, whyText } from "./backtestView.ts"
import { inFormat } from "./findings.ts"
import {
  type Noun,
  checkVersions,
  policiesFlagOr,
  readOrRefuse,
  ruleFiles,
  subjectArguments,
  versionArguments,
  type Versions
} from "./subject.ts"
import { verb, type NounHelp } from "../verb.ts"

const Level = Schema.Literals(actionRiskLevels)
const Control = Schema.Literals(controlTypes)
const Raised = nullOr(Schema.Literals(severities), "Null if this side does not raise the factor.")

const Position = members({
  score: Schema.Int,
  level: Level,
  complete: Schema.Boolean,
  control: Control
})

const MovedRecord = members({
  line: int("Line of the history, or position in the database, from 1."),
  assessmentId: Schema.String,
  request: Schema.Record(Schema.String, Schema.Json).annotate({ description: "As recorded." }),
  from: Position,
  to: Position,
  factors: objects("The factors on which the two sides differ, by code.", {
    code: Schema.String,
    from: Raised,
    to: Raised
  })
})

const shift = {
  records: Schema.Int,
  falls: int("Records whose level fell."),
  rises: int("Records whose level rose."),
  lowered: int("Records whose score fell."),
  raised: int("Records whose score rose."),
  weakened: int("Records whose recommended control is weaker."),
  strengthened: int("Records whose recommended control is stronger.")
}

export const backtestShape = members({
  ok: bool("No level fell, no control is weaker, and every line could be read."),
  from: Schema.String,
  to: Schema.String,
  counts: members({
    ...shift,
    unchanged: int("Records whose score is the same."),
    incomplete: int("Scored with history at its worst, as when they were recorded."),
    unreadable: Schema.Int
  }),
  transitions: levelCounts("transitions[from][to]: records by level before and after."),
  scoreChanges: objects("Records by how many points their score moved; ascending, without 0.", {
    by: Schema.Int,
    records: Schema.Int
  }),
  falls: list(MovedRecord, "The first records that fall in level; counts.falls is their total."),
  weakened: list(MovedRecord, "The first records with a weaker control; counts.weakened is their total."),
  movers: list(MovedRecord, "The largest moves, up or down."),
  factors: objects("Records in which a factor changed; most changes first.", {
    code: Schema.String,
    appeared: Schema.Int,
    vanished: Schema.Int,
    severityRaised: Schema.Int,
    severityLowered: Schema.Int
  }),
  categories: Schema.Array(members({ name: Schema.String, ...shift }, { name: "category" })),
  classes: Schema.Array(members({ name: Schema.String, ...shift }, { name: "class" })),
  controls: objects("Records whose recommended control changed; most first.", {
    from: Control,
    to: Control,
    records: Schema.Int
  }),
  unreadable: objects("The first lines that could not be read.", {
    line: Schema.Int,
    message: Schema.String
  }),
  policies: objects(null, {
    recorded: string("The policy_version in the records."),
    scoredWith: Schema.String,
    exact: bool("False if those rules are not installed."),
    records: Schema.Int
  })
})

const otherPoliciesFlag = policiesFlagOr(
  "Score every record with this policy set instead of the one it names",
  null
)

/** A backtest of the rules can replace the recorded policy set; a backtest of a policy set already names one. */
const policiesFlags: Readonly<Record<Noun, { readonly policies?: typeof otherPoliciesFlag }>> = {
  rules: { policies: otherPoliciesFlag },
  policies: {}
}

const help: Readonly<Record<Noun, NounHelp & Versions>> = {
  rules: {
    from: "The release that records are compared with, or draft",
    to: "The release that may replace it, or draft",
    about: "Score recorded assessments under two rule releases and show what moves, falls first",
    examples: {
      "1.0.0 draft --history examples/history/december.ndjson": "The working files against the first release",
      "1.0.0 draft --history database --org acme --mode live --since 1h":
        "On an organization's requests of the last hour",
      "1.0.0 draft --history - --json": "From a pipe, for scripts"
    }
  },
  policies: {
    from: "A frozen version of the set, or draft",
    to: "The version that may replace it, or draft",
    about:
      "Score recorded assessments under two versions of a policy set, even if they were recorded with another set",
    examples: {
      "starter 1.0.0 draft --history examples/history/december.ndjson":
        "The working files of a set against its first version",
      "starter 1.0.0 draft --history december.ndjson --format github":
        "Falls in level and weaker controls as annotations of a pull request"
    }
  }
}

export const backtestVerb = (noun: Noun) =>
  verb({
    ...help[noun],
    reads: `with \`--history database\`: ${databaseSettings}`,
    fails: "a level fell, a line cannot be read, or the file is not a history",
    takes: {
      ...subjectArguments[noun],
      ...versionArguments(noun, help[noun].from, help[noun].to),
      ...historyFlags,
      ...policiesFlags[noun],
      format: formatFlag
    },
    prints: backtestShape,
    run: Effect.fnUntraced(function* (
      { format, from, policies, subject = ruleFiles, to, ...options },
      command
    ) {
      yield* checkVersions(subject, { from, to })
      const sides: BacktestSides = {
        root: packageRoot,
        from,
        to,
        of: subject.kind === "rules" ? { kind: "rules", policies: policies ?? null } : subject
      }
      const [backtest, historyName] = yield* withHistory(options, (history) =>
        Effect.map(backtestHistory(sides, options.jobs, history), (made) => [made, history.name] as const)
      )
      return inFormat(format, {
        ok: isClean(backtest),
        json: () => withOk(backtest),
        pretty: () => renderBacktest(currentTerminal(), backtest),
        page: {
          command,
          findings: backtestFindings(backtest, historyName),
          scope: `${figure(backtest.counts.records)} records`
        }
      })
    })
  })

/** No level fell, no control is weaker, and every line could be read. */
const isClean = ({ counts: { falls, unreadable, weakened } }: Backtest): boolean =>
  falls === 0 && weakened === 0 && unreadable === 0

export const withOk = (backtest: Backtest) => ({ ok: isClean(backtest), ...backtest })

/** Scores a history while it streams in, with a progress bar. `jobs`: threads; null for one per core. */
export const backtestHistory = (
  sides: BacktestSides,
  jobs: number | null,
  { bytes, name, totalBytes }: OpenInput
) =>
  Effect.gen(function* () {
    const opened = yield* readOrRefuse(openBacktestSides(sides))
    const outcome: BacktestOutcome = yield* withProgress({ title: "backtest", unit: "records" }, (progress) =>
      // A failing database or disk rejects the promise. `exitOf` recognizes its error even inside a defect.
      Effect.promise((signal) =>
        runBacktest({
          sides,
          opened,
          jobs: jobs ?? availableParallelism(),
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
      `more than ${figure(historyUnreadableMax)} lines cannot be read, the first is line ${line}, which ${message}: is it an export of stored assessments?`
    )
  })

const fallText = (move: Move, fall: string): string => {
  const why = whyText(move)
  return `\`${actionName(move.request)}\` ${fall}${why === "" ? "" : `: ${why}`}`
}

const levelText = ({ from, to }: Move): string =>
  `falls from ${from.level} (${from.score}) to ${to.level} (${to.score})`

const controlText = ({ from, to }: Move): string => `gets the weaker ${to.control} instead of ${from.control}`

/**
 * Findings at lines of the history: every fall in level, every weaker control, and every line that could not be read. A backtest keeps only
 * the first ones; a last finding counts the rest.
 */
export const backtestFindings = (backtest: Backtest, file: string): ReadonlyArray<LocatedFinding> => {
  const at = (line: number) => ({ file, line, column: 1, severity: "error" }) as const
  const each = <A extends { readonly line: number }>(
    rule: string,
    of: ReadonlyArray<A>,
    text: (one: A) => string
  ) => of.map((one) => ({ ...at(one.line), rule, message: text(one) }))
  const more = (rule: string, count: number, what: string) =>
    count > 0 ? [{ ...at(1), rule, message: `${figure(count)} more ${what}` }] : []
  const { counts, falls, unreadable, weakened } = backtest
  return [
    ...each("level-fell", falls, (move) => fallText(move, levelText(move))),
    ...more("level-fell", counts.falls - falls.length, "records fall in level"),
    ...each("control-weakened", weakened, (move) => fallText(move, controlText(move))),
    ...more("control-weakened", counts.weakened - weakened.length, "records get a weaker control"),
    ...each("unreadable-record", unreadable, ({ message }) => `the line ${message}, so it was not scored`),
    ...more("unreadable-record", counts.unreadable - unreadable.length, "lines cannot be read")
  ]
}
