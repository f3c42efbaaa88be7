/** The report as one HTML page without scripts, network requests or fonts of its own. */

import { createHash } from "node:crypto"
import type { Coverage } from "../../rules/cases/coverage.ts"
import type { Change, ChangeKind } from "../../rules/diff/Diff.ts"
import { counted, figure, sentence } from "../texts.ts"
import {
  acceptedOf,
  answersOf,
  type AnswerState,
  type ComparedVersion,
  ofKind,
  type Report,
  type ReportAnswer
} from "./Report.ts"
import { backtestSection } from "./backtestSection.ts"
import { type Markup, markup, prose, trustedMarkup } from "../../markup.ts"
import { findingsList, section, witnessMarkup } from "./sections.ts"
import { reportStyles } from "./styles.ts"

/** A second safeguard after escaping: injected HTML could neither load nor run anything. */
const contentPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(reportStyles).digest("base64")}'; base-uri 'none'; form-action 'none'`

const marks: Readonly<Record<AnswerState, readonly [sign: string, label: string]>> = {
  good: ["✓", "good"],
  look: ["!", "look at it"],
  bad: ["✕", "against it"],
  none: ["–", "not asked"]
}

const answer = ({ question, section, state, statement }: ReportAnswer): Markup => {
  const [sign, label] = marks[state]
  return markup`<li><span class="mark ${state}" role="img" aria-label="${label}">${sign}</span><a href="#${section}">${question}</a><span>${prose(statement)}</span></li>
`
}

const model = (word: string, { digest, label, version }: ComparedVersion): Markup =>
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
<style>${trustedMarkup(reportStyles)}</style>
</head>
<body>
<main>
<p class="eyebrow">${subject}, for review</p>
<h1>${from.label}<span class="arrow"> → </span>${to.label}</h1>
<dl class="meta">${model("before", from)}${model("after", to)}${
    backtest === null ? null : markup`<dt>history</dt><dd>${backtest.history}</dd>`
  }${date === null ? null : markup`<dt>made on</dt><dd>${date}</dd>`}</dl>
<ul class="answers">
${answersOf(report).map(answer)}</ul>
${[checkSection, casesSection, changesSection, proofSection, backtestSection, changelogSection].map((part) => part(report))}
<p class="foot">Made by action-risk. This page is about the rules; the reviewer decides whether to merge them.</p>
</main>
</body>
</html>
`.html
}

const checkLead =
  "The working files were parsed, typed and linted: unknown names, conditions that never or always hold, rules that other rules hide, thresholds without cases on both sides, and releases that were edited."

const checkSection = ({ check }: Report): Markup =>
  section("check", "Check", checkLead, [
    check.findings.length === 0 ? markup`<p>Nothing was found in ${counted(check.files, "file")}.</p>` : null,
    findingsList(check.findings)
  ])

const casesLead =
  "Next to each rule are cases that must and must not raise it, and the calibration holds whole stories to a score. A file's own cases cover its outcomes if they make each rule and each condition true and false, and each threshold from both sides."

const casesSection = ({ cases, to }: Report): Markup =>
  section("cases", "Cases", casesLead, [
    markup`<p>${counted(cases.cases.total, "case")} in ${counted(cases.groups.length, "file")}, tried on ${to.label}; ${cases.cases.failed === 0 ? "none fails" : `${figure(cases.cases.failed)} of them ${cases.cases.failed === 1 ? "fails" : "fail"}`}.</p>`,
    findingsList(cases.findings.filter(({ rule }) => rule !== "uncovered")),
    cases.coverage === undefined ? null : reached(cases.coverage)
  ])

const reached = (coverage: Coverage): Markup => {
  const partly = coverage.codes.filter(({ percent }) => percent < 100)
  const whole = coverage.codes.length - partly.length
  return markup`<h3>What the cases reach</h3>
