/** Do the cases hold, and what do they reach? */

import type { Coverage } from "../../../../rules/cases/Coverage.ts"
import { counted, figure } from "../figures.ts"
import { type Markup, markup } from "../markup.ts"
import { prose } from "../prose.ts"
import type { Report } from "../Report.ts"
import { findingsList } from "./findings.ts"
import { section } from "./section.ts"

const lead =
  "Each rule has cases beside it that must and must not raise it, and the calibration holds whole stories to a score. Reached is what a file's own cases make true and false: each rule, each question both ways, each threshold from both sides."

export const casesSection = ({ cases, to }: Report): Markup =>
  section("cases", "Cases", lead, [
    markup`<p>${counted(cases.cases.total, "case")} in ${counted(cases.groups.length, "file")}, tried on ${to.label}; ${cases.cases.failed === 0 ? "none fails" : `${figure(cases.cases.failed)} of them ${cases.cases.failed === 1 ? "fails" : "fail"}`}.</p>`,
    findingsList(cases.findings.filter(({ rule }) => rule !== "uncovered")),
    cases.coverage === undefined ? null : reached(cases.coverage)
  ])

const reached = (coverage: Coverage): Markup => {
  const partly = coverage.codes.filter(({ percent }) => percent < 100)
  const whole = coverage.codes.length - partly.length
  return markup`<h3>What the cases reach</h3>
<p>${figure(coverage.reached)} of ${counted(coverage.reachable, "outcome")} and thresholds, ${coverage.percent} %; ${whole === coverage.codes.length ? "every file is reached in full" : `${counted(whole, "file")} in full`}.</p>
${partly.length === 0 ? null : table(partly)}${coverage.gaps.length === 0 ? null : gaps(coverage)}`
}

const table = (codes: Coverage["codes"]): Markup => markup`<table>
<caption>Reached in part</caption>
<thead><tr><th scope="col">Code</th><th scope="col" class="number">Reached</th><th scope="col" class="number">%</th></tr></thead>
<tbody>
${codes.map(({ code, percent, reachable, reached }) => markup`<tr><td><code>${code}</code></td><td class="number">${figure(reached)} of ${figure(reachable)}</td><td class="number">${percent}</td></tr>\n`)}</tbody>
</table>
`

const gaps = ({
  gaps
}: Coverage): Markup => markup`<details><summary>${counted(gaps.length, "place")} that no case reaches</summary>
<ul class="list">
${gaps.map(({ message, rule }) => markup`<li><code>${rule}</code>: ${prose(message)}</li>\n`)}</ul>
</details>
`
