/** The ids of requests, which sort by time; many come within one millisecond, so they are made cheaply. */

import { randomFillSync } from "node:crypto"

/** Crockford's Base32. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const timeLength = 10
const randomLength = 16
/** Two characters for each value of ten bits. */
const pairs = Array.from(
  { length: 1_024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31)
)

/** Random bytes for 256 ids are drawn at once: one system call instead of 256. */
const pool = new Uint16Array((randomLength / 2) * 256)
let used = pool.length

/** The encoded time of the last id: many requests come within one millisecond. */
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
