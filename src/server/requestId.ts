/** `req_` and a ULID: 48 bits of time, 80 random bits, in Crockford's Base32. */

import { randomFillSync } from "node:crypto"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const timeLength = 10
const randomLength = 16

/** Random bytes are drawn many at once: one system call serves hundreds of ids. */
const pool = new Uint8Array(randomLength * 256)
let used = pool.length

export const requestId = (nowMs: number): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let time = ""
  let rest = nowMs
  for (let i = 0; i < timeLength; i++) {
    time = alphabet.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  let random = ""
  for (let i = 0; i < randomLength; i++) random += alphabet.charAt((pool[used++] ?? 0) & 31)
  return `req_${time}${random}`
}
