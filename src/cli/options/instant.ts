/** Instants as operators write them: RFC 3339 date-times, and dates, which mean their first moment in UTC. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { isCursor } from "../../storage/assessmentId.ts"

/** As a date-time; null where the text is neither. */
export const parseInstant = (text: string): string | null => {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  return isCursor(instant) ? instant : null
}

export const instant = (name: string) =>
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
