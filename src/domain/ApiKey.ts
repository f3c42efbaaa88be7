/** The format of an API key: `svc_<mode>_`, 43 random Base62 characters, 6 characters of checksum. */

import { crc32 } from "node:zlib"
import { type Mode, modes } from "./Caller.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 43
const checksumLength = 6
const shape = new RegExp(`^svc_(${modes.join("|")})_[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** `random`: 32 bytes. */
export const formatKey = (mode: Mode, random: Uint8Array): string => {
  const body = `svc_${mode}_${base62(BigInt(`0x${Buffer.from(random).toString("hex")}`), randomLength)}`
  return body + checksum(body)
}

/** Whether shape and checksum are right. Rejects typing errors and guesses without a look-up. */
export const isWellFormed = (key: string): boolean =>
  shape.test(key) && key.slice(-checksumLength) === checksum(key.slice(0, -checksumLength))

/** CRC-32 (IEEE) of the key without its checksum. */
const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength)

/** Big-endian, padded with `0` on the left. */
const base62 = (value: bigint, length: number): string => {
  let digits = ""
  for (let rest = value; rest > 0n; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits.padStart(length, "0")
}
