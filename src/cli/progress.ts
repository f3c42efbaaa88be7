/** A progress bar on standard error for long tasks. It appears only on a terminal and disappears when the task ends. */

import { Console, Context, Effect } from "effect"
import { styleText } from "node:util"
import { figure } from "./texts.ts"

export interface Progress {
  /** `count`: items done so far. `share`: the fraction of the work done, 0 to 1, or null if the total is unknown. */
  readonly at: (count: number, share: number | null) => void
  /** Removes the bar from the screen. */
  readonly end: () => void
}

export interface Work {
  /** The name of the task: `backtest`. */
  readonly title: string
  /** The items being counted: `records`. */
  readonly unit: string
}

type Screen = Pick<NodeJS.WriteStream, "isTTY" | "write" | "columns">

const cells = 24
/** Redraws the bar at most ten times a second. */
const everyMs = 100
/** Shows no bar or notice before this time: the rate would be a guess, and short tasks would only flicker. */
const quietMs = 300

const clock = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  const pad = (part: number) => part.toString().padStart(2, "0")
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? `${minutes}:${pad(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(whole % 60)}`
}

const silent: Progress = { at: () => {}, end: () => {} }

/** `nowMs`: a monotonic clock. */
export const progressOn = (
  screen: Screen,
  nowMs: () => number,
  { title, unit }: Work,
  color: (text: string) => string = (text) => text
): Progress => {
  // Invariant: nothing is written if standard error is not a terminal, so that logs and pipes stay clean.
  if (!screen.isTTY) return silent
  const startedMs = nowMs()
  let drawnMs = Number.NEGATIVE_INFINITY
  let shown = false
  const line = (count: number, share: number | null, seconds: number): string => {
    const figures = `${figure(Math.round(count))} ${unit}  ${figure(Math.round(count / seconds))}/s`
    if (share === null) return `${title}  ${figures}  ${clock(seconds)}`
    const filled = Math.min(cells, Math.floor(share * cells))
    const bar = color("█".repeat(filled)) + "░".repeat(cells - filled)
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
      // A wrapped line cannot be erased, so a line that is too long is replaced by the title. Escape sequences take no columns.
      screen.write(`\r${visibleLength(text) < (screen.columns ?? 80) ? text : title}\u001b[K`)
    },
    end: () => {
      if (shown) screen.write("\r\u001b[K")
      shown = false
    }
  }
}

// oxlint-disable-next-line no-control-regex -- it matches escape sequences on purpose
const visibleLength = (text: string): number => text.replaceAll(/\u001b\[[0-9;]*m/g, "").length

/** The line shown on a terminal while a verb works. */
const Notice = Context.Reference<{ readonly clear: () => void }>("action-risk/cli/Notice", {
  defaultValue: () => ({ clear: () => {} })
})

/** Runs before standard input is read or standard output is written, because a person may be at the other end. */
export const withoutNotice = Effect.flatMap(Notice, ({ clear }) => Effect.sync(clear))

/**
 * Shows a line on a terminal during a task, and removes it before the first output, after a failure and after an interruption. A task that
 * blocks the process shows the line immediately, because no timer would run; other tasks show it only if they take longer than `quietMs`.
 */
export const withNotice =
  (screen: Screen, line: string, isBlocking: boolean) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    if (!screen.isTTY) return work
    let timer: NodeJS.Timeout | undefined
    let shown = false
    const show = () => {
      screen.write(`${line} …`)
      shown = true
    }
    const clear = () => {
      clearTimeout(timer)
      if (shown) screen.write("\r\u001b[K")
      shown = false
    }
    const start = () => {
      if (isBlocking) show()
      else timer = setTimeout(show, quietMs)
    }
    const clearing = (plain: Console.Console): Console.Console =>
      Object.assign(Object.create(plain), {
        log: (...texts: ReadonlyArray<unknown>) => (clear(), plain.log(...texts)),
        error: (...texts: ReadonlyArray<unknown>) => (clear(), plain.error(...texts))
      })
    return Effect.acquireUseRelease(
      Effect.sync(start),
      () =>
        work.pipe(Effect.updateService(Console.Console, clearing), Effect.provideService(Notice, { clear })),
      () => Effect.sync(clear)
    )
  }

/** Runs `use` with a bar, and removes the bar even after a failure or an interruption. */
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
