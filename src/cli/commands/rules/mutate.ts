/** `action-risk rules mutate`: which small changes of the rules would no case notice? */

import { Effect } from "effect"
import { Command } from "effect/cli"
import { ruleMutation } from "../../../rules/mutation/runMutants.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { codes, mutateFiles } from "../../mutateFiles.ts"
import { json } from "../../options/json.ts"
import { percentMin } from "../../options/percentMin.ts"
import { rulebook, whatIs } from "../../rulebook.ts"

export const mutateRules = Command.make(
  "mutate",
  { codes: codes("Only these factors and typologies"), min: percentMin, json },
  Effect.fnUntraced(function* (options) {
    const mutation = yield* whatIs(ruleMutation(packageRoot, yield* rulebook("draft")))
    yield* mutateFiles(mutation, { command: "rules mutate", list: "rules list", ...options })
  })
).pipe(
  Command.withDescription(
    "Change every working rule by one small thing at a time, and tell which changes no case notices"
  ),
  Command.withExamples([
    { command: "action-risk rules mutate", description: "All rules; exit code 1 below 95 %" },
    {
      command: "action-risk rules mutate HIGH_ENTITY_COUNT --min 100 --json",
      description: "One factor, every mutant of it"
    }
  ])
)
