/** The records of a block of lines, one after the other, and the lines that are none. */

import { isUtf8 } from "node:buffer"
import { Result } from "effect"
import { historyLineBytesMax } from "../../Limits.ts"
import { readRecord } from "./readRecord.ts"
import type { Recorded } from "./Recorded.ts"
import type { Block } from "./wholeLines.ts"

export interface Reader {
  readonly record: (record: Recorded, line: number) => void
  readonly unreadable: (message: string, line: number) => void
}

const tooLong = `is longer than ${historyLineBytesMax.toLocaleString("en-US")} bytes`

/** How an export begins a line about an erased assessment. */
const erased = '{"erased":'

/** UTF-8 takes at most three bytes for what is one code unit here. */
const isTooLong = (text: string, start: number, end: number): boolean =>
  (end - start) * 3 > historyLineBytesMax && Buffer.byteLength(text.slice(start, end)) > historyLineBytesMax

const readLines = (text: string, firstLine: number, reader: Reader): void => {
  let line = firstLine
  for (let start = 0; start < text.length; line++) {
    const found = text.indexOf("\n", start)
    const lineEnd = found === -1 ? text.length : found
    const end = text.charCodeAt(lineEnd - 1) === 0x0d ? lineEnd - 1 : lineEnd
    // An empty line says nothing, most files end with one; and what was erased says nothing any more.
    if (end > start && !text.startsWith(erased, start)) {
      if (isTooLong(text, start, end)) reader.unreadable(tooLong, line)
      else {
        const read = readRecord(text, start, end)
        if (Result.isSuccess(read)) reader.record(read.success, line)
        else reader.unreadable(read.failure, line)
      }
    }
    start = lineEnd + 1
  }
}

const newline = 0x0a

/** Only a block with a broken byte is taken line by line, so that the others of its lines can be read. */
const readBytes = ({ bytes, firstLine }: Block, reader: Reader): void => {
  let line = firstLine
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found + 1
    const one = bytes.subarray(start, end)
    if (isUtf8(one)) readLines(toText(one), line, reader)
    else reader.unreadable(one.length - 1 > historyLineBytesMax ? tooLong : "is not UTF-8", line)
    start = end
  }
}

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")

export const readBlock = (block: Block, reader: Reader): void =>
  isUtf8(block.bytes) ? readLines(toText(block.bytes), block.firstLine, reader) : readBytes(block, reader)
