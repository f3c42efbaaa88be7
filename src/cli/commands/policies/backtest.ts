/** `action-risk policies backtest <set> <from> <to>`: what a policy change would have changed on recorded assessments. */

import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { backtestCommand } from "../../backtest/backtestCommand.ts"
import { historyFlags } from "../../backtest/historyFlags.ts"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { policySet, policyVersionOf } from "../../options/policySet.ts"

const version = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

const command = "policies backtest"

export const backtestPolicies = Command.make(
  "backtest",
  {
    set: policySet,
    from: version("from", "A frozen version of the set, or draft"),
    to: version("to", "The version that may take its place, or draft"),
    ...historyFlags,
    format,
    json
  },
  Effect.fnUntraced(function* ({ from, set, to, ...options }) {
    const sides = {
      from: yield* policyVersionOf(command, "from", set, from),
      to: yield* policyVersionOf(command, "to", set, to),
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
