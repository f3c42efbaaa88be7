/** `action-risk rules backtest <from> <to>`: what a rule change would have changed on recorded assessments. */

import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { backtestCommand } from "../../backtest/backtestCommand.ts"
import { historyFlags } from "../../backtest/historyFlags.ts"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { knownPolicies } from "../../options/policies.ts"
import { release } from "../../options/release.ts"

const policies = knownPolicies("Score every record with this policy set instead of the one it names").pipe(
  Flag.optional
)

export const backtestRules = Command.make(
  "backtest",
  {
    from: release("from", "The release that records are compared with, or draft"),
    to: release("to", "The release that may take its place, or draft"),
    ...historyFlags,
    policies,
    format,
    json
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
