/** A load on one or more servers, and what it met: both pass between the bench and the process that makes the load. */

import type { Request } from "./requests.ts"

export interface Load {
  /** Where it goes, each with its share of the connections. */
  readonly urls: ReadonlyArray<string>
  /** Assessments without end, numbered from `from` under the name of a run; or given requests, in turn. */
  readonly requests:
    | { readonly run: string; readonly from: number; readonly key: string }
    | ReadonlyArray<Request>
  readonly connections: number
  readonly seconds: number
  /** Null: each connection asks again as soon as it has its answer. */
  readonly perSecond: number | null
}

/** Figures are of the answers with 200. */
export interface Loaded {
  readonly answered: number
  readonly perSecond: number
  readonly medianUs: number
  readonly p99Us: number
  /** Answers other than 200, and requests without one. */
  readonly failed: number
}
