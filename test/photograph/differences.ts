/** Differences between the answers of two versions of the product to one call, and a way for a person to read many of them. */

import { diff } from "jsondiffpatch"
import { styleText } from "node:util"
import { type ActionRiskLevel, actionRiskLevels } from "../../src/domain/Opinion.ts"
import { canonicalForm } from "../../src/json/canonical.ts"
import type { Answer, Part } from "./answers.ts"
import { parts } from "./answers.ts"
import type { Call } from "./calls.ts"

interface Risk {
  readonly score: number
  readonly level: ActionRiskLevel
  readonly control: string
}

export interface Difference {
  readonly group: string
  readonly environment: string
  /** The action type, with the command or the resource. One line. */
  readonly call: string
  readonly before: Risk
  readonly after: Risk
  /** For each part that differs, its changed members. One line each. */
  readonly changes: Readonly<Partial<Record<Part, string>>>
}

const lineColumns = 160

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ")
  return line.length > lineColumns ? `${line.slice(0, lineColumns - 1)}…` : line
}

const textOf = ({ action: { actionType, metadata, targetResource } }: Call): string => {
  const command = metadata?.["command"]
  const words = typeof command === "string" ? command : targetResource
  return oneLine(words === undefined ? actionType : `${actionType}: ${words}`)
}

const riskOf = ({ score: { control, level, score } }: Answer): Risk => ({ score, level, control })

/** Undefined for equal answers. The order of members does not count. */
export const differenceOf = (
  group: string,
  call: Call,
  before: Answer,
  after: Answer,
  compared: ReadonlyArray<Part> = parts
): Difference | undefined => {
  const differing = compared.filter((part) => canonicalForm(before[part]) !== canonicalForm(after[part]))
  if (differing.length === 0) return undefined
  const changes = differing.map((part) => [part, oneLine(JSON.stringify(diff(before[part], after[part])))])
  return {
    group,
    environment: call.action.environment,
    call: textOf(call),
    before: riskOf(before),
    after: riskOf(after),
    changes: Object.fromEntries(changes) as Difference["changes"]
  }
}

const risenBy = ({ after, before }: Difference): number => after.score - before.score

const riskText = ({ control, level, score }: Risk): string => `${score} ${level}, ${control}`

const colorOf = (one: Difference): "red" | "yellow" | "cyan" => {
  if (risenBy(one) < 0) return "red"
  return risenBy(one) > 0 ? "yellow" : "cyan"
}

const describe = (one: Difference): ReadonlyArray<string> => {
  const [before, after] = [riskText(one.before), riskText(one.after)]
  const risk = before === after ? after : `${before} → ${after}`
  return [
    `${styleText(colorOf(one), risk)}  ${one.environment}  ${styleText("dim", one.group)}`,
    `  ${one.call}`,
    ...Object.entries(one.changes).map(([part, change]) => styleText("dim", `    ${part} ${change}`))
  ]
}

const columnWidth = 10
const cell = (text: string): string => text.padStart(columnWidth)

/** How many calls went from which level (down) to which level (across). */
const levelTable = (differences: ReadonlyArray<Difference>): ReadonlyArray<string> => {
  const count = (from: ActionRiskLevel, to: ActionRiskLevel): string => {
    const moved = differences.filter(({ after, before }) => before.level === from && after.level === to)
    return moved.length === 0 ? "·" : String(moved.length)
  }
  return [
    cell("") + actionRiskLevels.map(cell).join(""),
    ...actionRiskLevels.map(
      (from) => cell(from) + actionRiskLevels.map((to) => cell(count(from, to))).join("")
    )
  ]
}

/** The counts, the table of levels, and the differences themselves: the deepest falls first. */
export const describeDifferences = (
  calls: number,
  differences: ReadonlyArray<Difference>,
  limit: number
): ReadonlyArray<string> => {
  if (differences.length === 0) return [`${calls} calls, no answer differs`]
  const counts = parts.map((part) => `${part} ${differences.filter(({ changes }) => changes[part]).length}`)
  const falls = differences.filter((one) => risenBy(one) < 0).length
  const rises = differences.filter((one) => risenBy(one) > 0).length
  const groups = [...Map.groupBy(differences, ({ group }) => group)]
  const sorted = differences.toSorted((a, b) => risenBy(a) - risenBy(b))
  return [
    `${calls} calls, ${differences.length} answers differ (${counts.join(", ")}): ${falls} scores fall, ${rises} rise`,
    "",
    ...levelTable(differences),
    "",
    ...groups.map(([group, of]) => `${cell(String(of.length))}  ${group}`),
    "",
    ...sorted.slice(0, limit).flatMap(describe),
    ...(sorted.length > limit
      ? [`… and ${sorted.length - limit} more: --limit ${sorted.length} shows all`]
      : [])
  ]
}
