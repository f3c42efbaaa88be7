/** The record of an erased assessment: its chain entry, which is kept, and a signed statement of when and why. */

import { createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { hex } from "../storage/sha256.ts"
import { type ChainEntry, entryDigest, publicKeyText, sameBytes } from "./chain.ts"

/** A person requested it, or the retention time has passed. There is no free text, because it could name that person. */
export const erasureReasons = ["request", "retention"] as const
export type ErasureReason = (typeof erasureReasons)[number]

/** The signed part of an erasure. */
export interface ErasureStatement extends Pick<ChainEntry, "organizationId" | "mode" | "assessmentId"> {
  readonly entryDigest: Uint8Array
  /** ISO 8601 UTC with milliseconds. */
  readonly erasedAt: string
  readonly reason: ErasureReason
}

export interface Erasure extends ChainEntry, ErasureStatement {
  /** Encoded as SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
  /** Ed25519. */
  readonly signature: Uint8Array
}

/** The signed text as RFC 8785 JSON: keys are sorted, there is no white space, and no value needs escaping. */
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
    // The stated public key is not a valid key.
    return false
  }
}

/**
 * Returns a function that finds the problem of an erasure, worded as the end of a sentence about the row, or null. Erasures must be signed
 * with a `trusted` key. If `trusted` is null, any key is accepted, although anyone can create one.
 */
export const makeErasureProblem = (trusted: ReadonlyArray<KeyObject> | null) => {
  const trustedKeys = trusted === null ? null : new Set(trusted.map(publicKeyText))
  return (erasure: Erasure): string | null => {
    if (!sameBytes(entryDigest(erasure), erasure.entryDigest))
      return "its entry digest does not match its entry: an id, an instant, a digest or a leaf was changed"
    if (!isErasureSigned(erasure))
      return "its erasure was not signed with the key that it names, or was changed afterwards"
    return trustedKeys === null || trustedKeys.has(Buffer.from(erasure.publicKey).toString("base64"))
      ? null
      : "its erasure was signed with another key: the assessment was deleted by hand, or the key has changed since"
  }
}
