/** SHA-256, the digest of all evidence. */

import { hash } from "node:crypto"

/** Uses a binary string, because the one-shot hash allocates a buffer outside the heap, which costs more than hashing. */
export const sha256 = (data: Uint8Array | string): Uint8Array =>
  Buffer.from(hash("sha256", data, "binary"), "binary")

/** Lower-case hexadecimal digits. */
export const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")
