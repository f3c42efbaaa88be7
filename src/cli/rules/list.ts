/** `rules list` lists the factors and typologies of a release; `policies list` lists the policy sets. */

import { Effect, Schema } from "effect"
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
import { headings, levelStyle, lines, type Row, table, type Terminal } from "../Terminal.ts"
import { int, list, members, nullOr, objects, string } from "../jsonShapes.ts"
import { readRulesOf, shownReleaseFlag } from "./subject.ts"
import { verb } from "../verb.ts"

const SourceFile = string("The rule's file; for a release, the file of the release.")

const rulesListShape = members({
  version: string("The release, or draft."),
  factors: objects(null, {
    code: Schema.String,
    category: Schema.Literals(factorCategories),
    lifecycle: Lifecycle,
    severities: list(Schema.Literals(severities), "The severities that its rules can give, weakest first."),
    hazardsBp: list(Schema.Int, "The hazards that its rules add, in basis points, each once, ascending."),
    why: Schema.String,
    file: SourceFile
  }),
  typologies: objects(null, {
    name: Schema.String,
    title: Schema.String,
    lifecycle: Lifecycle,
    floor: int("The lowest possible score where the typology matches."),
    why: Schema.String,
    file: SourceFile
  })
})

const policiesListShape = members({
  sets: objects(null, {
    name: Schema.String,
    working: nullOr(
      Schema.Struct({
        version: Schema.String,
        owner: Schema.String,
        description: Schema.String,
        rules: int("How many.")
      }),
      "The working folder; null if there is no readable one."
    ),
    frozen: list(Schema.String, "Versions, oldest first; the service uses the newest.")
  })
})

export const listRules = verb({
  about: "List the factors and typologies with their severities and hazards",
  takes: { rules: shownReleaseFlag },
  prints: rulesListShape,
  fails: "the rule files cannot be used",
  examples: {
    "": "The working files, by category",
    "--rules 1.0.0 --json": "A release, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const release = yield* readRulesOf(options.rules)
    const [factors, typologies] = [catalogueFactors(release), catalogueTypologies(release)]
    return {
      json: () => ({
        version: options.rules,
        factors: factors.map((factor) => ({
          ...factor.described,
          ...factor,
          severities: severitiesOf(factor),
          hazardsBp: hazardsOf(factor)
        })),
        typologies: typologies.map((typology) => ({
          ...typology.described,
          ...typology,
          name: typology.code
        }))
      }),
      text: (screen) => renderRuleList(screen, factors, typologies)
    }
  })
})

export const listPolicies = verb({
  about: "List the policy sets with their versions and owners",
  takes: {},
  prints: policiesListShape,
  fails: "the folder of the policy sets cannot be read",
  examples: {
    "": "Working folders and frozen versions",
    "--json": "For scripts"
  },
  run: Effect.fnUntraced(function* () {
    const sets = yield* Effect.sync(() => cataloguePolicySets(packageRoot))
    return { json: () => ({ sets }), text: (screen) => renderPolicySets(screen, sets) }
  })
})

const rowOf = ({ frozen, name, working }: CataloguedSet): Row => [
  { text: name, style: "bold" },
  working?.version ?? "none",
  frozen.length === 0 ? "none" : frozen.join(", "),
  { text: working === null ? "" : String(working.rules), align: "right" },
  working?.owner ?? "",
  working?.description ?? "its working folder cannot be read: action-risk policies check says why"
]

const renderPolicySets = (screen: Terminal, sets: ReadonlyArray<CataloguedSet>): string =>
  table(
    screen,
    [headings("set", "working", "frozen", "rules", "owner", "description"), ...sets.map(rowOf)],
    0
  ).join("\n")

/** `0.15`, or `0.08-0.35` if the rules of a factor have different hazards; empty for 0. */
export const hazardText = (hazards: ReadonlyArray<number>): string => {
  const share = (bp: number) => (bp / 10_000).toFixed(2)
  const [least = 0, greatest = least] = [hazards.at(0), hazards.at(-1)]
  if (greatest === 0) return ""
  return least === greatest ? share(greatest) : `${share(least)}-${share(greatest)}`
}

const named = (name: string, lifecycle: string): string =>
  lifecycle === "stable" ? name : `${name} (${lifecycle})`

const factorRow = (factor: CataloguedFactor): Row => {
  const own = severitiesOf(factor)
  return [
    named(factor.code, factor.described.lifecycle),
    ...severities.map((severity) => ({
      text: own.includes(severity) ? severity : "",
      style: levelStyle[severity]
    })),
    hazardText(hazardsOf(factor))
  ]
}

const typologyRow = ({ code, described }: CataloguedTypology): Row => [
  { text: String(described.floor), align: "right" },
  named(code, described.lifecycle)
]

/** Factors by category with their severities and hazards, then the typologies with their floors. */
export const renderRuleList = (
  screen: Terminal,
  factors: ReadonlyArray<CataloguedFactor>,
  typologies: ReadonlyArray<CataloguedTypology>
): string => {
  const byCategory = [...Map.groupBy(factors, ({ described }) => described.category)]
  const rows = byCategory.flatMap(([, own]) => own.map(factorRow))
  // All categories are laid out as one table, so that their columns have the same width.
  const [head = "", ...body] = table(screen, [headings("", "", "", "", "", "hazard"), ...rows])
  let next = 0
  const groups = byCategory.flatMap(([category, own], i) =>
    lines(i > 0 && "", screen.color("bold", category), body.slice(next, (next += own.length)))
  )
  const summary = `${factors.length} factors, ${typologies.length} typologies`
  return [
    screen.color("bold", "Factors"),
    head,
    ...groups,
    "",
    screen.color("bold", "Typologies") + screen.color("dim", ", with the minimum score that each sets"),
    ...table(screen, typologies.map(typologyRow)),
    "",
    screen.color("dim", `${summary}; action-risk rules show <code> shows one`)
  ].join("\n")
}
