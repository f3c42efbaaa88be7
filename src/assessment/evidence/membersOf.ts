/** Where the members of a JSON object stand in its bytes, so that digests can be taken of parts as they are. */

export interface Member {
  readonly name: string
  /** Of the comma in front of it, or of the object's first brace. */
  readonly from: number
  /** Of its value: the first byte, and the one behind the last. */
  readonly start: number
  readonly end: number
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The quote that ends the string which begins at `at`. */
const endOfString = (bytes: Uint8Array, at: number): number => {
  let end = at + 1
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1
  return end
}

/** In their order. For bytes that parse as a JSON object without white space around it; of others it means nothing. */
export const membersOf = (bytes: Uint8Array): ReadonlyArray<Member> => {
  const members: Array<Member> = []
  let depth = 0
  let from = 0
  let name: string | null = null
  let start = 0
  const close = (end: number): void => {
    if (name !== null) members.push({ name, from, start, end })
    name = null
    from = end
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const end = endOfString(bytes, at)
      if (depth === 1 && name === null) name = Buffer.from(bytes.subarray(at + 1, end)).toString()
      at = end
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 1) close(at)
      depth--
    } else if (depth === 1 && byte === colon) start = at + 1
    else if (depth === 1 && byte === comma) close(at)
  }
  return members
}
