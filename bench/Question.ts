/** The shape of a bench: a question, its answer in figures measured side by side in one run, and the results of a run. */

export interface Row {
  readonly subject: string
  /** Microseconds of one operation. */
  readonly medianUs: number
  readonly p99Us: number
  /** Operations, of which many run at once. */
  readonly perSecond?: number
}

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  /** The checks before the measurement, and the conclusion from the rows. */
  readonly notes: ReadonlyArray<string>
  readonly goals: ReadonlyArray<Goal>
}

export interface Goal {
  readonly says: string
  readonly met: boolean
}

export interface Question {
  readonly name: string
  readonly asks: string
  readonly answer: () => Promise<Answer>
}

export interface Measured extends Answer {
  readonly name: string
  readonly asks: string
}

export interface Results {
  /** ISO 8601. */
  readonly measuredAt: string
  readonly machine: string
  readonly questions: ReadonlyArray<Measured>
}
