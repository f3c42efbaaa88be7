/** `action-risk rules show <code>`: one factor or typology in plain English, with its reasons. */

import { Console, Effect, type Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { codesOf, type Exhibit, exhibit } from "../../../rules/catalogue/exhibit.ts"
import { readRuleSuite } from "../../../rules/cases/readSuite.ts"
import { describeCondition } from "../../../rules/describeCondition.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { json } from "../../options/json.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { renderExhibitedRule } from "../../render/rules/show.ts"
import { terminal } from "../../render/Sheet.ts"
import { rulebook, whatIs } from "../../rulebook.ts"
import type { rulesShowShape } from "../../shapes/rules/show.ts"
import { unknownName } from "../../unknownName.ts"

const code = Argument.String("code").pipe(
  Argument.withDescription("A factor's code or a typology's name, as rules list prints them")
)
const rules = rulesVersion("Which release; else the working files").pipe(Flag.withDefault("draft"))

export const showRule = Command.make(
  "show",
  { code, rules, json },
  Effect.fnUntraced(function* (options) {
    const { release } = yield* rulebook(options.rules)
    const suite = yield* whatIs(readRuleSuite(packageRoot))
    const one = exhibit(packageRoot, release, suite, options.code)
    if (one === null) {
      return yield* unknownName({
        command: "rules show",
        argument: "code",
        written: options.code,
        known: codesOf(release),
        list: "rules list"
      })
    }
    yield* Console.log(
      options.json
        ? JSON.stringify(showJson(options.rules, one), null, 2)
        : renderExhibitedRule(terminal(), one)
    )
  })
).pipe(
  Command.withDescription("Tell one factor or typology in plain English: when it holds, why, what it misses"),
  Command.withExamples([
    { command: "action-risk rules show HIGH_ENTITY_COUNT", description: "As the working files have it" },
    {
      command: "action-risk rules show sensitive-export-to-novel-destination --rules 1.0.0 --json",
      description: "A typology of a release, for scripts"
    }
  ])
)

export const showJson = (version: string, one: Exhibit): typeof rulesShowShape.Encoded => {
  const { lifecycle, message, misses, why } = one.described
  const told = {
    version,
    code: one.code,
    file: one.file,
    lifecycle,
    why,
    misses,
    message,
    cases: one.cases,
    releases: one.releases
  }
  const whenOf = ({ condition, name }: (typeof one.rules)[number]) => ({
    name,
    when: describeCondition(condition),
    conditions: condition as Schema.Json
  })
  if (one.kind === "typology") {
    const { floor, title } = one.described
    return { kind: "typology", ...told, title, floor, rules: one.rules.map(whenOf) }
  }
  const { category, recommendations } = one.described
  return {
    kind: "factor",
    ...told,
    category,
    recommendations,
    rules: one.rules.map((rule) => ({
      ...whenOf(rule),
      severity: rule.match.severity,
      hazard_bp: rule.match.hazardBp
    }))
  }
}
