/** `action-risk rules list`: every factor and typology of a release, at a glance. */

import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import {
  type CataloguedFactor,
  type CataloguedTypology,
  catalogueFactors,
  catalogueTypologies,
  hazardsOf,
  severitiesOf
} from "../../../rules/catalogue/catalogue.ts"
import { json } from "../../options/json.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { renderRuleList } from "../../render/rules/list.ts"
import { terminal } from "../../render/Sheet.ts"
import { rulebook } from "../../rulebook.ts"
import type { rulesListShape } from "../../shapes/rules/list.ts"

const rules = rulesVersion("Which release; else the working files").pipe(Flag.withDefault("draft"))

export const listRules = Command.make(
  "list",
  { rules, json },
  Effect.fnUntraced(function* (options) {
    const { release } = yield* rulebook(options.rules)
    const [factors, typologies] = [catalogueFactors(release), catalogueTypologies(release)]
    yield* Console.log(
      options.json
        ? JSON.stringify(rulesListJson(options.rules, factors, typologies), null, 2)
        : renderRuleList(terminal(), factors, typologies)
    )
  })
).pipe(
  Command.withDescription("List the factors and typologies with their severities and hazards"),
  Command.withExamples([
    { command: "action-risk rules list", description: "The working files, by category" },
    { command: "action-risk rules list --rules 1.0.0 --json", description: "A release, for scripts" }
  ])
)

export const rulesListJson = (
  version: string,
  factors: ReadonlyArray<CataloguedFactor>,
  typologies: ReadonlyArray<CataloguedTypology>
): typeof rulesListShape.Encoded => ({
  version,
  factors: factors.map((factor) => ({
    code: factor.code,
    category: factor.described.category,
    lifecycle: factor.described.lifecycle,
    severities: severitiesOf(factor),
    hazards_bp: hazardsOf(factor),
    why: factor.described.why,
    file: factor.file
  })),
  typologies: typologies.map(({ code, described, file }) => ({
    name: code,
    title: described.title,
    lifecycle: described.lifecycle,
    floor: described.floor,
    why: described.why,
    file
  }))
})
