/** A factor or a typology for people. */

import { hazardsOf } from "../../../rules/catalogue/catalogue.ts"
import type { Exhibit } from "../../../rules/catalogue/exhibit.ts"
import { describeCondition } from "../../../rules/describeCondition.ts"
import { casesText, renderExhibit } from "../exhibit.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import type { Row } from "../table.ts"
import { hazardText } from "./list.ts"

const releasesText = ({ releases }: Exhibit): string =>
  releases.length === 0
    ? "not released yet"
    : releases.map(({ same, version }) => (same ? version : `${version} (differs)`)).join(", ")

const rulesOf = (one: Exhibit): ReadonlyArray<Row> =>
  one.kind === "factor"
    ? one.rules.map(({ condition, match: { severity } }) => [
        { text: severity, style: styleOf[severity] },
        `when ${describeCondition(condition)}`
      ])
    : one.rules.map(({ condition, match }) => [
        { text: `at least ${match.floor}`, style: "alarm" },
        `when ${describeCondition(condition)}`
      ])

export const renderExhibitedRule = (sheet: Sheet, one: Exhibit): string => {
  const { lifecycle, message, misses, why } = one.described
  const hazard = one.kind === "factor" ? hazardText(hazardsOf(one)) : ""
  const recommends = one.kind === "factor" ? one.described.recommendations.join(", ") : ""
  return renderExhibit(sheet, {
    name: one.code,
    aside: `${one.kind === "factor" ? one.described.category : "typology"}, ${lifecycle}`,
    sentence: message,
    rules: rulesOf(one),
    notes: [
      ["why", why],
      ["misses", misses],
      ...(recommends === "" ? [] : [["recommends", recommends] as const]),
      ...(hazard === "" ? [] : [["hazard", hazard] as const]),
      ["cases", casesText(one.cases)],
      ["releases", releasesText(one)],
      ["file", one.file]
    ]
  })
}
