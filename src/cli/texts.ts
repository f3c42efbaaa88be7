/** Texts for people: figures, counted words, sentences, durations and instants. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { durationMsMax } from "../limits.ts"
import { escapeInvisible, invisible, spelled } from "../markup.ts"
import type { SituationJson } from "../rules/counterexample/findWitness.ts"
import { isCursor } from "../storage/timeOrderedId.ts"

/** `12,480` */
export const figure = (count: number): string => count.toLocaleString("en-US")

/** `1 case`, `12,480 cases` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`

/** With its sign. The minus is U+2212, which is as wide as the plus. */
export const signed = (count: number): string =>
  count > 0 ? `+${figure(count)}` : count < 0 ? `−${figure(-count)}` : "0"

/** `a`, `a and b`, `a, b and c` */
export const enumerated = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** The text with a capital letter in front and a full stop behind. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`

const invisibleOrColor = new RegExp(`\u001b\\[[0-9;]*m|${invisible.source}`, "gu")

/**
 * The same for all that a command prints, whose own colors stay. It is the last guard: what is laid out or colored was
 * spelled before, so that a foreign text cannot bring colors either.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(invisibleOrColor, (found) => (found.endsWith("m") ? found : spelled(found)))

/** The part of a witness that a case file takes: the request and its history, without the two scores. */
export const asCase = ({ history, request }: SituationJson): SituationJson =>
  history === undefined ? { request } : { request, history }

export const pasteableJson = (json: unknown): string => escapeInvisible(JSON.stringify(json, null, 2))

/** Durations and instants on the command line. */
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
