/** One question that a bench answers with figures measured side by side in one run. */

export interface Row {
  readonly subject: string
  /** Microseconds of one operation. */
  readonly medianUs: number
  readonly p99Us: number
  /** Operations, where many are under way at once. */
  readonly perSecond?: number
}

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  /** What was checked before anything was measured, and what the rows come to. */
  readonly notes: ReadonlyArray<string>
  readonly goals: ReadonlyArray<{ readonly says: string; readonly met: boolean }>
}

export interface Question {
  readonly name: string
  readonly asks: string
  readonly answer: () => Promise<Answer>
}
