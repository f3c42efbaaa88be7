/** `action-risk policies report <set> <from> <to>`: everything a reviewer asks of a policy change, on one page. */

import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { policySet, policyVersionOf } from "../../options/policySet.ts"
import { reportCommand } from "../../report/reportCommand.ts"
import { reportFlags } from "../../report/reportFlags.ts"
import { policySubject } from "../../report/Subject.ts"

const command = "policies report"

const version = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

export const reportPolicies = Command.make(
  "report",
  {
    set: policySet,
    from: version("from", "The version that is compared with, or draft"),
    to: version("to", "The version that may take its place, or draft"),
    ...reportFlags
  },
  Effect.fnUntraced(function* ({ from, set, to, ...options }) {
    const before = yield* policyVersionOf(command, "from", set, from)
    const after = yield* policyVersionOf(command, "to", set, to)
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
