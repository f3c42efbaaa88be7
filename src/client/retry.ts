/** When to ask a question again, and after which pause: the rule of both clients. */

import { clientAttemptMs, clientAttemptsMax, clientDeadlineMs, clientPauseMs } from "../limits.ts"

export interface RetryRule {
  readonly attemptsMax: number
  /** The time limit of one attempt. */
  readonly attemptMs: number
  /** The time limit of all attempts together, including the pauses between them. */
  readonly deadlineMs: number
}

/** Throws if a figure is not a positive whole number, because that is an error in the program. */
export const retryRule = (given: Partial<RetryRule>): RetryRule => {
  const rule = {
    attemptsMax: given.attemptsMax ?? clientAttemptsMax,
    attemptMs: given.attemptMs ?? clientAttemptMs,
    deadlineMs: given.deadlineMs ?? clientDeadlineMs
  }
  for (const [name, value] of Object.entries(rule)) {
    if (!Number.isSafeInteger(value) || value < 1 || value > timerMsMax)
      throw new TypeError(`${name} is a whole number from 1 to ${timerMsMax}`)
  }
  return rule
}

/** The longest time that a timer supports. A longer one would fire immediately. */
const timerMsMax = 2_147_483_647

/**
 * The pause after the attempt `attempt`, from 1: doubles each time, is shortened by up to a half by `chance` (0 to 1), and is never shorter
 * than the service asked for.
 */
export const pauseAfter = (attempt: number, retryAfterMs: number, chance: number): number =>
  Math.max(retryAfterMs, clientPauseMs * 2 ** (attempt - 1) * (1 - chance / 2))

/** Answers of a proxy while the service behind it is down or busy. */
export const passingStatuses: ReadonlyArray<number> = [429, 502, 503, 504]

const millisecondsIn = 1_000

/** The longer of `retry-after`, in seconds or as a date, and the seconds in the body. `nowMs`: by the wall clock. */
export const retryAfterMs = (
  header: string | null | undefined,
  bodySeconds: number | undefined,
  nowMs: number
): number => {
  const text = header?.trim() ?? ""
  const ofHeader = /^\d+$/.test(text) ? Number(text) * millisecondsIn : Date.parse(text) - nowMs
  const longest = Math.max(notNegative(ofHeader), notNegative((bodySeconds ?? 0) * millisecondsIn))
  return Number.isFinite(longest) ? longest : timerMsMax
}

const notNegative = (ms: number): number => (ms > 0 ? ms : 0)
