/** `action-risk rules facts`: everything that a condition can ask, in what words, and who asks it. */

import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type CataloguedFact, factCatalogue } from "../../../rules/catalogue/factCatalogue.ts"
import { ruleLadders } from "../../../rules/ladders.ts"
import { json } from "../../options/json.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { renderFacts } from "../../render/rules/facts.ts"
import { terminal } from "../../render/Sheet.ts"
import { rulebook } from "../../rulebook.ts"
import type { factsShape } from "../../shapes/rules/facts.ts"

const rules = rulesVersion("Whose rules are counted; else the working files").pipe(Flag.withDefault("draft"))

export const listFacts = Command.make(
  "facts",
  { rules, json },
  Effect.fnUntraced(function* (options) {
    const { release } = yield* rulebook(options.rules)
    const facts = factCatalogue(ruleLadders(release))
    yield* Console.log(
      options.json ? JSON.stringify(factsJson(options.rules, facts), null, 2) : renderFacts(terminal(), facts)
    )
  })
).pipe(
  Command.withDescription("List everything that a rule can ask about an action, and how it may be asked"),
  Command.withExamples([
    { command: "action-risk rules facts", description: "Every fact by its kind" },
    {
      command: "action-risk rules facts --rules 1.0.0 --json",
      description: "And which rules of a release ask it"
    }
  ])
)

export const factsJson = (
  version: string,
  facts: ReadonlyArray<CataloguedFact>
): typeof factsShape.Encoded => ({
  version,
  facts: facts.map(({ completenessOnly, fact, kind, operators, usedBy }) => ({
    fact,
    kind: kind.kind,
    says: kind.says,
    operators,
    ...(kind.kind === "count" ? { unit: kind.unit } : {}),
    ...(kind.kind === "rank" ? { max: kind.max } : {}),
    ...(kind.kind === "name" ? { names: kind.names } : {}),
    ...(completenessOnly ? { only: "completeness" as const } : {}),
    used_by: usedBy
  }))
})
