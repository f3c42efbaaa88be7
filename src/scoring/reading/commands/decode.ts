/** Text that a command holds in an encoding, so that what it hides is read. */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** The bytes; undefined where the text is no Base64. */
const bytesOf = (encoded: string): ReadonlyArray<number> | undefined => {
  const text = encoded.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  if (text === "" || !/^[\w+/]+$/.test(text)) return undefined
  const bytes: Array<number> = []
  let bits = 0
  let value = 0
  for (const letter of text) {
    value = ((value << 6) | alphabet.indexOf(letter)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return bytes
}

/** A control character other than a line break or a tab shows that the bytes are no text. */
const isReadable = (text: string): boolean => !/[^\P{Cc}\n\r\t]/u.test(text)

const decode = (bytes: ReadonlyArray<number>, encoding: "utf-8" | "utf-16le"): string | undefined => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(Uint8Array.from(bytes))
    return isReadable(text) ? text : undefined
  } catch {
    // Bytes that are no text of this encoding.
    return undefined
  }
}

/** The text behind Base64; undefined where there is none that a person could read. */
export const decodeBase64 = (encoded: string | undefined): string | undefined => {
  const bytes = encoded === undefined ? undefined : bytesOf(encoded)
  return bytes === undefined ? undefined : decode(bytes, "utf-8")
}

/** Decodes the value of `-EncodedCommand`, which is Base64 of UTF-16; undefined where it is none. */
export const decodeCommand = (encoded: string): string | undefined => {
  const bytes = bytesOf(encoded)
  return bytes === undefined ? undefined : decode(bytes, "utf-16le")
}
