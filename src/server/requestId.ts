/** `req_` and a ULID: 48 bits of time, 80 random bits, in Crockford's Base32. */

import { randomFillSync } from "node:crypto"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const timeLength = 10
const randomLength = 16
/** Ten bits each. */
const pairs = Array.from(
  { length: 1_024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31)
)

/** Random bytes are drawn many at once: one system call serves hundreds of ids. */
const pool = new Uint16Array((randomLength / 2) * 256)
let used = pool.length

/** Many requests come within one millisecond. */
let spelled = { ms: Number.NaN, time: "" }

const spellTime = (nowMs: number): string => {
  let time = ""
  let rest = nowMs
  for (let i = 0; i < timeLength; i++) {
    time = alphabet.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  return time
}

export const requestId = (nowMs: number): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  if (spelled.ms !== nowMs) spelled = { ms: nowMs, time: spellTime(nowMs) }
  let id = `req_${spelled.time}`
  for (let i = 0; i < randomLength; i += 2) id += pairs[(pool[used++] ?? 0) & 1_023] ?? ""
  return id
}
