/** The report as Markdown for a pull request comment: answers first, long parts in `<details>`. */

import { actionRiskLevels } from "../../domain/Opinion.ts"
import type { LocatedFinding } from "../../rules/Finding.ts"
import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import { type Compared, moveBetween, moveText } from "../../rules/ScoreAndControl.ts"
import type { Witness } from "../../rules/counterexample/findWitness.ts"
import { lines } from "../Terminal.ts"
import { type Change, changeKinds } from "../../rules/diff/Diff.ts"
import { escapeInvisible } from "../../foreignText.ts"
import { asCase, counted, figure, pasteableJson, sentence, signed } from "../texts.ts"
import {
  acceptedOf,
  actionTypeOf,
  answersOf,
  type AnswerState,
  type ComparedVersion,
  groupMoves,
  ofKind,
  reasonsOf,
  type Report
} from "./Report.ts"

/** GitHub limits a comment to 65,536 characters. The HTML page shows everything. */
const rowsShownMax = 20

const marks: Readonly<Record<AnswerState, string>> = { good: "✅", look: "⚠️", bad: "❌", none: "➖" }

const model = ({ digest, label, version }: ComparedVersion): string =>
  `${inlineCode(label)}${label.endsWith(version) ? "" : `, version ${markdownText(version)}`} (${inlineCode(digest.slice(0, 8))})`

export const reportMarkdown = (report: Report): string => {
  const { backtest, date, from, of, to } = report
  const subject = of === "rules" ? "Risk rules" : "Customer policies"
  const history = backtest === null ? "" : `, history ${inlineCode(backtest.history)}`
  return `${[
    `## ${subject}: ${inlineCode(from.label)} → ${inlineCode(to.label)}`,
    markdownTable(
      ["", "", ""],
      answersOf(report).map(({ question, state, statement }) => [
        marks[state],
        `**${question}**`,
        markdownText(statement)
      ])
    ),
    `Before ${model(from)}, after ${model(to)}${history}${date === null ? "" : `, made on ${date}`}.`,
    ...findings("Findings of the check", report.check.findings),
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
  found.length === 0 ? [] : [folded(`${heading} (${found.length})`, findingRows(found))]

const findingRows = (found: ReadonlyArray<LocatedFinding>): string =>
  lines(
    markdownTable(
      ["", "Where", "What"],
      found
        .slice(0, rowsShownMax)
        .map(({ column, file, line, message, severity }) => [
          severity,
          inlineCode(`${file}:${line}:${column}`),
          markdownText(message)
        ])
    ),
    found.length > rowsShownMax && `And ${counted(found.length - rowsShownMax, "more finding")}.`
  ).join("\n\n")

const movesOf = ({ from, to }: Compared): string => {
  const { points, steps } = moveBetween(from, to)
  const score = points === 0 ? `${from.score}` : `${from.score} → **${to.score}** (${signed(points)})`
  return steps === 0 ? score : `${score}, ${from.control} → **${to.control}**`
}

const changes = ({ diff }: Report): ReadonlyArray<string> => {
  if (diff.changes.length === 0) return []
  const ordered = changeKinds.flatMap((kind) => ofKind(diff.changes, kind))
  const rows = ordered.map((change) => [
    inlineCode(change.code),
    change.kind,
    markdownText(change.summary),
    witnessesOf(change).map(movesOf).join(", ")
  ])
  const witnesses = ordered
    .flatMap((change) =>
      witnessesOf(change).map((one) => `${inlineCode(change.code)}\n\n${witnessCode(one)}`)
    )
    .slice(0, rowsShownMax)
  return lines(
    `### Changes (${diff.changes.length})`,
    markdownTable(["Code", "Kind", "What", "Score and control, for example"], rows),
    witnesses.length > 0 &&
      folded("The requests that show them, ready to paste into a case", witnesses.join("\n\n"))
  )
}

const witnessesOf = ({ risingWitness, witness }: Change): ReadonlyArray<Witness> =>
  [witness, risingWitness].filter((one) => one !== undefined)

const witnessCode = (witness: Witness): string => fencedCode("json", pasteableJson(asCase(witness)))

const proof = (report: Report): ReadonlyArray<string> => {
  const { covers, witness } = report.proof
  return lines(
    "### Falls",
    markdownText(sentence(covers)),
    witness !== undefined && folded(`A request ${moveText(witness)}`, witnessCode(witness)),
    acceptedOf(report).map(
      ({ code: name, reason }) => `Accepted for ${inlineCode(name)}, because ${markdownText(reason)}`
    )
  )
}

const changelog = ({ changelog }: Report): ReadonlyArray<string> =>
  changelog === null
    ? []
    : [
        folded(
          `Changelog of ${markdownText(changelog.version)}`,
          changelog.items.map(({ moves, text }) => `- ${moves ? "★ " : ""}${markdownText(text)}`).join("\n")
        )
      ]

const movesShownMax = 10

const moves = (list: ReadonlyArray<Move>): string =>
  markdownTable(
    ["Action", "Times", "Before", "After", "Control", "Why"],
    groupMoves(list)
      .slice(0, movesShownMax)
      .map(({ count, move }) => [
        inlineCode(actionTypeOf(move)),
        figure(count),
        `${move.from.score} ${move.from.level}`,
        `**${move.to.score} ${move.to.level}**`,
        move.from.control === move.to.control ? "" : `${move.from.control} → **${move.to.control}**`,
        markdownText(reasonsOf(move).join("; "))
      ])
  )

const transitions = ({ transitions }: Backtest): string =>
  markdownTable(
    ["before ↓ after →", ...actionRiskLevels],
    actionRiskLevels.map((from) => [
      `**${from}**`,
      ...actionRiskLevels.map((to) => (transitions[from][to] === 0 ? "" : figure(transitions[from][to])))
    ])
  )

const backtestMarkdown = (result: Backtest): ReadonlyArray<string> => {
  const { counts, falls, movers, weakened } = result
  return lines(
    "### Backtest",
    transitions(result),
    counts.falls > 0 && [`**Falls in level (${figure(counts.falls)})**`, moves(falls)],
    counts.weakened > 0 && [`**Weaker controls (${figure(counts.weakened)})**`, moves(weakened)],
    movers.length > 0 && folded("The largest moves", moves(movers))
  )
}

/** Characters that would become formatting, a link, a tag, a mention or the end of a table cell. */
const special = /[\\`*_[\]#|~]/g

/** A backslash does not prevent tags, mentions and bare addresses, so these are written with entities. */
const escaped = (text: string): string =>
  escapeInvisible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(special, String.raw`\$&`)
    .replaceAll("@", "&#64;")
    .replaceAll("://", "&#58;//")
    .replaceAll("www.", "www&#46;")
    .replaceAll(/\s+/g, " ")

/** Inline code, between more backticks than it contains. */
export const inlineCode = (text: string): string => {
  const line = escapeInvisible(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", String.raw`\|`)
  const runs = line.match(/`+/g) ?? []
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return runs.length === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** A sentence in which backticks mark code. */
export const markdownText = (text: string): string =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? inlineCode(part) : escaped(part)))
    .join("")

export const fencedCode = (language: string, text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const folded = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`

const markdownTable = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "-"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
