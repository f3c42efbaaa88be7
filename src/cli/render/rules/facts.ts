/** The facts by kind: how each kind is asked, then each fact with what it says. */

import type { CataloguedFact } from "../../../rules/catalogue/factCatalogue.ts"
import type { Sheet } from "../Sheet.ts"
import { table } from "../table.ts"
import { wrap } from "../wrap.ts"

type Kind = CataloguedFact["kind"]["kind"]

const kinds: ReadonlyArray<{ readonly kind: Kind; readonly title: string; readonly asked: string }> = [
  { kind: "name", title: "Names", asked: "equal, notEqual, in and notIn, with the values that are listed" },
  { kind: "text", title: "Texts", asked: "equal, notEqual, in and notIn, letter for letter" },
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
  const unused = usedBy.length === 0 ? " · no rule asks it" : ""
  return `${says}${unit}${only}${unused}`
}

export const renderFacts = (sheet: Sheet, facts: ReadonlyArray<CataloguedFact>): string =>
  kinds
    .map(({ asked, kind, title }) => [
      sheet.ink("bold", title),
      ...wrap(asked, sheet.width - 2).map((line) => `  ${sheet.ink("dim", line)}`),
      ...table(
        sheet,
        facts
          .filter((one) => one.kind.kind === kind)
          .map((one) => [{ text: one.fact, style: "cyan" }, detail(one)])
      )
    ])
    .map((lines) => lines.join("\n"))
    .join("\n\n")
