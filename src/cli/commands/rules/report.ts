/** `action-risk rules report <from> <to>`: everything a reviewer asks of a rule change, on one page. */

import { Command } from "effect/cli"
import { release } from "../../options/release.ts"
import { reportCommand } from "../../report/reportCommand.ts"
import { reportFlags } from "../../report/reportFlags.ts"
import { ruleSubject } from "../../report/Subject.ts"

export const reportRules = Command.make(
  "report",
  {
    from: release("from", "The release that is compared with, or draft"),
    to: release("to", "The release that may take its place, or draft"),
    ...reportFlags
  },
  ({ from, to, ...options }) => reportCommand(ruleSubject(from, to), options)
).pipe(
  Command.withDescription(
    "Write one page with everything a reviewer asks: check, cases, changes, proof, backtest"
  ),
  Command.withExamples([
    {
      command: "action-risk rules report 1.0.0 draft --history examples/history/december.ndjson",
      description: "A page for the browser, report.html"
    },
    {
      command: "action-risk rules report 1.0.0 draft --format markdown",
      description: "For a comment on a pull request, without a backtest"
    }
  ])
)
