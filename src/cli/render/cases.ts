/** How many cases each file has and how many fail; with coverage, how much of its rules they reach. */

import type { CasesReport, CaseGroup } from "../../rules/cases/CasesReport.ts"
import type { Coverage } from "../../rules/cases/Coverage.ts"
import { headings } from "./headings.ts"
import type { Sheet } from "./Sheet.ts"
import { type Row, table } from "./table.ts"

const figure = (count: number, style: "plain" | "red" = "plain") =>
  ({ text: String(count), align: "right", style }) as const

type Reached = Pick<Coverage, "percent" | "reachable" | "reached">

const shareCells = ({ percent, reachable, reached }: Reached): Row => {
  const style = reached === reachable ? "green" : "yellow"
  return [
    { text: `${percent} %`, align: "right", style },
    { text: `${reached} of ${reachable}`, style }
  ]
}

export const casesTable = (sheet: Sheet, { cases, coverage, groups }: CasesReport): ReadonlyArray<string> => {
  const reachedBy = ({ of }: CaseGroup): Row => {
    const own = coverage?.codes.find(({ code }) => code === of)
    if (own !== undefined) return shareCells(own)
    return coverage === undefined ? [] : ["", ""]
  }
  const rows = groups.map((group): Row => [
    group.of,
    figure(group.cases),
    figure(group.failed, group.failed > 0 ? "red" : "plain"),
    ...reachedBy(group)
  ])
  const sum: Row = [
    { text: "together", style: "bold" },
    figure(cases.total),
    figure(cases.failed, cases.failed > 0 ? "red" : "plain"),
    ...(coverage === undefined ? [] : shareCells(coverage))
  ]
  const head = headings("cases beside", "cases", "failed", ...(coverage === undefined ? [] : ["", "reached"]))
  return table(sheet, [head, ...rows, sum], 0)
}
