/** What `rules backtest` and `policies backtest` do: score a history under two sides, print what moved, end with 1 where a level fell. */

import { Console, Effect, Option } from "effect"
import { availableParallelism } from "node:os"
import { historyUnreadableMax } from "../../Limits.ts"
import { type BacktestOutcome, runBacktest } from "../../rules/backtest/runBacktest.ts"
import { openSides, type Sides } from "../../rules/backtest/Sides.ts"
import { packageRoot } from "../../rules/packageRoot.ts"
import { Found } from "../Found.ts"
import type { Format } from "../options/format.ts"
import { withProgress } from "../progress.ts"
import { refuseFile } from "../readJsonFile.ts"
import { renderBacktest } from "../render/backtest.ts"
import { renderFindings } from "../render/findings.ts"
import { terminal } from "../render/Sheet.ts"
import { whatIs } from "../rulebook.ts"
import { backtestFindings } from "./backtestFindings.ts"
import { backtestJson, isClean } from "./backtestJson.ts"
import type { HistoryOptions } from "./historyFlags.ts"
import { type History, withHistory } from "./withHistory.ts"

export interface BacktestOptions extends HistoryOptions {
  readonly json: boolean
  readonly format: Format
}

/** The outcome of a history that streams in, under a bar that says how far it is. */
export const backtestHistory = (sides: Sides, jobs: number, { bytes, name, totalBytes }: History) =>
  Effect.gen(function* () {
    const opened = yield* whatIs(openSides(sides))
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

export const backtestCommand = (command: string, sides: Omit<Sides, "root">, options: BacktestOptions) =>
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
      if (!isClean(backtest)) return yield* new Found()
    })
  )
