/** `rules list` and `policies list`: every factor and typology of a release, and every policy set, at a glance. */

import { Console, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { factorCategories, severities } from "../../domain/Opinion.ts"
import {
  type CataloguedFactor,
  type CataloguedSet,
  type CataloguedTypology,
  catalogueFactors,
  cataloguePolicySets,
  catalogueTypologies,
  hazardsOf,
  severitiesOf
} from "../../rules/explain/catalogue.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { Lifecycle } from "../../rules/files/vocabulary.ts"
import { headings, levelStyle, type Row, table, terminal, type Terminal } from "../Terminal.ts"
import { jsonFlag } from "../flags.ts"
import { rulesFlag } from "./rulebooks.ts"
import { openVersion, ruleFiles } from "./subject.ts"

const SourceFile = Schema.String.annotate({
  description: "Where it stands; of a release, the release's file."
})

export const rulesListSchema = Schema.Struct({
  version: Schema.String.annotate({ description: "The release, or draft." }),
  factors: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      category: Schema.Literals(factorCategories),
      lifecycle: Lifecycle,
      severities: Schema.Array(Schema.Literals(severities)).annotate({
        description: "What its rules can raise it to, weakest first."
      }),
      hazards_bp: Schema.Array(Schema.Int).annotate({
        description: "What its rules add to the hazard, in basis points, each once, ascending."
      }),
      why: Schema.String,
      file: SourceFile
    })
  ),
  typologies: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      title: Schema.String,
      lifecycle: Lifecycle,
      floor: Schema.Int.annotate({ description: "No score stays below it where the typology matches." }),
      why: Schema.String,
      file: SourceFile
    })
  )
})

/** What `action-risk policies list --json` prints. */
export const policiesListSchema = Schema.Struct({
  sets: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      working: Schema.NullOr(
        Schema.Struct({
          version: Schema.String,
          owner: Schema.String,
          description: Schema.String,
          rules: Schema.Int.annotate({ description: "How many." })
        })
      ).annotate({ description: "The working folder; null where there is none that can be read." }),
      frozen: Schema.Array(Schema.String).annotate({
        description: "Versions, oldest first; the newest is the one that is served."
      })
    })
  )
})

/** `action-risk rules list`: every factor and typology of a release, at a glance. */
const rules = rulesFlag("Which release; else the working files").pipe(Flag.withDefault("draft"))

export const listRules = Command.make(
  "list",
  { rules, json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const { release } = yield* openVersion(ruleFiles, options.rules)
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

const rulesListJson = (
  version: string,
  factors: ReadonlyArray<CataloguedFactor>,
  typologies: ReadonlyArray<CataloguedTypology>
): typeof rulesListSchema.Encoded => ({
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

/** `action-risk policies list`: every policy set of this installation and its versions. */
export const listPolicies = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const sets = yield* Effect.sync(() => cataloguePolicySets(packageRoot))
    yield* Console.log(
      options.json ? JSON.stringify(policiesListJson(sets), null, 2) : renderPolicySets(terminal(), sets)
    )
  })
).pipe(
  Command.withDescription("List the policy sets, their versions and who answers for them"),
  Command.withExamples([
    { command: "action-risk policies list", description: "Working folders and frozen versions" },
    { command: "action-risk policies list --json", description: "For scripts" }
  ])
)

const policiesListJson = (sets: ReadonlyArray<CataloguedSet>): typeof policiesListSchema.Encoded => ({
  sets: sets.map(({ frozen, name, working }) => ({
    name,
    working:
      working === null
        ? null
        : {
            version: working.version,
            owner: working.owner,
            description: working.description,
            rules: working.rules
          },
    frozen
  }))
})

const rowOf = ({ frozen, name, working }: CataloguedSet): Row => [
  { text: name, style: "bold" },
  working?.version ?? "none",
  frozen.length === 0 ? "none" : frozen.join(", "),
  { text: working === null ? "" : String(working.rules), align: "right" },
  working?.owner ?? "",
  working?.description ?? "its working folder cannot be read: action-risk policies check tells why"
]

const renderPolicySets = (sheet: Terminal, sets: ReadonlyArray<CataloguedSet>): string =>
  table(
    sheet,
    [headings("set", "working", "frozen", "rules", "owner", "description"), ...sets.map(rowOf)],
    0
  ).join("\n")

/**
 * Factors by category, each with its ladder of severities, then the typologies with their floors.
 * 0.15, or 0.08-0.35 where its rules carry several.
 */
export const hazardText = (hazards: ReadonlyArray<number>): string => {
  const share = (bp: number) => (bp / 10_000).toFixed(2)
  const [least = 0, greatest = least] = [hazards.at(0), hazards.at(-1)]
  if (greatest === 0) return ""
  return least === greatest ? share(greatest) : `${share(least)}-${share(greatest)}`
}

const named = (name: string, lifecycle: string): string =>
  lifecycle === "stable" ? name : `${name} (${lifecycle})`

const factorRow = (factor: CataloguedFactor): Row => {
  const ladder = severitiesOf(factor)
  return [
    named(factor.code, factor.described.lifecycle),
    ...severities.map((severity) => ({
      text: ladder.includes(severity) ? severity : "",
      style: levelStyle[severity]
    })),
    hazardText(hazardsOf(factor))
  ]
}

const typologyRow = ({ code, described }: CataloguedTypology): Row => [
  { text: String(described.floor), align: "right" },
  named(code, described.lifecycle)
]

export const renderRuleList = (
  sheet: Terminal,
  factors: ReadonlyArray<CataloguedFactor>,
  typologies: ReadonlyArray<CataloguedTypology>
): string => {
  const byCategory = [...Map.groupBy(factors, ({ described }) => described.category)]
  const rows = byCategory.map(([category, own]) => ({ category, rows: own.map(factorRow) }))
  // One table, so that the columns of all categories stand under each other.
  const lines = table(sheet, [headings("", "", "", "", "", "hazard"), ...rows.flatMap((group) => group.rows)])
  const [head = "", ...body] = lines
  let next = 0
  const groups = rows.flatMap(({ category, rows }, i) => {
    const own = body.slice(next, (next += rows.length))
    return [...(i === 0 ? [] : [""]), sheet.color("bold", category), ...own]
  })
  const summary = `${factors.length} factors, ${typologies.length} typologies`
  return [
    sheet.color("bold", "Factors"),
    head,
    ...groups,
    "",
    sheet.color("bold", "Typologies") +
      sheet.color("dim", ", with the score that each does not let an action stay below"),
    ...table(sheet, typologies.map(typologyRow)),
    "",
    sheet.color("dim", `${summary}; action-risk rules show <code> tells one`)
  ].join("\n")
}
