/** The hash chain of evidence: its entries, the digests that bind an entry to its bytes, its verifier, and its signed checkpoints. */

import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import type { Mode } from "../domain/Caller.ts"
import { sha256 } from "../storage/sha256.ts"

/** Lower-case hexadecimal digits. */
export const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")

/** What stands before the first entry of a chain. */
export const genesis: Uint8Array = new Uint8Array(32)

/** SHA-256 of salt and digest: binds the entry to the bytes, and tells nothing of them once the salt is erased. */
export const leafDigest = (salt: Uint8Array, digest: Uint8Array): Uint8Array =>
  sha256(Buffer.concat([salt, digest]))

/** SHA-256 of a behaviour snapshot's bytes; of no bytes where history could not be read. */
export const snapshotDigest = (snapshot: Uint8Array | null): Uint8Array =>
  sha256(snapshot ?? new Uint8Array())

/** One place in the chain of an organization and mode. */
export interface ChainEntry {
  readonly organizationId: string
  readonly mode: Mode
  /** From 1. */
  readonly sequence: number
  readonly previousDigest: Uint8Array
  readonly assessmentId: string
  /** ISO 8601 UTC with microseconds. */
  readonly createdAt: string
  readonly inputLeaf: Uint8Array
  readonly resultLeaf: Uint8Array
  readonly snapshotLeaf: Uint8Array
  readonly rulesDigest: Uint8Array
  readonly policyDigest: Uint8Array
}

/**
 * The entry as RFC 8785 JSON: keys in order, no white space, and values of hexadecimal digits, identifiers and dates that
 * need no escape.
 */
const entryText = (entry: ChainEntry): string =>
  `{"assessment_id":"${entry.assessmentId}","created_at":"${entry.createdAt}","input_leaf":"${hex(entry.inputLeaf)}"` +
  `,"mode":"${entry.mode}","organization_id":"${entry.organizationId}","policy_digest":"${hex(entry.policyDigest)}"` +
  `,"previous_digest":"${hex(entry.previousDigest)}","result_leaf":"${hex(entry.resultLeaf)}"` +
  `,"rules_digest":"${hex(entry.rulesDigest)}","sequence":${entry.sequence},"snapshot_leaf":"${hex(entry.snapshotLeaf)}"}`

/** SHA-256 of the entry's text. */
export const entryDigest = (entry: ChainEntry): Uint8Array => sha256(entryText(entry))

/** A sealed assessment as it is verified: its place in the chain, beside the bytes that the place was computed from. */
export interface SealedLink extends ChainEntry {
  readonly entryDigest: Uint8Array
  /** Null of rows from before there were salts. */
  readonly salt: Uint8Array | null
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  readonly response: Uint8Array
  readonly resultDigest: Uint8Array
  readonly snapshot: Uint8Array | null
}

const digestOf = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** What does not fit together within one link; null where all of it does. Completes a sentence about the row. */
export const linkProblem = (link: SealedLink): string | null => {
  const { inputDigest, inputLeaf, resultDigest, resultLeaf, snapshot, snapshotLeaf } = link
  if (!sameBytes(digestOf(link.input), inputDigest)) return "its input is not the one that was digested"
  if (!sameBytes(digestOf(link.response), resultDigest))
    return "its response is not the one that was digested"
  const salt = link.salt ?? new Uint8Array()
  if (!sameBytes(leafDigest(salt, inputDigest), inputLeaf))
    return "its input or its salt is not the one that was sealed"
  if (!sameBytes(leafDigest(salt, resultDigest), resultLeaf))
    return "its response is not the one that was sealed"
  if (!sameBytes(leafDigest(salt, snapshotDigest(snapshot)), snapshotLeaf))
    return "its behaviour snapshot is not the one that was sealed"
  return sameBytes(entryDigest(link), link.entryDigest)
    ? null
    : "its entry digest is not that of its entry: an id, an instant, a digest or a leaf was changed"
}

/**
 * A walk along a chain, entry after entry, until the first one that is broken.
 * Where a chain stands.
 */
export interface ChainHead {
  /** From 1; 0 of a chain without entries. */
  readonly sequence: number
  readonly entryDigest: Uint8Array
}

interface ChainRow extends ChainHead {
  readonly assessmentId: string | null
  readonly previousDigest: Uint8Array
  /** Of the file that the entry was read from, from 1; null of one out of the database. */
  readonly line: number | null
  /** What is wrong with the row by itself. */
  readonly problem: string | null
}

/** The first broken row. */
export interface ChainBreak {
  readonly sequence: number | null
  readonly assessmentId: string | null
  readonly line: number | null
  /** Completes a sentence about the row. */
  readonly problem: string
}

