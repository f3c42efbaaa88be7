/** The hash chain of evidence: its entries, the digests that bind an entry to its bytes, the verifier, and signed checkpoints. */

import { createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import type { Mode } from "../domain/Caller.ts"
import { hex, sha256 } from "../storage/sha256.ts"

/** The previous digest of a chain's first entry. */
export const genesis: Uint8Array = new Uint8Array(32)

/** SHA-256 of salt and digest. Binds the entry to the bytes, but reveals nothing about them once the salt is erased. */
export const leafDigest = (salt: Uint8Array, digest: Uint8Array): Uint8Array =>
  sha256(Buffer.concat([salt, digest]))

/** SHA-256 of the bytes of a behavior snapshot, or of no bytes if history could not be read. */
export const snapshotDigest = (snapshot: Uint8Array | null): Uint8Array =>
  sha256(snapshot ?? new Uint8Array())

/** One entry in the chain of an organization and mode. */
export interface ChainEntry {
  readonly organizationId: string
  readonly mode: Mode
  /** Starts at 1. */
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
 * The entry as RFC 8785 JSON: keys are sorted, there is no white space, and the values are hex digits, identifiers and dates, which need no
 * escaping.
 */
const entryText = (entry: ChainEntry): string =>
  `{"assessment_id":"${entry.assessmentId}","created_at":"${entry.createdAt}","input_leaf":"${hex(entry.inputLeaf)}"` +
  `,"mode":"${entry.mode}","organization_id":"${entry.organizationId}","policy_digest":"${hex(entry.policyDigest)}"` +
  `,"previous_digest":"${hex(entry.previousDigest)}","result_leaf":"${hex(entry.resultLeaf)}"` +
  `,"rules_digest":"${hex(entry.rulesDigest)}","sequence":${entry.sequence},"snapshot_leaf":"${hex(entry.snapshotLeaf)}"}`

/** SHA-256 of the entry's text. */
export const entryDigest = (entry: ChainEntry): Uint8Array => sha256(entryText(entry))

/** A sealed assessment to be verified: its chain entry and the bytes from which the entry was computed. */
export interface SealedLink extends ChainEntry {
  readonly entryDigest: Uint8Array
  readonly salt: Uint8Array
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  readonly response: Uint8Array
  readonly resultDigest: Uint8Array
  readonly snapshot: Uint8Array | null
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** The first part of a link that does not match the others, worded as the end of a sentence about the row; null if all match. */
export const linkProblem = (link: SealedLink): string | null => {
  const { inputDigest, inputLeaf, resultDigest, resultLeaf, salt, snapshot, snapshotLeaf } = link
  if (!sameBytes(sha256(link.input), inputDigest)) return "its input does not match its digest"
  if (!sameBytes(sha256(link.response), resultDigest)) return "its response does not match its digest"
  if (!sameBytes(leafDigest(salt, inputDigest), inputLeaf))
    return "its input or its salt differs from what was sealed"
  if (!sameBytes(leafDigest(salt, resultDigest), resultLeaf))
    return "its response differs from what was sealed"
  if (!sameBytes(leafDigest(salt, snapshotDigest(snapshot)), snapshotLeaf))
    return "its behaviour snapshot differs from what was sealed"
  return sameBytes(entryDigest(link), link.entryDigest)
    ? null
    : "its entry digest does not match its entry: an id, an instant, a digest or a leaf was changed"
}

/** The last entry of a chain, or of its verified part. */
export interface ChainHead {
  /** From 1; 0 for an empty chain. */
  readonly sequence: number
  readonly entryDigest: Uint8Array
}

/** An entry, in reading order. */
interface ChainRow extends ChainHead {
  readonly assessmentId: string | null
  readonly previousDigest: Uint8Array
  /** The line of the export file, from 1; null for an entry from the database. */
  readonly line: number | null
  /** The row's problem apart from its place in the chain, worded as the end of a sentence about the row. */
  readonly problem: string | null
}

/** The first broken row. */
export interface ChainBreak {
  readonly sequence: number | null
  readonly assessmentId: string | null
  readonly line: number | null
  /** The end of a sentence about the row. */
  readonly problem: string
}

/** The state of a chain at one time, which a checkpoint signs. */
export interface CheckpointStatement {
  readonly organizationId: string
  readonly mode: Mode
  readonly sequence: number
  /** In hex. */
  readonly entryDigest: string
  /** ISO 8601. */
  readonly at: string
}

interface ChainVerifier {
  /** Returns the first break as soon as it is certain. */
  readonly add: (row: ChainRow) => ChainBreak | null
  /** Call it after the last entry. */
  readonly end: () => ChainBreak | null
  readonly head: () => ChainHead
}

/**
 * Verifies a chain entry by entry, up to the first break. Entries may come out of order: exports are sorted by time, but sealing follows
 * the order of commits. At most `outOfOrderMax` entries are held back, so memory is bounded, and a longer gap is a break. `start`: the
 * entry before the first one, which is trusted.
 */
export const makeChainVerifier = (
  outOfOrderMax: number,
  checkpoint: CheckpointStatement | null,
  start: ChainHead = { sequence: 0, entryDigest: genesis }
): ChainVerifier => {
  let head = start
  const outOfOrder = new Map<number, ChainRow>()

  const missing = (problem = "it is missing"): ChainBreak => ({
    sequence: head.sequence + 1,
    assessmentId: null,
    line: null,
    problem
  })

  const link = (row: ChainRow): ChainBreak | null => {
    const { assessmentId, entryDigest, line, sequence } = row
    const broken = (problem: string): ChainBreak => ({ sequence, assessmentId, line, problem })
    if (row.problem !== null) return broken(row.problem)
    if (!sameBytes(row.previousDigest, head.entryDigest))
      return broken("it does not follow the entry before it: that entry was replaced, or this one was moved")
    if (checkpoint?.sequence === sequence && checkpoint.entryDigest !== hex(entryDigest))
      return broken(
        `it is not the entry that the checkpoint of ${checkpoint.at} signed: the chain was rewritten`
      )
    head = { sequence, entryDigest }
    return null
  }

  const add = (row: ChainRow): ChainBreak | null => {
    const { assessmentId, line, sequence } = row
    const other = outOfOrder.get(sequence)
    // If two rows have the same number, the one with a problem is the break.
    if (other !== undefined && other.problem !== null) return link(other)
    if (sequence <= head.sequence || other !== undefined)
      return { sequence, assessmentId, line, problem: "its sequence number is taken by another entry" }
    outOfOrder.set(sequence, row)
    for (;;) {
      const next = outOfOrder.get(head.sequence + 1)
      if (next === undefined) return outOfOrder.size > outOfOrderMax ? missing() : null
      outOfOrder.delete(next.sequence)
      const broken = link(next)
      if (broken !== null) return broken
    }
  }

  const end = (): ChainBreak | null => {
    if (outOfOrder.size > 0) return missing()
    if (checkpoint === null || checkpoint.sequence <= head.sequence) return null
    const { at, sequence } = checkpoint
    return missing(
      `it is missing: the checkpoint of ${at} signed ${sequence} entries, so the end was cut off`
    )
  }

  return { add, end, head: () => head }
}

/** The result of a verification of evidence. */
export interface Verification {
  /** The number of entries from the start of the chain to the first break. */
  readonly sealed: number
  /** How many of the sealed entries belong to assessments that were erased with a signed record. */
  readonly erased: number
  /** The number of new assessments that still wait for a seal. */
  readonly waiting: number
  /** The last entry before the first break. */
  readonly head: ChainHead
  /** Null if there is no break. */
  readonly broken: ChainBreak | null
}

/** A signed statement about the state of a chain. It reveals a chain whose end was cut off or that was rewritten. */
export interface Checkpoint extends CheckpointStatement {
  /** SubjectPublicKeyInfo in base64, as between the BEGIN and END lines of a PEM file. */
  readonly publicKey: string
  /** Ed25519, in base64. */
  readonly signature: string
}

/** The signed text as RFC 8785 JSON: keys are sorted, there is no white space, and no value needs escaping. */
const checkpointText = ({ at, entryDigest, mode, organizationId, sequence }: CheckpointStatement): string =>
  `{"at":"${at}","entry_digest":"${entryDigest}","mode":"${mode}","organization_id":"${organizationId}"` +
  `,"sequence":${sequence}}`

export const publicKeyText = (key: KeyObject): string =>
  key.export({ format: "der", type: "spki" }).toString("base64")

export const signCheckpoint = (
  statement: CheckpointStatement,
  { privateKey, publicKey }: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
): Checkpoint => ({
  ...statement,
  publicKey: publicKeyText(publicKey),
  signature: sign(null, Buffer.from(checkpointText(statement)), privateKey).toString("base64")
})

/**
 * Whether the checkpoint was signed with the key. By default the key stated in the checkpoint, which proves little, because anyone can
 * create a key and state it.
 */
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
