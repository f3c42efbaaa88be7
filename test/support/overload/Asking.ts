/** The orders of a load generator, and the answers that it got. */

export interface Asking {
  /** Side by side. */
  readonly flows: ReadonlyArray<{
    /** The URL of the service, or of its stand-in. */
    readonly url: string
    readonly key: string
    readonly seconds: number
    /** Requests per second, whether or not earlier ones are answered; null: `atOnce` clients without a pause. */
    readonly perSecond: number | null
    readonly atOnce: number
  }>
}

/** Time of arrival since the start of the generator, and duration, in milliseconds. */
export type Timed = readonly [atMs: number, ms: number]

export interface Told {
  asked: number
  /** 200. */
  readonly answered: Array<Timed>
  /** Those of them that were incomplete. */
  incomplete: number
  /** 429 or 503, in the envelope, with retry-after. */
  readonly refused: Array<Timed>
  /** Anything else. */
  readonly otherwise: Array<string>
  unanswered: number
}
