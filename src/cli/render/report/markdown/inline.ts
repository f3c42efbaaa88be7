/** Words that Markdown takes as they are, whoever wrote them: no link, no tag, no mention, no end of a cell. */

import { seen } from "../seen.ts"

const special = /[\\`*_[\]#|~]/g

/** Tags, mentions and bare addresses are only stopped by entities. */
const escaped = (text: string): string =>
  seen(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(special, String.raw`\$&`)
    .replaceAll("@", "&#64;")
    .replaceAll("://", "&#58;//")
    .replaceAll("www.", "www&#46;")
    .replaceAll(/\s+/g, " ")

/** Code in a line or a cell, fenced by more backticks than it holds. */
export const code = (text: string): string => {
  const line = seen(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", String.raw`\|`)
  const runs = line.match(/`+/g) ?? []
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return runs.length === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** A sentence in which backticks mark code. */
export const words = (text: string): string =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? code(part) : escaped(part)))
    .join("")

/** A block of code, whatever stands in it. */
export const block = (language: string, text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

export const folded = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`

export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "-"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
