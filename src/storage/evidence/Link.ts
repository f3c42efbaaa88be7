/** A sealed assessment as it is verified: its place in the chain, beside the bytes that the place was computed from. */

import { createHash } from "node:crypto"
import { type Entry, entryDigest, leafOf, snapshotDigest } from "./chain.ts"

export interface Link extends Entry {
  readonly entryDigest: Uint8Array
  /** Null of rows from before there were salts. */
  readonly salt: Uint8Array | null
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  readonly response: Uint8Array
  readonly resultDigest: Uint8Array
  readonly snapshot: Uint8Array | null
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** What does not fit together within one link; null where all of it does. Completes a sentence about the row. */
export const linkProblem = (link: Link): string | null => {
  const { inputDigest, inputLeaf, resultDigest, resultLeaf, snapshot, snapshotLeaf } = link
  if (!sameBytes(sha256(link.input), inputDigest)) return "its input is not the one that was digested"
  if (!sameBytes(sha256(link.response), resultDigest)) return "its response is not the one that was digested"
  const salt = link.salt ?? new Uint8Array()
  if (!sameBytes(leafOf(salt, inputDigest), inputLeaf))
    return "its input or its salt is not the one that was sealed"
  if (!sameBytes(leafOf(salt, resultDigest), resultLeaf)) return "its response is not the one that was sealed"
  if (!sameBytes(leafOf(salt, snapshotDigest(snapshot)), snapshotLeaf))
    return "its behaviour snapshot is not the one that was sealed"
  return sameBytes(entryDigest(link), link.entryDigest)
    ? null
    : "its entry digest is not that of its entry: an id, an instant, a digest or a leaf was changed"
}
