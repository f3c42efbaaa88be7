/** The blast radius with a bar for each of its six dimensions. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import { bar } from "../bar.ts"
import type { Sheet } from "../Sheet.ts"
import { styleOf } from "../styleOf.ts"
import { type Row, table } from "../table.ts"

type BlastRadius = AssessmentResponse["blast_radius"]

export const renderBlastRadius = (sheet: Sheet, { dimensions, level, score }: BlastRadius) => {
  const row = (name: string, value: number): Row => [
    name.replaceAll("_", " "),
    { text: String(value), align: "right" },
    { text: bar(value), style: "cyan" }
  ]
  return table(sheet, [
    ...Object.entries(dimensions).map(([name, value]) => row(name, value)),
    [
      { text: `together ${level}`, style: styleOf[level] },
      { text: String(score), align: "right" },
      { text: bar(score), style: styleOf[level] === "alarm" ? "red" : styleOf[level] }
    ]
  ])
}
