/** `action-risk rules diff <v> <v>`: what changed between two releases, by what it does to scores. */

import { Effect } from "effect"
import { Command } from "effect/cli"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { release } from "../../options/release.ts"
import { printDiff } from "../../printDiff.ts"
import { rulebook } from "../../rulebook.ts"

const from = release("from", "A rule release, or draft for the working files")
const to = release("to", "What it is compared with, likewise")

export const diffRules = Command.make(
  "diff",
  { from, to, format, json },
  Effect.fnUntraced(function* ({ from, to, ...options }) {
    yield* printDiff("rules diff", yield* rulebook(from), yield* rulebook(to), options)
  })
).pipe(
  Command.withDescription(
    "Tell what got stricter, looser, moved or only reworded, each with a request that shows it"
  ),
  Command.withExamples([
    { command: "action-risk rules diff 1.0.0 draft", description: "What the working files change" },
    {
      command: "action-risk rules diff 1.0.0 draft --json",
      description: "With the requests as a cases file takes them"
    }
  ])
)
