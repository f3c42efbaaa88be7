/** `action-risk policies test <set>`: do the cases of a policy set hold, and what of its rules does no case reach? */

import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { runNothing, runPolicyCases } from "../../../rules/cases/runCases.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { loadPolicyVersion } from "../../../rules/policies/loadPolicySet.ts"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { policySet } from "../../options/policySet.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { coverage, printCases } from "../../printCases.ts"
import { rulebookOr } from "../../rulebook.ts"

const rules = rulesVersion("Which release scores; else RULES_VERSION or the newest").pipe(
  Flag.withDefault(null)
)

export const testPolicies = Command.make(
  "test",
  { set: policySet, coverage, rules, format, json },
  Effect.fnUntraced(function* ({ rules, set, ...options }) {
    const { release } = yield* rulebookOr(rules)
    const report = Result.match(loadPolicyVersion(packageRoot, set, "draft"), {
      onFailure: (findings) => runNothing(packageRoot, findings),
      onSuccess: (policies) =>
        runPolicyCases(packageRoot, { label: `${set}@draft`, release, policies }, options)
    })
    yield* printCases("policies test", report, options)
  })
).pipe(
  Command.withDescription("Run every case of a policy set's working folder through the whole score"),
  Command.withExamples([
    { command: "action-risk policies test starter", description: "Do all cases hold?" },
    {
      command: "action-risk policies test starter --coverage --format markdown",
      description: "And what of the rules does no case reach, for a pull request"
    }
  ])
)
