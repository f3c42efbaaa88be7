/** What answers an operation once the edge has let its request through. */

import type { Effect } from "effect"
import type { Failure } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import type { Answer } from "./Answer.ts"
import type { HttpExchange } from "./Exchange.ts"

export interface Call {
  readonly exchange: HttpExchange
  readonly caller: Caller
  /** Path parameters by name, as they stand in the path. */
  readonly params: Readonly<Record<string, string>>
}

/** For operations that need a key: it is valid, within its rate limit, and has the scope. */
export type KeyedHandler = (call: Call) => Effect.Effect<Answer, Failure>

/** For operations and documents that need no key. */
export type OpenHandler = (exchange: HttpExchange) => Effect.Effect<Answer, Failure>
