/** Rows in aligned columns; the last column wraps inside the width that is left to it. */

import type { Sheet, Style } from "./Sheet.ts"
import { wrap } from "./wrap.ts"

interface Cell {
  readonly text: string
  readonly style?: Style
  readonly align?: "right"
}
export type Row = ReadonlyArray<Cell | string>

const gap = "  "
const lastColumnMin = 20

const cellOf = (cell: Cell | string | undefined): Cell =>
  typeof cell === "object" ? cell : { text: cell ?? "" }

/** One string per line, each starting with `indent` spaces. */
export const table = (sheet: Sheet, rows: ReadonlyArray<Row>, indent = 2): ReadonlyArray<string> => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(0, ...rows.map((row) => cellOf(row[column]).text.length))
  )
  const used = widths.reduce((sum, width) => sum + width + gap.length, indent)
  const lastWidth = Math.max(lastColumnMin, sheet.width - used)
  const paint = ({ text, style = "plain", align }: Cell, width: number) => {
    const space = " ".repeat(Math.max(0, width - text.length))
    const ink = sheet.ink(style, text)
    return align === "right" ? space + ink : ink + space
  }
  return rows.flatMap((row) => {
    const last = cellOf(row[columns - 1])
    return wrap(last.text, lastWidth).map((text, line) => {
      const cells = widths.map((width, column) =>
        paint(line === 0 ? cellOf(row[column]) : { text: "" }, width)
      )
      return (" ".repeat(indent) + [...cells, paint({ ...last, text }, 0)].join(gap)).trimEnd()
    })
  })
}
