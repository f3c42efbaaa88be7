/** Flags and arguments shared by all kinds of commands: --json, --format, --mode, paths, whole numbers, durations, times. */

import { Clock, Effect, Option, Schema } from "effect"
import { Argument, Flag, Param, Primitive } from "effect/cli"
import { modes } from "../domain/Caller.ts"
import { isPlainLine } from "../foreignText.ts"
import { durationMsMax, keyNameMax } from "../limits.ts"
import { asUuid, isCursor } from "../storage/timeOrderedId.ts"

/** The variables of verbs that use a database, for their help. */
export const databaseSettings = "`DATABASE_URL`, `DATA_DIR`"

/** An optional flag or argument whose default is null. */
export const elseNull = <Kind extends Param.ParamKind, A>(
  param: Param.Param<Kind, A>,
  description: string
): Param.Param<Kind, A | null> => Param.withDefault(Param.withDescription(param, description), null)

/** An optional flag whose default is `value`. */
export const flagOr = <A, const B>(flag: Flag.Flag<A>, value: B, description: string): Flag.Flag<A | B> =>
  flag.pipe(Flag.withDescription(description), Flag.withDefault(value))

/** A flag that takes text. `metavar`: the placeholder for the text in the help. */
export const textFlag = (name: string, metavar: string) => Flag.String(name).pipe(Flag.withMetavar(metavar))

export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

/** `--org` and `--mode`: the owner of stored assessments, for a command that sometimes reads the database. `when`: the condition. */
export const optionalOwnerFlags = (when: string) => ({
  org: elseNull(textFlag("org", "slug"), `${when}: the organization's slug`),
  mode: elseNull(Flag.Literals("mode", modes), `${when}: live or test assessments`)
})

/** The person or program that has the key. Rejects invisible characters, which would let one name look like another. */
export const keyNameFlag = Flag.String("name").pipe(
  Flag.withSchema(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => text.trim() !== "" && [...text].length <= keyNameMax && isPlainLine(text),
        { message: `Expected 1 to ${keyNameMax} printable characters` }
      )
    )
  )
)

/** `--format`: the format of findings, for people or for a tool that shows them in a review. */
export const formats = ["pretty", "sarif", "github", "markdown"] as const
export type Format = (typeof formats)[number]

export const formatFlag = flagOr(
  Flag.Literals("format", formats),
  "pretty",
  "For people; as SARIF 2.1.0; as GitHub annotations; or as a Markdown table for a pull request"
)

export const orgFlag = textFlag("org", "slug").pipe(Flag.withDescription("The organization's slug"))

export const ownerFlags = {
  org: orgFlag,
  mode: Flag.Literals("mode", modes).pipe(Flag.withDescription("Live or test assessments"))
}

/** The id of a stored item, in lower case. Its format is checked before a database is opened. */
const readId = (text: string) => Option.fromUndefinedOr(asUuid(text))

/** `list`: the command that shows the ids. */
export const idArgument = (name: string, description: string, list: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(description),
    Argument.filterMap(readId, () => `an id as \`${list}\` shows it`)
  )

export const idFlag = (name: string, list: string) =>
  textFlag(name, "id").pipe(Flag.filterMap(readId, () => `an id as \`${list}\` shows it`))

/** Ids of assessments, as in the API's answers. */
export const assessmentIds = Argument.String("assessment id").pipe(
  Argument.withDescription("Which assessments"),
  Argument.filterMap(readId, () => "an id such as 01a1faa8-096b-732a-8637-7ff3434a9d23"),
  Argument.variadic()
)

/** A flag that takes some of `words`, separated by commas. Returns them in the order of `words`, without duplicates. */
export const wordListFlag = <const A extends string>(name: string, words: ReadonlyArray<A>) =>
  textFlag(name, words.join(",")).pipe(
    Flag.filterMap(
      (text) => {
        const given = text.split(",").map((word) => word.trim())
        return given.every((word) => words.some((known) => known === word))
          ? Option.some(words.filter((word) => given.includes(word)))
          : Option.none()
      },
      () => `a comma-separated list of ${words.join(", ")}`
    )
  )

