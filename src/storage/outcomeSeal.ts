/** The seal of an outcome event: its entry in a hash chain, one chain per organization and mode (ADR 29). */

import type { Mode } from "../domain/Caller.ts"
import { hex, sha256 } from "./sha256.ts"

/** The previous digest of the first entry. */
export const firstOutcomeDigest: Uint8Array = new Uint8Array(32)

/** Binds the entry to the event, but reveals nothing about it once the salt is erased. */
export const outcomeLeaf = (salt: Uint8Array, document: Uint8Array): Uint8Array =>
  sha256(Buffer.concat([salt, sha256(document)]))

export interface OutcomeEntry {
  readonly organizationId: string
  readonly mode: Mode
  /** Starts at 1. */
  readonly sequence: number
  readonly previousDigest: Uint8Array
  readonly assessmentId: string
  readonly eventId: string
  readonly leaf: Uint8Array
}

/** SHA-256 of the entry as RFC 8785 JSON: sorted keys, no white space, and values that need no escaping. */
export const outcomeEntryDigest = (entry: OutcomeEntry): Uint8Array =>
  sha256(
    `{"assessment_id":"${entry.assessmentId}","event_id":"${entry.eventId}","leaf":"${hex(entry.leaf)}"` +
      `,"mode":"${entry.mode}","organization_id":"${entry.organizationId}"` +
      `,"previous_digest":"${hex(entry.previousDigest)}","sequence":${entry.sequence}}`
  )
