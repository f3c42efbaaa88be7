/** Checks a JSON file before it is parsed: its size, encoding and nesting depth. */

import { isUtf8 } from "node:buffer"
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"
import { jsonDepthMax } from "../limits.ts"

const reasonByCode: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "is a folder, not a file",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  ELOOP: "is a link that leads back to itself"
}

export const unreadableReason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return `cannot be read: ${String(cause)}`
  const known = "code" in cause ? reasonByCode[String(cause.code)] : undefined
  return known ?? `cannot be read: ${cause.message}`
}

/** Returns the bytes, or the reason why they cannot be read. Checks the size first, so that a huge file is never read into memory. */
export const readBytes = (path: string, bytesMax: number): Buffer | string => {
  try {
    const file = openSync(path, "r")
    try {
      const { size } = fstatSync(file)
      return size > bytesMax
        ? `is larger than ${bytesMax.toLocaleString("en-US")} bytes (${size.toLocaleString("en-US")})`
        : readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    return unreadableReason(cause)
  }
}

interface EncodingProblem {
  readonly message: string
  /** In UTF-16 code units of the decoded text. */
  readonly offset: number
}

const byteOrderMark = "\u{FEFF}"
const replacement = "\u{FFFD}"
const replacementBytes = Buffer.from(replacement)

/** The offset of the first replacement character that stands for invalid bytes. */
const firstInvalid = (bytes: Buffer, text: string): number => {
  let at = text.indexOf(replacement)
  while (at >= 0) {
    const from = Buffer.byteLength(text.slice(0, at))
    if (!bytes.subarray(from, from + replacementBytes.length).equals(replacementBytes)) return at
    at = text.indexOf(replacement, at + 1)
  }
  return 0
}

/** The first problem in bytes that are not plain UTF-8. `text`: the bytes decoded with replacement characters. */
export const encodingProblem = (bytes: Buffer, text: string): EncodingProblem | null => {
  if (!isUtf8(bytes)) {
    return { message: "is not UTF-8: save it as UTF-8 text", offset: firstInvalid(bytes, text) }
  }
  if (text.startsWith(byteOrderMark)) {
    return { message: "starts with a byte order mark: save it as UTF-8 without one", offset: 0 }
  }
  const nul = text.indexOf("\0")
  return nul < 0 ? null : { message: "contains a NUL, as UTF-16 does: save it as UTF-8 text", offset: nul }
}

const code = (character: string): number => character.charCodeAt(0)
const [quote, backslash, newline] = [code('"'), code("\\"), code("\n")]
const opening = new Set([code("{"), code("[")])
const closing = new Set([code("}"), code("]")])

/** The offset of the first bracket beyond the allowed depth; null if there is none. Also works for texts that are not JSON. */
export const tooDeepAt = (text: string): number | null => {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) inText = !inText
    // JSON strings do not span lines, so an unterminated one hides at most the rest of its line.
    else if (character === newline) inText = false
    else if (inText) {
      if (character === backslash) at++
    } else if (opening.has(character)) {
      depth++
      if (depth > jsonDepthMax) return at
    } else if (closing.has(character)) depth--
  }
  return null
}