/**
 * The path of a file or folder exactly as typed, including `-`. Shells complete it. The library's own path type makes paths absolute, which
 * would change error messages and the meaning of `-`.
 */
const asTyped: Primitive.Primitive<string> = Object.assign(Object.create(Primitive.Path("either")), {
  parse: Primitive.String.parse
})

const path =
  <Kind extends Param.ParamKind>(kind: Kind) =>
  (name: string, typeName: string, description?: string): Param.Param<Kind, string> =>
    Param.makeSingle({
      kind,
      name,
      description: Option.fromUndefinedOr(description),
      primitiveType: asTyped,
      typeName
    })

export const pathFlag = path(Param.flagKind)
export const pathArgument = (name: string, description?: string) =>
  path(Param.argumentKind)(name, "path", description)

/** Accepts one of the words that this installation knows at run time. */
export const knownWord = <Kind extends Param.ParamKind>(
  param: Param.Param<Kind, string>,
  known: () => ReadonlyArray<string>
) =>
  Param.filter(
    param,
    (word) => known().includes(word),
    () => expectedOneOf(known())
  )

export const expectedOneOf = (known: ReadonlyArray<string>) => `one of ${known.join(", ")}`

export const outFlag = (metavar: string) =>
  elseNull(
    pathFlag("out", metavar),
    "The file to write; no partial file is left behind (default: standard output)"
  )

/** A flag that takes a whole number within a range. `expected` completes the sentence "expected …". */
export const integerFlag = (
  name: string,
  min: number,
  max: number,
  expected = `a whole number from ${min} to ${max}`
) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= min && value <= max,
      () => expected
    )
  )

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds; null if the text is not a duration, or is longer than 36,500 days. */
export const parseDurationMs = (text: string): number | null => {
  const [, figure, unit] = /^([1-9][0-9]{0,9})([smhd])$/.exec(text) ?? []
  const ms = Number(figure) * (unitsMs[unit as keyof typeof unitsMs] ?? Number.NaN)
  return ms <= durationMsMax ? ms : null
}

export const durationMsFlag = (name: string) =>
  textFlag(name, "30d").pipe(
    Flag.filterMap(
      (text) => Option.fromNullOr(parseDurationMs(text)),
      () => "a duration such as 2s, 15m, 12h or 30d, at most 36500d"
    )
  )

/** Accepts an RFC 3339 date-time, or a date, which means its first moment in UTC. Returns a date-time, or null. */
const parseInstant = (text: string): string | null => {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  return isCursor(instant) ? instant : null
}

export const instantFlag = (name: string) =>
  textFlag(name, "2026-12-01T00:00:00Z").pipe(
    Flag.filterMap(
      (text) => Option.fromNullOr(parseInstant(text)),
      () => "a date such as 2026-12-01, or a date-time such as 2026-12-01T09:30:00Z"
    )
  )

/** `--since`: a time, or a duration counted back from now. The value is a date-time, if the flag is given. */
export const sinceFlag = textFlag("since", "2026-12-01T00:00:00Z|30d").pipe(
  Flag.withDescription("Only assessments since this instant, or of the last 1h or 30d"),
  Flag.filterMap(
    (text) => Option.fromNullOr(parseInstant(text) ?? parseDurationMs(text)),
    () =>
      "a date such as 2026-12-01, a date-time such as 2026-12-01T09:30:00Z, or a duration such as 1h or 30d"
  ),
  Flag.mapEffect((since) =>
    typeof since === "string"
      ? Effect.succeed(since)
      : Effect.map(Clock.currentTimeMillis, (nowMs) => new Date(nowMs - since).toISOString())
  ),
  Flag.withDefault(null)
)
