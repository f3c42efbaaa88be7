/** `rules facts`: lists the facts that conditions can test, with their operators and the rules that use them. */

import { Effect, Schema } from "effect"
import { releaseRuleGroups } from "../../rules/Rulebook.ts"
import { type CataloguedFact, factCatalogue } from "../../rules/explain/catalogue.ts"
import { lines, type Row, table, type Terminal, wrap } from "../Terminal.ts"
import { list, members, objects, optionalKey, string } from "../jsonShapes.ts"
import { readRulesOf, rulesFlag } from "./subject.ts"
import { verb } from "../verb.ts"

const factsShape = members({
  version: string("The release of the rules in `used_by`, or draft."),
  facts: objects(null, {
    fact: Schema.String,
    kind: Schema.Literals(["name", "text", "flag", "count", "rank"]),
    says: string("The meaning of the fact."),
    operators: list(
      Schema.String,
      "lessThan and lessThanInclusive only in policy rules that annotate or add_recommendation."
    ),
    unit: optionalKey(Schema.String, "For a count."),
    max: optionalKey(Schema.Int, "For a rank: the riskiest value; the least risky is 0."),
    names: optionalKey(Schema.Array(Schema.String), "For a name: all its values."),
    only: optionalKey(Schema.Literal("completeness"), "Only factors of this category may use it."),
    usedBy: list(Schema.String, "Codes of the files that use it.")
  })
})

const rules = rulesFlag("The release whose rules are counted (default: the working files)", "draft")

export const listFacts = verb({
  about: "List the facts that a rule can test about an action, and the operators for each",
  takes: { rules },
  prints: factsShape,
  fails: "the rule files cannot be used",
  examples: {
    "": "Every fact by its kind",
    "--rules 1.0.0 --json": "With the rules of a release that use them"
  },
  run: Effect.fnUntraced(function* (options) {
    const facts = factCatalogue(releaseRuleGroups(yield* readRulesOf(options.rules)))
    return {
      json: () => factsDocument(options.rules, facts),
      text: (screen) => renderFacts(screen, facts)
    }
  })
})

const factsDocument = (version: string, facts: ReadonlyArray<CataloguedFact>): typeof factsShape.Type => ({
  version,
  facts: facts.map(({ completenessOnly, kind, ...fact }) => ({
    ...kind,
    ...fact,
    ...(completenessOnly ? { only: "completeness" } : {})
  }))
})

type Kind = CataloguedFact["kind"]["kind"]

const kinds: ReadonlyArray<{ readonly kind: Kind; readonly title: string; readonly asked: string }> = [
  { kind: "name", title: "Names", asked: "equal, notEqual, in and notIn, with the values that are listed" },
  { kind: "text", title: "Texts", asked: "equal, notEqual, in and notIn, compared exactly" },
  { kind: "flag", title: "Flags", asked: "equal and notEqual, true or false" },
  {
    kind: "count",
    title: "Counts",
    asked:
      "greaterThanInclusive and greaterThan, with whole numbers; lessThan and lessThanInclusive only in policy rules that annotate or add_recommendation"
  },
  { kind: "rank", title: "Ranks", asked: "like counts, from 0 up to the riskiest" }
]

const detail = ({ completenessOnly, kind, usedBy }: CataloguedFact): string => {
  const says = kind.kind === "name" ? `${kind.says}: ${kind.names.join(", ")}` : kind.says
  const unit = kind.kind === "count" && !says.includes(kind.unit) ? ` (${kind.unit})` : ""
  const only = completenessOnly && !says.includes("completeness") ? "; known only to completeness rules" : ""
  const unused = usedBy.length === 0 ? " · no rule uses it" : ""
  return `${says}${unit}${only}${unused}`
}

export const renderFacts = (screen: Terminal, facts: ReadonlyArray<CataloguedFact>): string =>
  kinds
    .map(({ asked, kind, title }) => {
      const own = facts.filter((one) => one.kind.kind === kind)
      const rows = own.map((one): Row => [{ text: one.fact, style: "cyan" }, detail(one)])
      const about = wrap(asked, screen.width - 2).map((line) => `  ${screen.color("dim", line)}`)
      return lines(screen.color("bold", title), about, table(screen, rows)).join("\n")
    })
    .join("\n\n")
