/** 16 random bytes of their own for each assessment, which stand in the leaves of its seal. */

import { randomFillSync } from "node:crypto"

const saltBytes = 16

/** Drawn many at once: one call serves hundreds of salts. */
const pool = new Uint8Array(saltBytes * 256)
let used = pool.length

export const drawSalt = (): Uint8Array => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.slice(used, (used += saltBytes))
}
