/** One request under way: what the edge knows of it, from its first byte to its answer. */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Place } from "./inFlight.ts"
import type { RateWindow } from "../storage/RateLimits.ts"

/** What every response needs, also one to bytes that were no request. */
export interface Exchange {
  /** `req_…`, always made here. */
  readonly id: string
  /** What the client is counted by as long as it shows no valid key. */
  readonly address: string
  /** Without the query; null when no request line was understood. */
  readonly path: string | null
  /** The template of the path that matched, once one did. */
  route: string | null
  /** The window this request was counted in, once it was. */
  window: RateWindow | null
}

/** An exchange whose headers were understood. */
export interface HttpExchange extends Exchange {
  readonly path: string
  /** After the question mark; empty without one. */
  readonly query: string
  readonly method: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue: boolean
  /** The body belongs to a valid key and is small: an answer that comes before it need not cost the connection. */
  mayDrain: boolean
  /** Among those who are worked on at once. */
  place: Place
  /** The answer is due some time after this is called anew: time spent on receiving is the client's. */
  readonly restartDeadline: () => void
  readonly stopDeadline: () => void
}

const authority = /^https?:\/\/[^/?]*/i

/** The path and query of a request target; a proxy may send the absolute form (RFC 9112 3.2.2). */
export const readTarget = (url: string): { readonly path: string; readonly query: string } => {
  const target = url.startsWith("/") ? url : url.replace(authority, "")
  const at = target.indexOf("?")
  return at === -1 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}
