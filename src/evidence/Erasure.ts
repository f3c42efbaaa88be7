/** An erased assessment: its entry, which stays in the chain, and who says that it was erased, when and why. */

import { createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { type ChainEntry, entryDigest, hex, publicKeyText, sameBytes } from "./chain.ts"

/** Somebody asked for it, or its time was over. There is no free text: it could name whom it was erased for. */
export const erasureReasons = ["request", "retention"] as const
export type ErasureReason = (typeof erasureReasons)[number]

/** What is signed of an erasure. */
export interface ErasureStatement extends Pick<ChainEntry, "organizationId" | "mode" | "assessmentId"> {
  readonly entryDigest: Uint8Array
  /** ISO 8601 UTC with milliseconds. */
  readonly erasedAt: string
  readonly reason: ErasureReason
}

export interface Erasure extends ChainEntry, ErasureStatement {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
  /** Ed25519. */
  readonly signature: Uint8Array
}

/** As RFC 8785 JSON: keys in order, no white space, and values that need no escape. */
export const erasureText = (erasure: ErasureStatement): string =>
  `{"assessment_id":"${erasure.assessmentId}","entry_digest":"${hex(erasure.entryDigest)}"` +
  `,"erased_at":"${erasure.erasedAt}","mode":"${erasure.mode}","organization_id":"${erasure.organizationId}"` +
  `,"reason":"${erasure.reason}"}`

export const signErasure = (erasure: ErasureStatement, privateKey: KeyObject): Uint8Array =>
  sign(null, Buffer.from(erasureText(erasure)), privateKey)

const isErasureSigned = (erasure: Erasure): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(erasure.publicKey), format: "der", type: "spki" })
    return (
      key.asymmetricKeyType === "ed25519" &&
      verify(null, Buffer.from(erasureText(erasure)), key, erasure.signature)
    )
  } catch {
    // What names no key was signed by none.
    return false
  }
}

/**
 * Whose erasures count: `trusted` null takes each by the key that it names itself, which anybody can. Completes a
 * sentence about the row; null where nothing is wrong with it.
 */
export const makeErasureProblem = (trusted: ReadonlyArray<KeyObject> | null) => {
  const known = trusted === null ? null : new Set(trusted.map(publicKeyText))
  return (erasure: Erasure): string | null => {
    if (!sameBytes(entryDigest(erasure), erasure.entryDigest))
      return "its entry digest is not that of its entry: an id, an instant, a digest or a leaf was changed"
    if (!isErasureSigned(erasure))
      return "its erasure was not signed with the key that it names, or was changed since"
    return known === null || known.has(Buffer.from(erasure.publicKey).toString("base64"))
      ? null
      : "its erasure was signed with another key: it was taken away by hand, or the key has changed since"
  }
}
