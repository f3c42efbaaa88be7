/** Regroups a stream of bytes into blocks of whole lines, so that each block can be read independently. */

import { historyBlockBytes, historyLineBytesMax } from "../../limits.ts"

export interface LineBlock {
  /** Whole lines. The last line of a history may lack its line break. */
  readonly bytes: Uint8Array
  /** The number of the block's first line, from 1. */
  readonly firstLine: number
  /** How many bytes of the history had been read when this block was complete. */
  readonly readBytes: number
}

const newline = 0x0a
const nothing = new Uint8Array()

const countLines = (bytes: Uint8Array): number => {
  let lines = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++
  return lines
}

/** The bytes from the next line break on; empty if there is none. */
const fromLineBreak = (bytes: Uint8Array): Uint8Array => {
  const at = bytes.indexOf(newline)
  return at === -1 ? nothing : bytes.subarray(at)
}

/**
 * Cuts a line that exceeds the limit one byte after the limit and skips the rest. It stays one line, and its length still shows that it is
 * too long. So memory is bounded by one block and one line.
 */
export async function* wholeLines(
  source: AsyncIterable<Uint8Array>,
  blockBytes = historyBlockBytes
): AsyncGenerator<LineBlock> {
  let pieces: Array<Uint8Array> = []
  let held = 0
  let firstLine = 1
  let readBytes = 0
  let skipping = false
  for await (const chunk of source) {
    readBytes += chunk.length
    const piece = skipping ? fromLineBreak(chunk) : chunk
    if (piece.length === 0) continue
    skipping = false
    pieces.push(piece)
    held += piece.length
    if (held < blockBytes) continue
    const all = Buffer.concat(pieces, held)
    const end = all.lastIndexOf(newline) + 1
    skipping = held - end > historyLineBytesMax
    // A copy, so that the rest does not keep the whole block in memory.
    const rest = Buffer.from(all.subarray(end, end + historyLineBytesMax + 1))
    pieces = [rest]
    held = rest.length
    if (end === 0) continue
    const bytes = all.subarray(0, end)
    yield { bytes, firstLine, readBytes }
    firstLine += countLines(bytes)
  }
  if (held > 0) yield { bytes: Buffer.concat(pieces, held), firstLine, readBytes }
}
