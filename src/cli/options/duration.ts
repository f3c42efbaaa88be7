/** Durations as operators write them: `2s`, `15m`, `12h`, `30d`. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { durationMsMax } from "../../Limits.ts"

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds; null where the text is no duration, or one of more than a century. */
export const parseDurationMs = (text: string): number | null => {
  const [, figure, unit] = /^([1-9][0-9]{0,9})([smhd])$/.exec(text) ?? []
  const ms = Number(figure) * (unitsMs[unit as keyof typeof unitsMs] ?? Number.NaN)
  return ms <= durationMsMax ? ms : null
}

export const durationMs = (name: string) =>
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
