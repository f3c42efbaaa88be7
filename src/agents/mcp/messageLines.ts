/** JSON messages, one per line. Unlike `node:readline`, does not end a line at characters that are valid within a JSON string (U+2028, U+2029). */

import { finished, type Readable } from "node:stream"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { mcpLineMax } from "../../limits.ts"

export type Message = Readonly<Record<string, unknown>>

export const isId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number"

/** Rejects a line that parsers may read differently, because the receiver could then see another call than the assessed one. */
export const readMessage = (line: string): { readonly message: Message } | { readonly problem: string } => {
  const parsed = line.length > mcpLineMax ? { problem: "the line is too long" } : parseStrictly(line)
  if ("problem" in parsed) return parsed
  return isRecord(parsed.value) ? { message: parsed.value } : { problem: "a message is one JSON object" }
}

/** The answer to a line that is not a message. */
export const refusalOfLine = (problem: string) => ({ id: null, error: { code: -32_700, message: problem } })

/** `hear` gets each line without its line break; `ended` is called after the last one. */
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
