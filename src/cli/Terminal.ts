/** Layout for terminals: the width, colors if allowed, wrapped lines, tables and bars. */

import { styleText } from "node:util"
import type { Level } from "../domain/Opinion.ts"
import { shownTextMax } from "../limits.ts"
import { escapeInvisible, onOneLine } from "../foreignText.ts"

export type Style = "plain" | "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "alarm"
type ColorText = (style: Style, text: string) => string

export interface Terminal {
  /** In columns. */
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

/** Lines are no longer than this even in a wider terminal, because long lines are hard to read. */
const widthMax = 120
const widthWithoutTerminal = 100

/** `styleText` adds no color if stdout is not a terminal or NO_COLOR is set. FORCE_COLOR overrides that. */
export const currentTerminal = (stdout: NodeJS.WriteStream = process.stdout): Terminal => ({
  width: Math.min(stdout.columns ?? widthWithoutTerminal, widthMax),
  color: (style, text) =>
    style === "plain"
      ? escapeInvisible(text)
      : styleText(styleFormats[style], escapeInvisible(text), { stream: stdout })
})

/** Without colors: for files, golden output and tests. */
export const plainTerminal = (width: number): Terminal => ({
  width,
  color: (_style, text) => escapeInvisible(text)
})

/** Breaks a text at spaces into lines of at most `width` characters. A longer word gets its own line. For texts without colors. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/).map(escapeInvisible)) {
    if (line === "") line = word
    else if (line.length + 1 + word.length <= width) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** A text wrapped to the width of the terminal, each line indented by `indent` spaces. */
export const paragraph = (screen: Terminal, text: string, indent = 2): ReadonlyArray<string> =>
  wrap(text, screen.width - indent).map((line) => " ".repeat(indent) + line)

interface Cell {
  readonly text: string
  readonly style?: Style
  readonly align?: "right"
}
export type Row = ReadonlyArray<Cell | string>

const columnGap = "  "
const lastColumnMin = 20

/** Escapes line breaks and invisible characters, so that no text can leave its cell. */
const cellOf = (cell: Cell | string | undefined): Cell => {
  const { text, ...rest } = typeof cell === "object" ? cell : { text: cell ?? "" }
  return { ...rest, text: onOneLine(text) }
}

/** Rows in aligned columns, one string per line, each indented by `indent` spaces. The last column wraps within the remaining width. */
export const table = (screen: Terminal, rows: ReadonlyArray<Row>, indent = 2): ReadonlyArray<string> => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(0, ...rows.map((row) => cellOf(row[column]).text.length))
  )
  const used = widths.reduce((sum, width) => sum + width + columnGap.length, indent)
  const lastWidth = Math.max(lastColumnMin, screen.width - used)
  const paint = ({ text, style = "plain", align }: Cell, width: number) => {
    const space = " ".repeat(Math.max(0, width - text.length))
    const colored = screen.color(style, text)
    return align === "right" ? space + colored : colored + space
  }
  return rows.flatMap((row) => {
    const given = row[columns - 1]
    const last = typeof given === "object" ? given : { text: given ?? "" }
    return wrap(last.text, lastWidth).map((text, line) => {
      const cells = widths.map((width, column) =>
        paint(line === 0 ? cellOf(row[column]) : { text: "" }, width)
      )
      return (" ".repeat(indent) + [...cells, paint({ ...last, text }, 0)].join(columnGap)).trimEnd()
    })
  })
}

/** Flattens parts, each of which may be one line, several or none. */
export const lines = (
  ...parts: ReadonlyArray<string | ReadonlyArray<string> | false | null | undefined>
): ReadonlyArray<string> => parts.flatMap((part) => (part === false ? [] : (part ?? [])))

/** Titled groups of lines, each preceded by an empty line. A group without lines is omitted with its title. */
export const titled = (
  screen: Terminal,
  parts: Readonly<Record<string, ReadonlyArray<string>>>
): ReadonlyArray<string> =>
  Object.entries(parts).flatMap(([title, lines]) =>
    lines.length === 0 ? [] : ["", screen.color("bold", title), ...lines]
  )

export const headings = (...texts: ReadonlyArray<string>): Row =>
  texts.map((text) => ({ text, style: "dim" }))

const barCells = 20

/** A score of 0-100 as a bar. Any score above 0 shows at least one block. */
export const bar = (score: number): string => {
  const filled = Math.ceil((score * barCells) / 100)
  return "█".repeat(filled) + "░".repeat(barCells - filled)
}

/** The style of a level. Severities and priorities have the same names as levels and use the same styles. */
export const levelStyle: Readonly<Record<Level, Style>> = {
  minimal: "green",
  low: "green",
  moderate: "yellow",
  high: "red",
  critical: "alarm"
}

/** Foreign text on one line, cut to `max` characters. */
export const printable = (text: string, max = shownTextMax): string => onOneLine(text).slice(0, max)
