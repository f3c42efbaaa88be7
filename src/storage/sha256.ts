/** SHA-256, the digest of all evidence. */

import { hash } from "node:crypto"

/** Goes through a binary string: a buffer from the one-shot hash is allocated outside the heap, which costs more than the hash. */
export const sha256 = (data: Uint8Array | string): Uint8Array =>
  Buffer.from(hash("sha256", data, "binary"), "binary")

/** Lower-case hexadecimal digits. */
export const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")
