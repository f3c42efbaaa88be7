/** The stored forms of an assessment: the whole record as written, and the parts that are read back. */

import type { JsonObject } from "../../json/json.ts"
import type { Mode } from "../../domain/Caller.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"

/** An organization in one mode. Every statement about assessments is limited to one owner. */
export interface Owner {
  readonly organizationId: string
  readonly mode: Mode
}

/** Digests are SHA-256. */
export interface Evidence {
  /** The exact bytes of the answer. */
  readonly response: Uint8Array
  readonly resultDigest: Uint8Array
  /** The request as RFC 8785 bytes. */
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  /** JSON bytes; null if history could not be read. */
  readonly behaviorSnapshot: Uint8Array | null
  readonly rulesDigest: Uint8Array
  readonly policyDigest: Uint8Array
}

export interface AssessmentRecord extends Evidence {
  readonly assessmentId: string
  readonly actionId: string
  readonly requestId: string
  /** Microseconds since 1970. */
  readonly createdAtMicros: number
  readonly complete: boolean
  /** The level of the action risk. */
  readonly level: ActionRiskLevel
  /** The assessment as shown in lists. */
  readonly item: JsonObject
  /** The folded text in which list searches look. */
  readonly search: string
  readonly idempotencyKey: string | null
  readonly history: HistoryRecord
  /** 16 random bytes that are hashed into the leaves of the seal. */
  readonly salt: Uint8Array
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
}

/** The stored answer to a request that is repeated under its idempotency key. */
export interface StoredAnswer {
  readonly assessmentId: string
  readonly requestId: string
  readonly inputDigest: Uint8Array
  readonly complete: boolean
  readonly response: Uint8Array
}

/** The position of an assessment in the chain of its organization and mode. */
export interface Seal {
  /** Starts at 1. */
  readonly sequence: number
  readonly previousDigest: Uint8Array
  readonly entryDigest: Uint8Array
  readonly sealedAt: Date
}

export interface StoredEvidence extends Evidence {
  readonly assessmentId: string
  /** Null until sealed. */
  readonly seal: Seal | null
}

/** Evidence with everything from which its chain entry is computed. */
export interface SealableEvidence extends StoredEvidence {
  readonly organizationId: string
  /** ISO 8601 UTC with microseconds. */
  readonly createdAt: string
  readonly salt: Uint8Array
  /** Null until sealed. */
  readonly inputLeaf: Uint8Array | null
  readonly resultLeaf: Uint8Array | null
  readonly snapshotLeaf: Uint8Array | null
}