<p>${figure(coverage.reached)} of ${counted(coverage.reachable, "outcome")} and thresholds, ${coverage.percent} %; ${whole === coverage.codes.length ? "every file is reached in full" : `${counted(whole, "file")} in full`}.</p>
${partly.length === 0 ? null : coverageTable(partly)}${coverage.gaps.length === 0 ? null : gaps(coverage)}`
}

const coverageTable = (codes: Coverage["codes"]): Markup => markup`<table>
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

const changesLead =
  "The differences between the two, by code. Looser changes can only lower what is found, stricter ones only raise it, and moved ones do both; changes in wording affect no score and no control."

const kindHeadings: ReadonlyArray<readonly [ChangeKind, heading: string, chip: string]> = [
  ["looser", "Looser", "fall"],
  ["moved", "Moved both ways", "look"],
  ["stricter", "Stricter", "rise"],
  ["text", "In words only", "none"]
]

const changesSection = ({ diff: { changes } }: Report): Markup =>
  section("changes", "Changes", changesLead, [
    changes.length === 0 ? markup`<p>There are none.</p>` : null,
    ...kindHeadings.map(([kind, heading, chip]) => {
      const own = ofKind(changes, kind)
      const shown = kind === "text" ? changeList(own) : own.map((change) => changeCard(change, chip))
      return own.length === 0 ? null : markup`<h3>${heading} (${own.length})</h3>\n${shown}`
    })
  ])

const changeList = (changes: ReadonlyArray<Change>): Markup =>
  markup`<ul class="list">${changes.map(changeItem)}</ul>`

const changeItem = ({ code, details, summary }: Change): Markup =>
  markup`<li><code>${code}</code>: ${prose(summary)}${linesOf(summary, details)}</li>
`

const changeCard = (change: Change, chip: string): Markup => {
  const { code, details, kind, risingWitness, summary, witness } = change
  return markup`<article class="card"><header><h4>${code}</h4><span class="chip ${chip}">${kind}</span></header>
<p>${prose(summary)}</p>
${linesOf(summary, details)}${
    witness === undefined
      ? markup`<p class="soft">No request was found that scores differently because of it.</p>`
      : witnessMarkup(witness)
  }${risingWitness === undefined ? null : witnessMarkup(risingWitness, "And in the other direction, for example")}</article>
`
}

/** The changed lines, unless the summary already states the only one. */
const linesOf = (summary: string, details: ReadonlyArray<string>): Markup | null =>
  details.length === 0 || (details.length === 1 && details[0] === summary)
    ? null
    : markup`<details><summary>Line by line (${details.length})</summary><ul>${details.map((detail) => markup`<li>${prose(detail)}</li>`)}</ul></details>
`

const proofLead =
  "Whether any possible request could score lower or get a weaker control: tested on every combination of facts that a threshold can distinguish, not on samples."

const proofSection = (report: Report): Markup => {
  const { proof } = report
  const accepted = acceptedOf(report)
  return section("proof", "Falls", proofLead, [
    markup`<p>${prose(sentence(proof.covers))}</p>`,
    proof.sampled === undefined
      ? null
      : markup`<p class="soft">Tried: ${figure(proof.sampled.requests)} requests.</p>`,
    proof.witness === undefined
      ? null
      : markup`<article class="card"><header><h4>It does not hold</h4><span class="chip bad">falls</span></header>
${witnessMarkup(proof.witness)}</article>`,
    accepted.length === 0
      ? null
      : markup`<h3>Accepted in the changelog</h3>
<ul class="list">${accepted.map(({ code, reason }) => markup`<li><code>${code}</code>: ${prose(reason)}</li>`)}</ul>`
  ])
}

const changelogSection = ({ changelog, to }: Report): Markup =>
  changelog === null
    ? section("changelog", "Changelog", `It has no entry for ${to.version} yet.`, [])
    : section(
        "changelog",
        "Changelog",
        `The entry for ${changelog.version}. A star marks what can move a score.`,
        [
          markup`<ul class="list">
${changelog.items.map(({ moves, text }) => markup`<li>${moves ? markup`<span class="look">★</span> ` : null}${prose(text)}</li>\n`)}</ul>`
        ]
      )
