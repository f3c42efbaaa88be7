/** SHA-256, the digest of everything that is kept as evidence. */

import { hash } from "node:crypto"

export const sha256 = (data: Uint8Array | string): Uint8Array => hash("sha256", data, "buffer")
