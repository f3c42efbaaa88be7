/** Asks everything that a report answers, one question after the other. */

import { Clock, Effect, Option } from "effect"
import { availableParallelism } from "node:os"
import { diffRulebooks } from "../../rules/diff/diffRulebooks.ts"
import { packageRoot } from "../../rules/packageRoot.ts"
import { proveNotLower } from "../../rules/proof/proveNotLower.ts"
import { changelogAt } from "../../rules/release/changelogAt.ts"
import { readLifelike } from "../../rules/witness/lifelike.ts"
import { backtestHistory } from "../backtest/backtestCommand.ts"
import { withHistory } from "../backtest/withHistory.ts"
import { withProgress } from "../progress.ts"
import type { Report } from "../render/report/Report.ts"
import { whatIs } from "../rulebook.ts"
import type { ReportOptions } from "./reportFlags.ts"
import type { Subject } from "./Subject.ts"

const isoDay = 10

export const assemble = Effect.fn("report.assemble")(function* (subject: Subject, options: ReportOptions) {
  const [from, to] = yield* Effect.all([
    whatIs(subject.open(subject.sides.from)),
    whatIs(subject.open(subject.sides.to))
  ])
  const lifelike = readLifelike(packageRoot)
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
  const { entries } = changelogAt(packageRoot, subject.changelog)
  const report: Report = {
    ...asked,
    of: subject.of,
    from: subject.edition(from),
    to: edition,
    date: new Date(nowMs).toISOString().slice(0, isoDay),
    backtest: yield* backtested(subject, options),
    changelog: entries.find(({ version }) => version === edition.version) ?? null
  }
  return report
})

const backtested = (subject: Subject, options: ReportOptions) =>
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
