/** Messages of JSON, one on each line. Unlike `node:readline` it ends a line at no character that JSON takes within a text (U+2028, U+2029). */

import { finished, type Readable } from "node:stream"

/** `hear` gets each line without its end; `ended` is called after the last one. */
export const hearLines = (from: Readable, hear: (line: string) => void, ended?: () => void): void => {
  let parts: Array<string> = []
  const end = (): void => {
    const line = parts.join("")
    parts = []
    hear(line.endsWith("\r") ? line.slice(0, -1) : line)
  }
  from.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...further] = chunk.split("\n")
    parts.push(first)
    for (const next of further) {
      end()
      parts.push(next)
    }
  })
  finished(from, () => {
    if (parts.some((part) => part !== "")) end()
    ended?.()
  })
}
