/** What the commands draw on: a width in columns and colors where they are wanted; with wrapped lines, tables and bars. */

import { styleText } from "node:util"
import type { Level } from "../domain/Opinion.ts"
import { shownTextMax } from "../limits.ts"

export type Style = "plain" | "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "alarm"
type ColorText = (style: Style, text: string) => string

export interface Terminal {
  /** Columns. */
  readonly width: number
  readonly color: ColorText
}

const styleFormats = {
  bold: "bold",
  dim: "dim",
  red: "red",
  green: "green",
  yellow: "yellow",
  cyan: "cyan",
  alarm: ["bold", "red", "inverse"]
} as const satisfies Record<Exclude<Style, "plain">, Parameters<typeof styleText>[0]>

/** Longer lines tire the reader, however wide the terminal is. */
const widthMax = 120
const widthWithoutTerminal = 100

/** `styleText` leaves colour out where stdout is no terminal or NO_COLOR is set; FORCE_COLOR insists on it. */
export const terminal = (stdout: NodeJS.WriteStream = process.stdout): Terminal => ({
  width: Math.min(stdout.columns ?? widthWithoutTerminal, widthMax),
  color: (style, text) =>
    style === "plain" ? text : styleText(styleFormats[style], text, { stream: stdout })
})

/** Never coloured: for files, golden output and tests. */
export const plainTerminal = (width: number): Terminal => ({ width, color: (_style, text) => text })

/** Breaks a text at its spaces into lines of at most `width` characters; a longer word keeps its own line. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    if (line === "") line = word
    else if (line.length + 1 + word.length <= width) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** Rows in aligned columns; the last column wraps inside the width that is left to it. */
interface Cell {
  readonly text: string
  readonly style?: Style
  readonly align?: "right"
}
export type Row = ReadonlyArray<Cell | string>

const columnGap = "  "
const lastColumnMin = 20

const cellOf = (cell: Cell | string | undefined): Cell =>
  typeof cell === "object" ? cell : { text: cell ?? "" }

/** One string per line, each starting with `indent` spaces. */
export const table = (sheet: Terminal, rows: ReadonlyArray<Row>, indent = 2): ReadonlyArray<string> => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(0, ...rows.map((row) => cellOf(row[column]).text.length))
  )
  const used = widths.reduce((sum, width) => sum + width + columnGap.length, indent)
  const lastWidth = Math.max(lastColumnMin, sheet.width - used)
  const paint = ({ text, style = "plain", align }: Cell, width: number) => {
    const space = " ".repeat(Math.max(0, width - text.length))
    const ink = sheet.color(style, text)
    return align === "right" ? space + ink : ink + space
  }
  return rows.flatMap((row) => {
    const last = cellOf(row[columns - 1])
    return wrap(last.text, lastWidth).map((text, line) => {
      const cells = widths.map((width, column) =>
        paint(line === 0 ? cellOf(row[column]) : { text: "" }, width)
      )
      return (" ".repeat(indent) + [...cells, paint({ ...last, text }, 0)].join(columnGap)).trimEnd()
    })
  })
}

/** The first row of a table: what its columns are. */
export const headings = (...texts: ReadonlyArray<string>): Row =>
  texts.map((text) => ({ text, style: "dim" }))

/** A score of 0-100 as a bar of blocks. */
const barCells = 20

/** Any score above 0 shows at least one block. */
export const bar = (score: number): string => {
  const filled = Math.ceil((score * barCells) / 100)
  return "█".repeat(filled) + "░".repeat(barCells - filled)
}

/**
 * The ink of a level or a severity: the more it asks for attention, the louder.
 * Severities and priorities are spelled like levels.
 */
export const levelStyle: Readonly<Record<Level, Style>> = {
  minimal: "green",
  low: "green",
  moderate: "yellow",
  high: "red",
  critical: "alarm"
}

/** A text that somebody else wrote, as a terminal may print it: nothing in it that a terminal would obey, and not endless. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, " ").slice(0, shownTextMax)
