/** Request ids, which sort by time. Cheap to make, because many requests arrive within one millisecond. */

import { randomFillSync } from "node:crypto"

/** Crockford's Base32. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const timeLength = 10
const randomLength = 16
/** Two characters for each ten-bit value. */
const pairs = Array.from(
  { length: 1_024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31)
)

/** Random bytes for 256 ids, drawn in one system call instead of 256. */
const pool = new Uint16Array((randomLength / 2) * 256)
let used = pool.length

/** The time part of the last id, cached because many requests arrive within one millisecond. */
let encoded = { ms: Number.NaN, time: "" }

const encodeTime = (nowMs: number): string => {
  let time = ""
  let rest = nowMs
  for (let i = 0; i < timeLength; i++) {
    time = alphabet.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  return time
}

/** `req_` and a ULID: 48 bits of time and 80 random bits, in Crockford's Base32. */
export const requestId = (nowMs: number): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  if (encoded.ms !== nowMs) encoded = { ms: nowMs, time: encodeTime(nowMs) }
  let id = `req_${encoded.time}`
  for (let i = 0; i < randomLength; i += 2) id += pairs[(pool[used++] ?? 0) & 1_023] ?? ""
  return id
}
