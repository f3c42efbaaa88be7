/** A signed checkpoint: what the chain was at an instant, so that nobody can cut its end off or write it anew unseen. */

import { createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import type { Milestone } from "./walk.ts"

export interface Checkpoint extends Milestone {
  /** SubjectPublicKeyInfo, base64: what stands between the lines of a PEM file. */
  readonly publicKey: string
  /** Ed25519, base64. */
  readonly signature: string
}

/** What is signed, as RFC 8785 JSON: keys in order, no white space, and values that need no escape. */
export const checkpointText = ({ at, entryDigest, mode, organizationId, sequence }: Milestone): string =>
  `{"at":"${at}","entry_digest":"${entryDigest}","mode":"${mode}","organization_id":"${organizationId}"` +
  `,"sequence":${sequence}}`

export const publicKeyText = (key: KeyObject): string =>
  key.export({ format: "der", type: "spki" }).toString("base64")

export const signCheckpoint = (
  milestone: Milestone,
  { privateKey, publicKey }: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
): Checkpoint => ({
  ...milestone,
  publicKey: publicKeyText(publicKey),
  signature: sign(null, Buffer.from(checkpointText(milestone)), privateKey).toString("base64")
})

/** Whether the checkpoint was signed with this key; by default the one that it names itself, which anybody can. */
export const isSigned = (checkpoint: Checkpoint, key = namedKey(checkpoint)): boolean =>
  key?.asymmetricKeyType === "ed25519" &&
  verify(null, Buffer.from(checkpointText(checkpoint)), key, Buffer.from(checkpoint.signature, "base64"))

const namedKey = ({ publicKey }: Checkpoint): KeyObject | undefined => {
  try {
    return createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" })
  } catch {
    return undefined
  }
}
