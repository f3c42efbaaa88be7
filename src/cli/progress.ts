/** A progress bar on standard error for work that takes a while; only on a terminal, and gone when the work ends. */

import { Effect } from "effect"
import { styleText } from "node:util"

export interface Progress {
  /** `count` so far, and the share of the work that is done: 0 to 1, or null where nobody knows. */
  readonly at: (count: number, share: number | null) => void
  /** Takes the bar off the screen. */
  readonly end: () => void
}

export interface Work {
  /** What is being done: `backtest`. */
  readonly title: string
  /** What is counted: `records`. */
  readonly unit: string
}

type Screen = Pick<NodeJS.WriteStream, "isTTY" | "write" | "columns">

const cells = 24
/** Ten times a second is as often as anybody looks. */
const everyMs = 100
/** Before that a rate is a guess, and short work flickers. */
const quietMs = 300

const clock = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  const pad = (part: number) => part.toString().padStart(2, "0")
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? `${minutes}:${pad(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(whole % 60)}`
}

const grouped = (count: number): string => Math.round(count).toLocaleString("en-US")

const silent: Progress = { at: () => {}, end: () => {} }

/** `nowMs` never goes back. */
export const progressOn = (
  screen: Screen,
  nowMs: () => number,
  { title, unit }: Work,
  ink: (text: string) => string = (text) => text
): Progress => {
  // Invariant: nothing is written where nobody watches, so that logs and pipes stay clean.
  if (!screen.isTTY) return silent
  const startedMs = nowMs()
  let drawnMs = Number.NEGATIVE_INFINITY
  let shown = false
  const line = (count: number, share: number | null, seconds: number): string => {
    const figures = `${grouped(count)} ${unit}  ${grouped(count / seconds)}/s`
    if (share === null) return `${title}  ${figures}  ${clock(seconds)}`
    const filled = Math.min(cells, Math.floor(share * cells))
    const bar = ink("█".repeat(filled)) + "░".repeat(cells - filled)
    const left = share > 0 ? `  ${clock((seconds * (1 - share)) / share)} left` : ""
    return `${title}  ${bar} ${Math.floor(share * 100)} %  ${figures}${left}`
  }
  return {
    at: (count, share) => {
      const now = nowMs()
      if (now - startedMs < quietMs || now - drawnMs < everyMs) return
      drawnMs = now
      shown = true
      const text = line(count, share, (now - startedMs) / 1_000)
      // A line that wraps could not be taken back; ink takes no columns and is only used where the line fits.
      screen.write(`\r${visibleLength(text) < (screen.columns ?? 80) ? text : title}\u001b[K`)
    },
    end: () => {
      if (shown) screen.write("\r\u001b[K")
      shown = false
    }
  }
}

// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const visibleLength = (text: string): number => text.replaceAll(/\u001b\[[0-9;]*m/g, "").length

/** Runs `work` with a bar that is taken off the screen however it ends. */
export const withProgress = <A, E, R>(
  work: Work,
  use: (progress: Progress) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      progressOn(
        process.stderr,
        () => performance.now(),
        work,
        (text) => styleText("cyan", text, { stream: process.stderr })
      )
    ),
    use,
    ({ end }) => Effect.sync(end)
  )
