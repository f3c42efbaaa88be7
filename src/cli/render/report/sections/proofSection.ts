/** Can anything score lower, how far was that established, and what has been accepted? */

import { acceptedOf } from "../answers.ts"
import { sentence } from "../figures.ts"
import { type Markup, markup } from "../markup.ts"
import { prose } from "../prose.ts"
import type { Report } from "../Report.ts"
import { section } from "./section.ts"
import { witnessOf } from "./witnessOf.ts"

const lead =
  "Whether any request there is could score lower: asked over every combination of facts that a threshold can tell apart, and not on samples."

export const proofSection = (report: Report): Markup => {
  const { proof } = report
  const accepted = acceptedOf(report)
  return section("proof", "Lower scores", lead, [
    markup`<p>${prose(sentence(proof.covers))}</p>`,
    proof.sampled === undefined
      ? null
      : markup`<p class="soft">Tried: ${proof.sampled.requests.toLocaleString("en-US")} requests from seed ${proof.sampled.seed}.</p>`,
    proof.witness === undefined
      ? null
      : markup`<article class="card"><header><h4>It does not hold</h4><span class="chip bad">scores lower</span></header>
${witnessOf(proof.witness)}</article>`,
    accepted.length === 0
      ? null
      : markup`<h3>Accepted in the changelog</h3>
<ul class="list">${accepted.map(({ code, reason }) => markup`<li><code>${code}</code>: ${prose(reason)}</li>`)}</ul>`
  ])
}
