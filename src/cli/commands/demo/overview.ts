/** All assessed examples as one table, least risky first. */

import type { AssessmentResponse } from "../../../api/AssessmentResponse.ts"
import { headings } from "../../render/headings.ts"
import type { Sheet } from "../../render/Sheet.ts"
import { styleOf } from "../../render/styleOf.ts"
import { type Row, table } from "../../render/table.ts"

export interface Assessed {
  readonly name: string
  readonly response: AssessmentResponse
}

/** From this width on a row holds everything; below, the first factor stands under the control. */
const roomy = 100

export const overview = (sheet: Sheet, assessed: ReadonlyArray<Assessed>): ReadonlyArray<string> => {
  const rows = assessed.toSorted((a, b) => scoreOf(a) - scoreOf(b))
  const titles = ["request", "risk", "", "blast", "recommended control"]
  if (sheet.width >= roomy) {
    const inOne = rows.map((each) => [...cells(each), firstFactor(each)])
    return table(sheet, [headings(...titles, "first factor"), ...inOne])
  }
  const inTwo = rows.flatMap((each): ReadonlyArray<Row> => [
    cells(each),
    ["", "", "", "", { text: firstFactor(each), style: "dim" }]
  ])
  return table(sheet, [headings(...titles), ...inTwo])
}

const scoreOf = ({ response }: Assessed): number => response.action_risk.score

const cells = ({ name, response }: Assessed): Row => {
  const { action_risk: risk, blast_radius: blast, recommended_control: control } = response
  return [
    name,
    { text: risk.level, style: styleOf[risk.level] },
    { text: String(risk.score), align: "right" },
    { text: String(blast.score), align: "right" },
    words(control.type)
  ]
}

const words = (type: string): string =>
  type
    .replace(/_RECOMMENDED$/, "")
    .replaceAll("_", " ")
    .toLowerCase()

const firstFactor = ({ response }: Assessed): string => response.risk_factors[0]?.code ?? ""
