/** The page of codes: every control, factor and recommendation, and what the caller should do about it. */

import type { ExplainedCode } from "../../rules/codes.ts"
import { pageText, pageOf, pageProse } from "./page.ts"

const sections: ReadonlyArray<{
  readonly kind: ExplainedCode["kind"]
  readonly title: string
  readonly lead: string
}> = [
  {
    kind: "control",
    title: "Controls",
    lead: "`recommended_control.type`, weakest first. An answer recommends the strongest that applies."
  },
  {
    kind: "factor",
    title: "Risk factors",
    lead: "`risk_factors[].code`: the reasons that were found. New codes can be added; the meaning of a code never changes."
  },
  {
    kind: "recommendation",
    title: "Recommendations",
    lead: "`recommendations[]`. The policies of an organization can add codes of their own."
  }
]

const row = ({ category, code, expects, why }: ExplainedCode): string =>
  `<tr id="${code}"><td><a href="#${code}">${code}</a></td><td>${category === undefined ? "" : pageText(category)}</td><td>${pageProse(expects)}${why === undefined || why === expects ? "" : `<br><small>${pageProse(why)}</small>`}</td></tr>`

export const codesPage = (codes: ReadonlyArray<ExplainedCode>): string =>
  pageOf(
    "Codes",
    `<p class="lead">What each code of an answer expects of its reader. Codes are stable and meant for programs; messages are meant
for people and may change.</p>
${sections
  .map(
    ({ kind, lead, title }) => `<section aria-labelledby="${kind}s">
  <h2 id="${kind}s">${title}</h2>
  <p>${pageProse(lead)}</p>
  <table>
  <thead><tr><th scope="col">Code</th><th scope="col">Category</th><th scope="col">What is expected of you</th></tr></thead>
  <tbody>${codes
    .filter((one) => one.kind === kind)
    .map(row)
    .join("")}</tbody>
  </table>
</section>`
  )
  .join("\n")}`
  )
