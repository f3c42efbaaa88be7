/** The line of a file that a finding is about, with a mark under what is meant. */

import type { LocatedFinding } from "../../../rules/LocatedFinding.ts"

interface Excerpt {
  readonly text: string
  /** As wide as the indent and the marks under the text. */
  readonly marks: string
}

/** A text, a number or a word as JSON writes it; else one character. */
const token = /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)/

const cut = "… "

/** Null where the line is not there or is empty. */
export const excerpt = (
  line: string | undefined,
  { column }: Pick<LocatedFinding, "column">,
  width: number
): Excerpt | null => {
  if (line === undefined || line.trim() === "") return null
  const start = column - 1
  const indent = Math.min(line.length - line.trimStart().length, start)
  const [meant = " "] = token.exec(line.slice(start)) ?? []
  const end = start + Math.min(meant.length, width - cut.length)
  // A long line is cut in front, so that what is meant is still on it.
  const from = end - indent <= width ? indent : end - width + cut.length
  const lead = from === indent ? "" : cut
  const shown = lead + line.slice(from).replaceAll(/\p{C}/gu, " ")
  return {
    text: shown.slice(0, width),
    marks: " ".repeat(lead.length + start - from) + "^".repeat(end - start)
  }
}
