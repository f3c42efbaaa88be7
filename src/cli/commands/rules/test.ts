/** `action-risk rules test`: do all cases hold, and what of the rules does no case reach? */

import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { runCases, runNothing } from "../../../rules/cases/runCases.ts"
import { openRulebook } from "../../../rules/openRulebook.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { coverage, printCases } from "../../printCases.ts"

const rules = rulesVersion("Which release the working cases are run against; else the working files").pipe(
  Flag.withDefault("draft")
)

export const testRules = Command.make(
  "test",
  { coverage, rules, format, json },
  Effect.fnUntraced(function* ({ rules, ...options }) {
    const report = Result.match(openRulebook(packageRoot, rules), {
      onFailure: (findings) => runNothing(packageRoot, findings),
      onSuccess: (book) => runCases(packageRoot, book, options)
    })
    yield* printCases("rules test", report, options)
  })
).pipe(
  Command.withDescription("Run every case and the calibration through the whole score"),
  Command.withExamples([
    { command: "action-risk rules test", description: "Do all cases hold?" },
    {
      command: "action-risk rules test --coverage",
      description: "And what of the rules does no case reach?"
    },
    {
      command: "action-risk rules test --rules 1.0.0 --format github",
      description: "The working cases against a release, as annotations in a pull request"
    }
  ])
)
