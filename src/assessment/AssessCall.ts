/** What is asked of the use case, and what it answers. */

import type { Action, JsonObject } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"

/** An outcome that a test key asks for by name, to try its own fail-safe path (contract 3.1). */
export const drills = ["incomplete", "unavailable", "rate-limited", "slow"] as const
export type Drill = (typeof drills)[number]

export interface AssessCall {
  readonly caller: Caller
  readonly requestId: string
  readonly action: Action
  /** The request as it came: what is kept as evidence, and compared under an idempotency key. */
  readonly body: JsonObject
  readonly idempotencyKey: string | null
  /** `Prefer: handling=strict`: a complete opinion or none. */
  readonly strict: boolean
  readonly drill: Drill | null
  /** `performance.now()` when the whole request had arrived. */
  readonly receivedAtMs: number
  readonly validationMs: number
}

export interface AssessAnswer {
  /** The exact JSON bytes, equal on every replay. */
  readonly body: Uint8Array
  /** The request id inside `body`: of a replay, the first request's. */
  readonly requestId: string
  readonly replayed: boolean
  readonly complete: boolean
}
