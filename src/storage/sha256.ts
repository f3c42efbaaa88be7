/** SHA-256, the digest of everything that is kept as evidence. */

import { hash } from "node:crypto"

/** Through a text of one character per byte: bytes from the one-shot hash are an allocation outside the heap, and cost more than the hash. */
export const sha256 = (data: Uint8Array | string): Uint8Array =>
  Buffer.from(hash("sha256", data, "binary"), "binary")

/** Lower-case hexadecimal digits. */
export const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")
