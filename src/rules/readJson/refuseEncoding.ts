/** Refuses bytes that are not plain UTF-8, and says where they stop being it. */

import { isUtf8 } from "node:buffer"

export interface Refused {
  readonly message: string
  /** In UTF-16 code units of the text as far as it can be read. */
  readonly offset: number
}

const byteOrderMark = "\u{FEFF}"
const replacement = "\u{FFFD}"
const replacementBytes = Buffer.from(replacement)

/** Where decoding first put a replacement for bytes that were none themselves. */
const firstInvalid = (bytes: Buffer, text: string): number => {
  let at = text.indexOf(replacement)
  while (at >= 0) {
    const from = Buffer.byteLength(text.slice(0, at))
    if (!bytes.subarray(from, from + replacementBytes.length).equals(replacementBytes)) return at
    at = text.indexOf(replacement, at + 1)
  }
  return 0
}

/** `text` is `bytes` decoded with replacements. */
export const refuseEncoding = (bytes: Buffer, text: string): Refused | null => {
  if (!isUtf8(bytes)) {
    return { message: "is not UTF-8: save it as UTF-8 text", offset: firstInvalid(bytes, text) }
  }
  if (text.startsWith(byteOrderMark)) {
    return { message: "starts with a byte order mark: save it as UTF-8 without one", offset: 0 }
  }
  const nul = text.indexOf("\0")
  return nul < 0 ? null : { message: "holds a NUL, as UTF-16 does: save it as UTF-8 text", offset: nul }
}
