/** Puts a load on several subjects in turn, several rounds, so that drift meets each alike. */

import type { Row } from "../Question.ts"
import { connections, rounds, seconds, warmUpSeconds } from "./settings.ts"
import { type Load, type Loaded, underLoad } from "./underLoad.ts"

export interface Subject {
  readonly subject: string
  readonly urls: ReadonlyArray<string>
  /** The requests of its `lap`-th load; the first warms it up. */
  readonly requests: (lap: number) => Load["requests"]
  /** After each load, given all answers so far. */
  readonly check?: (answered: number) => Promise<void>
}

/** A server under assessments, a new run of them for each load. */
export const assessmentsAt = (
  subject: string,
  { key, urls }: { readonly key: string; readonly urls: ReadonlyArray<string> }
): Subject => ({ subject, urls, requests: (lap) => ({ run: `${subject}-${lap}`, from: 0, key }) })

export interface MeasuredRow extends Row {
  readonly perSecond: number
  /** Answers other than 200, the warm-up's aside, and requests without one. */
  readonly failed: number
}

const mean = (figures: ReadonlyArray<number>): number =>
  figures.reduce((sum, figure) => sum + figure, 0) / figures.length

const rowOf = (subject: string, laps: ReadonlyArray<Loaded>): MeasuredRow => ({
  subject,
  failed: laps.reduce((sum, { failed }) => sum + failed, 0),
  medianUs: mean(laps.map(({ medianUs }) => medianUs)),
  p99Us: mean(laps.map(({ p99Us }) => p99Us)),
  perSecond: mean(laps.map(({ perSecond }) => perSecond))
})

interface Laps {
  readonly lapSeconds?: number
  /** Null: as fast as answers come. */
  readonly perSecond?: number | null
  /** Connections of the load. */
  readonly atOnce?: number
}

/** Figures are means of the rounds. */
export const measureInTurn = async (
  subjects: ReadonlyArray<Subject>,
  { atOnce = connections, lapSeconds = seconds, perSecond = null }: Laps = {}
): Promise<ReadonlyArray<MeasuredRow>> => {
  const laps = subjects.map((): Array<Loaded> => [])
  const answered = subjects.map(() => 0)
  for (let lap = 0; lap <= rounds; lap++) {
    for (const [i, { check, requests, urls }] of subjects.entries()) {
      const warmingUp = lap === 0
      const loaded = await underLoad({
        urls,
        connections: atOnce,
        perSecond,
        requests: requests(lap),
        seconds: warmingUp ? Math.min(warmUpSeconds, lapSeconds / 2) : lapSeconds
      })
      answered[i] = (answered[i] ?? 0) + loaded.answered
      await check?.(answered[i])
      if (!warmingUp) laps[i]?.push(loaded)
    }
  }
  return subjects.map(({ subject }, i) => rowOf(subject, laps[i] ?? []))
}

/** A rate of failures would mean nothing. */
export const allAnswered = (rows: ReadonlyArray<MeasuredRow>) => {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0)
  return {
    says: failed === 0 ? "every answer was 200" : `every answer is 200 (${failed} were not)`,
    met: failed === 0
  }
}
