/** A release as people see it: each gate as a step that is passed or not, then what to do next. */

import { type Gate, gateNames, type ReleaseReport } from "../../rules/release/ReleaseReport.ts"
import { renderFinding } from "./findings/pretty.ts"
import type { Sheet, Style } from "./Sheet.ts"
import { wrap } from "./wrap.ts"

const marks: Readonly<Record<Gate["outcome"], readonly [sign: string, style: Style]>> = {
  passed: ["✔", "green"],
  failed: ["✘", "red"],
  "not run": ["·", "dim"]
}

/** Findings of one gate that are shown; `check` and `test` show them all. */
const findingsMax = 5
const indent = "      "
const nameWidth = Math.max(...gateNames.map((name) => name.length))

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
const secondsWidth = seconds(999_900).length

/** What the gate says, wrapped beside its name, and what was found. */
export const renderGate = (
  sheet: Sheet,
  { findings, ms, name, outcome, says }: Gate
): ReadonlyArray<string> => {
  const [sign, style] = marks[outcome]
  const before = `  ${sign} ${name.padEnd(nameWidth)}  ${seconds(ms).padStart(secondsWidth)}  `
  const shown = `  ${sheet.ink(style, sign)} ${name.padEnd(nameWidth)}  ${sheet.ink("dim", seconds(ms).padStart(secondsWidth))}  `
  const [first = "", ...others] = wrap(
    outcome === "not run" ? `not run: ${says}` : says,
    sheet.width - before.length
  )
  const more = findings.length - findingsMax
  return [
    `${shown}${first}`,
    ...others.map((line) => `${" ".repeat(before.length)}${line}`),
    ...findings
      .slice(0, findingsMax)
      .flatMap((finding) => renderFinding({ ...sheet, width: sheet.width - indent.length }, finding))
      .map((line) => `${indent}${line}`),
    ...(more > 0 ? [`${indent}${sheet.ink("dim", `and ${more} more`)}`] : [])
  ]
}

/** What was written, or why nothing was. */
export const renderEnding = (sheet: Sheet, { frozen, gates, ok }: ReleaseReport): ReadonlyArray<string> => {
  if (frozen !== null) {
    return [
      `${sheet.ink("green", "Frozen")} as ${frozen.file}, digest ${frozen.digest}.`,
      "Next: commit it together with the lock beside it and the changelog. It never changes from now on."
    ]
  }
  const failed = gates.filter(({ outcome }) => outcome === "failed").map(({ name }) => name)
  return [
    ok
      ? "Every gate is passed. Nothing was written: run it again without --dry-run."
      : `Nothing was written. Mend what ${failed.join(", ")} found and run it again.`
  ]
}
