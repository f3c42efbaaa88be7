/** The report as one HTML page that needs nothing else: no script, no network, no font of its own. */

import { createHash } from "node:crypto"
import { type Answer, answersOf, type State } from "./answers.ts"
import { type Markup, markup, ours } from "./markup.ts"
import { prose } from "./prose.ts"
import type { Edition, Report } from "./Report.ts"
import { casesSection } from "./sections/casesSection.ts"
import { backtestSection } from "./sections/backtestSection.ts"
import { changelogSection } from "./sections/changelogSection.ts"
import { changesSection } from "./sections/changesSection.ts"
import { checkSection } from "./sections/checkSection.ts"
import { proofSection } from "./sections/proofSection.ts"
import { styles } from "./styles.ts"

/** Even what would slip through the escaping could load and run nothing. */
const contentPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(styles).digest("base64")}'; base-uri 'none'; form-action 'none'`

const marks: Readonly<Record<State, readonly [sign: string, said: string]>> = {
  good: ["✓", "good"],
  look: ["!", "look at it"],
  bad: ["✕", "stands against it"],
  none: ["–", "not asked"]
}

const answer = ({ question, section, state, statement }: Answer): Markup => {
  const [sign, said] = marks[state]
  return markup`<li><span class="mark ${state}" role="img" aria-label="${said}">${sign}</span><a href="#${section}">${question}</a><span>${prose(statement)}</span></li>
`
}

const edition = (word: string, { digest, label, version }: Edition): Markup =>
  markup`<dt>${word}</dt><dd>${label.endsWith(version) ? label : `${label}, version ${version}`}, digest <code>${digest.slice(0, 8)}</code></dd>`

export const reportPage = (report: Report): string => {
  const { backtest, date, from, to } = report
  const subject = report.of === "rules" ? "Risk rules" : "Customer policies"
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}: ${from.label} → ${to.label}</title>
<style>${ours(styles)}</style>
</head>
<body>
<main>
<p class="eyebrow">${subject}, for review</p>
<h1>${from.label}<span class="arrow"> → </span>${to.label}</h1>
<dl class="meta">${edition("before", from)}${edition("after", to)}${
    backtest === null ? null : markup`<dt>history</dt><dd>${backtest.history}</dd>`
  }${date === null ? null : markup`<dt>made on</dt><dd>${date}</dd>`}</dl>
<ul class="answers">
${answersOf(report).map(answer)}</ul>
${[checkSection, casesSection, changesSection, proofSection, backtestSection, changelogSection].map((part) => part(report))}
<p class="foot">Made by action-risk. What is said here is about the rules; whether to merge them is for the reviewer.</p>
</main>
</body>
</html>
`.html
}