/** What a signed checkpoint says that the chain was at its time. */
export interface CheckpointStatement {
  readonly organizationId: string
  readonly mode: Mode
  readonly sequence: number
  /** Hexadecimal digits. */
  readonly entryDigest: string
  /** ISO 8601. */
  readonly at: string
}

interface ChainVerifier {
  /** Gives the first break that is certain by now. */
  readonly add: (place: ChainRow) => ChainBreak | null
  /** After the last entry. */
  readonly end: () => ChainBreak | null
  readonly head: () => ChainHead
}

/**
 * Entries may come out of order by at most `strayMax` of them, as they do where rows are ordered by their time: sealing
 * follows the order in which they were committed. So memory is bounded, and a gap is known to be one.
 */
export const makeChainVerifier = (strayMax: number, milestone: CheckpointStatement | null): ChainVerifier => {
  let head: ChainHead = { sequence: 0, entryDigest: genesis }
  const early = new Map<number, ChainRow>()

  const missing = (problem = "it is missing"): ChainBreak => ({
    sequence: head.sequence + 1,
    assessmentId: null,
    line: null,
    problem
  })

  const follow = (place: ChainRow): ChainBreak | null => {
    const { assessmentId, entryDigest, line, sequence } = place
    const broken = (problem: string): ChainBreak => ({ sequence, assessmentId, line, problem })
    if (place.problem !== null) return broken(place.problem)
    if (!sameBytes(place.previousDigest, head.entryDigest))
      return broken("it does not follow the entry before it: that one was replaced, or this one moved")
    if (milestone?.sequence === sequence && milestone.entryDigest !== hex(entryDigest))
      return broken(
        `it is not the entry that the checkpoint of ${milestone.at} has signed: the chain was rewritten`
      )
    head = { sequence, entryDigest }
    return null
  }

  const add = (place: ChainRow): ChainBreak | null => {
    const { assessmentId, line, sequence } = place
    const other = early.get(sequence)
    // Of two with one number it is the one that is wrong by itself.
    if (other !== undefined && other.problem !== null) return follow(other)
    if (sequence <= head.sequence || other !== undefined)
      return { sequence, assessmentId, line, problem: "its sequence number is taken by another entry" }
    early.set(sequence, place)
    for (;;) {
      const next = early.get(head.sequence + 1)
      if (next === undefined) return early.size > strayMax ? missing() : null
      early.delete(next.sequence)
      const broken = follow(next)
      if (broken !== null) return broken
    }
  }

  const end = (): ChainBreak | null => {
    if (early.size > 0) return missing()
    if (milestone === null || milestone.sequence <= head.sequence) return null
    const { at, sequence } = milestone
    return missing(
      `it is missing: the checkpoint of ${at} has signed ${sequence} entries, so the end was cut off`
    )
  }

  return { add, end, head: () => head }
}

/** What a verification of evidence has found. */
export interface Verification {
  /** Entries of the chain, from its first one on, that are whole. */
  readonly sealed: number
  /** Those of them whose assessment was erased, on record and signed. */
  readonly erased: number
  /** Assessments that wait for their seal, as new ones do. */
  readonly waiting: number
  /** The last entry that is whole. */
  readonly head: ChainHead
  /** Null where everything is whole. */
  readonly broken: ChainBreak | null
}

/** A signed checkpoint: what the chain was at an instant, so that nobody can cut its end off or write it anew unseen. */
export interface Checkpoint extends CheckpointStatement {
  /** SubjectPublicKeyInfo, base64: what stands between the lines of a PEM file. */
  readonly publicKey: string
  /** Ed25519, base64. */
  readonly signature: string
}

/** What is signed, as RFC 8785 JSON: keys in order, no white space, and values that need no escape. */
const checkpointText = ({ at, entryDigest, mode, organizationId, sequence }: CheckpointStatement): string =>
  `{"at":"${at}","entry_digest":"${entryDigest}","mode":"${mode}","organization_id":"${organizationId}"` +
  `,"sequence":${sequence}}`

export const publicKeyText = (key: KeyObject): string =>
  key.export({ format: "der", type: "spki" }).toString("base64")

export const signCheckpoint = (
  milestone: CheckpointStatement,
  { privateKey, publicKey }: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
): Checkpoint => ({
  ...milestone,
  publicKey: publicKeyText(publicKey),
  signature: sign(null, Buffer.from(checkpointText(milestone)), privateKey).toString("base64")
})

/** Whether the checkpoint was signed with this key; by default the one that it names itself, which anybody can. */
export const isCheckpointSigned = (checkpoint: Checkpoint, key = statedKey(checkpoint)): boolean =>
  key?.asymmetricKeyType === "ed25519" &&
  verify(null, Buffer.from(checkpointText(checkpoint)), key, Buffer.from(checkpoint.signature, "base64"))

const statedKey = ({ publicKey }: Checkpoint): KeyObject | undefined => {
  try {
    return createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" })
  } catch {
    return undefined
  }
}
