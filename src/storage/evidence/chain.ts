/** The chain of evidence: what a seal is computed from, in a form that anyone can compute again. */

import type { Mode } from "../../domain/Mode.ts"
import { sha256 } from "../sha256.ts"

/** Lower-case hexadecimal digits. */
export const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")

/** What stands before the first entry of a chain. */
export const genesis: Uint8Array = new Uint8Array(32)

/** SHA-256 of salt and digest: binds the entry to the bytes, and tells nothing of them once the salt is erased. */
export const leafOf = (salt: Uint8Array, digest: Uint8Array): Uint8Array =>
  sha256(Buffer.concat([salt, digest]))

/** SHA-256 of a behaviour snapshot's bytes; of no bytes where history could not be read. */
export const snapshotDigest = (snapshot: Uint8Array | null): Uint8Array =>
  sha256(snapshot ?? new Uint8Array())

/** One place in the chain of an organization and mode. */
export interface Entry {
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
export const entryText = (entry: Entry): string =>
  `{"assessment_id":"${entry.assessmentId}","created_at":"${entry.createdAt}","input_leaf":"${hex(entry.inputLeaf)}"` +
  `,"mode":"${entry.mode}","organization_id":"${entry.organizationId}","policy_digest":"${hex(entry.policyDigest)}"` +
  `,"previous_digest":"${hex(entry.previousDigest)}","result_leaf":"${hex(entry.resultLeaf)}"` +
  `,"rules_digest":"${hex(entry.rulesDigest)}","sequence":${entry.sequence},"snapshot_leaf":"${hex(entry.snapshotLeaf)}"}`

/** SHA-256 of the entry's text. */
export const entryDigest = (entry: Entry): Uint8Array => sha256(entryText(entry))
