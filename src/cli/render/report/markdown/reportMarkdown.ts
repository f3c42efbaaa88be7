/** The report as Markdown for a comment on a pull request: the answers first, everything longer folded away. */

import type { LocatedFinding } from "../../../../rules/LocatedFinding.ts"
import { changeKinds } from "../../../../rules/diff/Diff.ts"
import { acceptedOf, answersOf, ofKind, type State } from "../answers.ts"
import { counted, sentence, signed } from "../figures.ts"
import { asCase, pasteable } from "../pasteable.ts"
import type { Edition, Report } from "../Report.ts"
import { backtestMarkdown } from "./backtestMarkdown.ts"
import { block, code, folded, table, words } from "./inline.ts"

/** A comment has 65,536 characters; the page has room for everything. */
const shownMax = 20

const marks: Readonly<Record<State, string>> = { good: "✅", look: "⚠️", bad: "❌", none: "➖" }

const edition = ({ digest, label, version }: Edition): string =>
  `${code(label)}${label.endsWith(version) ? "" : `, version ${words(version)}`} (${code(digest.slice(0, 8))})`

export const reportMarkdown = (report: Report): string => {
  const { backtest, date, from, of, to } = report
  const subject = of === "rules" ? "Risk rules" : "Customer policies"
  const history = backtest === null ? "" : `, history ${code(backtest.history)}`
  return `${[
    `## ${subject}: ${code(from.label)} → ${code(to.label)}`,
    table(
      ["", "", ""],
      answersOf(report).map(({ question, state, statement }) => [
        marks[state],
        `**${question}**`,
        words(statement)
      ])
    ),
    `Before ${edition(from)}, after ${edition(to)}${history}${date === null ? "" : `, made on ${date}`}.`,
    ...findings("What the check found", report.check.findings),
    ...findings(
      "Cases that fail",
      report.cases.findings.filter(({ rule }) => rule !== "uncovered")
    ),
    ...changes(report),
    ...proof(report),
    ...(backtest === null ? [] : backtestMarkdown(backtest.result)),
    ...changelog(report)
  ].join("\n\n")}\n`
}

const findings = (heading: string, found: ReadonlyArray<LocatedFinding>): ReadonlyArray<string> =>
  found.length === 0
    ? []
    : [
        folded(
          `${heading} (${found.length})`,
          [
            table(
              ["", "Where", "What"],
              found
                .slice(0, shownMax)
                .map(({ column, file, line, message, severity }) => [
                  severity,
                  code(`${file}:${line}:${column}`),
                  words(message)
                ])
            ),
            ...(found.length > shownMax ? [`And ${counted(found.length - shownMax, "more finding")}.`] : [])
          ].join("\n\n")
        )
      ]

const scores = (from: number, to: number): string => `${from} → **${to}** (${signed(to - from)})`

const changes = ({ diff }: Report): ReadonlyArray<string> => {
  if (diff.changes.length === 0) return []
  const ordered = changeKinds.flatMap((kind) => ofKind(diff.changes, kind))
  const rows = ordered.map(({ code: name, kind, summary, witness }) => [
    code(name),
    kind,
    words(summary),
    witness === undefined ? "" : scores(witness.fromScore, witness.toScore)
  ])
  const witnesses = ordered
    .flatMap(({ code: name, witness }) => (witness === undefined ? [] : [{ name, witness }]))
    .slice(0, shownMax)
    .map(({ name, witness }) => [code(name), block("json", pasteable(asCase(witness)))].join("\n\n"))
  return [
    `### Changes (${diff.changes.length})`,
    table(["Code", "Kind", "What", "Score, for example"], rows),
    ...(witnesses.length === 0
      ? []
      : [folded("The requests that show them, ready to paste into a case", witnesses.join("\n\n"))])
  ]
}

const proof = (report: Report): ReadonlyArray<string> => {
  const { covers, witness } = report.proof
  return [
    "### Lower scores",
    words(sentence(covers)),
    ...(witness === undefined
      ? []
      : [
          folded(
            `A request that scores ${witness.fromScore} before and ${witness.toScore} after`,
            block("json", pasteable(asCase(witness)))
          )
        ]),
    ...acceptedOf(report).map(
      ({ code: name, reason }) => `Accepted for ${code(name)}, because ${words(reason)}`
    )
  ]
}

const changelog = ({ changelog }: Report): ReadonlyArray<string> =>
  changelog === null
    ? []
    : [
        folded(
          `Changelog of ${words(changelog.version)}`,
          changelog.items.map(({ moves, text }) => `- ${moves ? "★ " : ""}${words(text)}`).join("\n")
        )
      ]
