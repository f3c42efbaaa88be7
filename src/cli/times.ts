/** Durations and instants on the command line. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { durationMsMax } from "../limits.ts"
import { isCursor } from "../storage/timeOrderedId.ts"

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds; null where the text is no duration, or is longer than 36,500 days. */
export const parseDurationMs = (text: string): number | null => {
  const [, figure, unit] = /^([1-9][0-9]{0,9})([smhd])$/.exec(text) ?? []
  const ms = Number(figure) * (unitsMs[unit as keyof typeof unitsMs] ?? Number.NaN)
  return ms <= durationMsMax ? ms : null
}

export const durationMsFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("30d"),
    Flag.mapEffect((text) => {
      const ms = parseDurationMs(text)
      return ms === null
        ? Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: text,
              expected: "a duration like 2s, 15m, 12h or 30d, at most 36500d",
              kind: "flag"
            })
          )
        : Effect.succeed(ms)
    })
  )

/** Takes an RFC 3339 date-time, or a date, which stands for its first moment in UTC. Gives a date-time, or null. */
const parseInstant = (text: string): string | null => {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  return isCursor(instant) ? instant : null
}

export const instantFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("2026-12-01T00:00:00Z"),
    Flag.mapEffect((text) => {
      const parsed = parseInstant(text)
      return parsed === null
        ? Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: text,
              expected: "a date like 2026-12-01, or a date-time like 2026-12-01T09:30:00Z",
              kind: "flag"
            })
          )
        : Effect.succeed(parsed)
    })
  )
