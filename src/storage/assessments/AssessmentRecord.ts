/** Everything that is written of one assessment, in one statement: evidence, list item, history, idempotency key. */

import type { JsonObject } from "../../json/json.ts"
import type { Mode } from "../../domain/Caller.ts"
import type { ActionRiskLevel } from "../../domain/Opinion.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"

/** Whose assessments: none is written or read but inside one organization and mode. */
export interface Owner {
  readonly organizationId: string
  readonly mode: Mode
}

/** Digests are SHA-256. */
export interface Evidence {
  /** The exact bytes of the answer. */
  readonly response: Uint8Array
  readonly resultDigest: Uint8Array
  /** RFC 8785 bytes of the request. */
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  /** JSON bytes; null when history could not be read. */
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
  /** Of the action risk. */
  readonly level: ActionRiskLevel
  /** The row that lists show. */
  readonly item: JsonObject
  /** Folded text that lists are searched in. */
  readonly search: string
  readonly idempotencyKey: string | null
  readonly history: HistoryRecord
  /** 16 random bytes that stand in the leaves of its seal. */
  readonly salt: Uint8Array
  /** SHA-256 of the history record's canonical form. */
  readonly fingerprint: Uint8Array
}

/** What a replay needs of a stored assessment. */
export interface StoredAnswer {
  readonly assessmentId: string
  readonly requestId: string
  readonly inputDigest: Uint8Array
  readonly complete: boolean
  readonly response: Uint8Array
}

/** Its place in the chain of its organization and mode. */
export interface Seal {
  /** From 1. */
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

/** With everything that its entry of the chain is computed from. */
export interface SealableEvidence extends StoredEvidence {
  readonly organizationId: string
  /** ISO 8601 UTC with microseconds. */
  readonly createdAt: string
  /** Null of rows from before there were salts. */
  readonly salt: Uint8Array | null
  /** Null until sealed. */
  readonly inputLeaf: Uint8Array | null
  readonly resultLeaf: Uint8Array | null
  readonly snapshotLeaf: Uint8Array | null
}

/** A page of a list. */
export interface ListedPage {
  /** The rows that lists show, as JSON, with commas between them. */
  readonly itemsJson: string
  /** Of the page's last row; null where nothing comes after it. */
  readonly lastId: string | null
}
