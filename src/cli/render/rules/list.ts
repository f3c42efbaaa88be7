/** Factors by category, each with its ladder of severities, then the typologies with their floors. */

import { severities } from "../../../domain/RiskFactor.ts"
import {
  type CataloguedFactor,
  type CataloguedTypology,
  hazardsOf,
  severitiesOf
} from "../../../rules/catalogue/catalogue.ts"
import { headings } from "../headings.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import { type Row, table } from "../table.ts"

/** 0.15, or 0.08-0.35 where its rules carry several. */
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
      style: styleOf[severity]
    })),
    hazardText(hazardsOf(factor))
  ]
}

const typologyRow = ({ code, described }: CataloguedTypology): Row => [
  { text: String(described.floor), align: "right" },
  named(code, described.lifecycle)
]

export const renderRuleList = (
  sheet: Sheet,
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
    return [...(i === 0 ? [] : [""]), sheet.ink("bold", category), ...own]
  })
  const summary = `${factors.length} factors, ${typologies.length} typologies`
  return [
    sheet.ink("bold", "Factors"),
    head,
    ...groups,
    "",
    sheet.ink("bold", "Typologies") +
      sheet.ink("dim", ", with the score that each does not let an action stay below"),
    ...table(sheet, typologies.map(typologyRow)),
    "",
    sheet.ink("dim", `${summary}; action-risk rules show <code> tells one`)
  ].join("\n")
}
