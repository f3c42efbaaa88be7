/** What the commands draw on: a width in columns, and an ink that colours text where colour is wanted. */

import { styleText } from "node:util"

export type Style = "plain" | "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "alarm"
type Ink = (style: Style, text: string) => string

export interface Sheet {
  /** Columns. */
  readonly width: number
  readonly ink: Ink
}

const formats = {
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
export const terminal = (stdout: NodeJS.WriteStream = process.stdout): Sheet => ({
  width: Math.min(stdout.columns ?? widthWithoutTerminal, widthMax),
  ink: (style, text) => (style === "plain" ? text : styleText(formats[style], text, { stream: stdout }))
})

/** Never coloured: for files, golden output and tests. */
export const paper = (width: number): Sheet => ({ width, ink: (_style, text) => text })
