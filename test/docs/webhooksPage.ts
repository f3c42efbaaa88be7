/** The generated parts of docs/webhooks.md: the files that it shows, and the schedule of attempts. */

import { webhookDelaysSeconds } from "../../src/limits.ts"

const shown = /(?<=^<!-- is the file: (?<path>\S+) -->\n+```[a-z]+\n)[\s\S]*?(?=```$)/gm
const schedule = /(?<=^<!-- the schedule -->\n+)(?:\|.*\n)+/m

const duration = (seconds: number): string => {
  if (seconds < 60) return `${seconds} seconds`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} minutes`
  return `${Math.round(seconds / 3_600)} hours`
}

const scheduleRows = (): ReadonlyArray<ReadonlyArray<string>> => {
  let after = 0
  const retries = webhookDelaysSeconds.map((wait, at) => {
    after += wait
    return [String(at + 2), duration(wait), duration(after)]
  })
  return [["1", "at once", ""], ...retries]
}

const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const head = ["Attempt", "After the one before", "After the first, about"]
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("")
}

/** The page as it should be. `read` gives a file of the checkout. */
export const webhooksPage = (text: string, read: (path: string) => string): string =>
  text.replace(shown, (_block, path: string) => read(path)).replace(schedule, tableOf(scheduleRows()))
