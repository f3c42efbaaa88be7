/** Schemas for the words and numbers in rule files. */

import { Schema } from "effect"
import { isPlainLine } from "../../foreignText.ts"
import { dataClassifications, reversibilities } from "../../domain/Action.ts"
import { severities } from "../../domain/Opinion.ts"
import { ruleCountMax, ruleNameMax, ruleSentenceMax } from "../../limits.ts"
import { factKinds } from "../../scoring/Facts.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A share or a probability, 0-10000. */
export const BasisPoints = between(0, 10_000).annotate({
  description: "A share or a probability in basis points: 10000 is the whole."
})

/** A score. */
export const Points = between(0, 100).annotate({ description: "A score, 0 to 100." })

export const Percent = between(0, 100)

/** A count of entities, records or dollars. */
export const Quantity = between(0, ruleCountMax)

/** A count of days, hours or multiples. */
export const SmallQuantity = between(1, 10_000)

/** Plain text on one line without invisible parts, so that a reviewer sees all of it. */
export const Sentence = Schema.Trimmed.check(
  Schema.makeFilter(isPlainLine, {
    message: "contains a line break or an invisible character: write plain text on one line"
  }),
  Schema.isNonEmpty(),
  Schema.isMaxLength(ruleSentenceMax)
)

/** Patterns have the flag `u`, because JSON Schema interprets patterns that way. */
const textOfForm = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message }), Schema.isMaxLength(ruleNameMax))

/** `HIGH_ENTITY_COUNT` */
export const Code = textOfForm(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/u, "expected UPPER_SNAKE_CASE")

/** `bulk-export-at-night` */
export const Slug = textOfForm(/^[a-z0-9]+(-[a-z0-9]+)*$/u, "expected lower-case words joined by hyphens")

export const SemVer = textOfForm(
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/u,
  "expected a version such as 1.0.0"
)

export const IsoDate = textOfForm(/^\d{4}-\d{2}-\d{2}$/u, "expected a date such as 2026-11-02")

export const SeverityName = Schema.Literals(severities)
export const DataClassificationName = Schema.Literals(dataClassifications)
export const ReversibilityName = Schema.Literals(reversibilities)

export const Lifecycle = Schema.Literals(["experimental", "stable", "deprecated"]).annotate({
  description: "`experimental`: its meaning may still change. `deprecated`: it will be removed."
})

export const Sha256Hex = textOfForm(/^[0-9a-f]{64}$/u, "expected a SHA-256 in lower-case hex")

/** `Date.parse` accepts 30 February as a day in March, so the day must survive a round trip. */
export const isInCalendar = (instant: string): boolean => {
  const ms = Date.parse(instant)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(instant.slice(0, 19))
}

export const Instant = textOfForm(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/u,
  "expected an instant such as 2026-11-02T09:30:00Z"
).check(Schema.makeFilter(isInCalendar, { message: "expected a day and a time that exist" }))

/** A problem found by checking a whole object, with its path in the object. */
export interface Issue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: string
}

export const pairwise = <A>(values: ReadonlyArray<A>, inOrder: (a: A, b: A) => boolean): boolean =>
  values.every((value, i) => {
    const next = values[i + 1]
    return next === undefined || inOrder(value, next)
  })

/** The points of a scale: strictly ascending in x, never falling in basis points. */
export const AnchorsFile = Schema.Array(Schema.Tuple([Quantity, BasisPoints])).check(
  Schema.isMinLength(2),
  Schema.makeFilter(
    (anchors: ReadonlyArray<readonly [number, number]>) =>
      pairwise(anchors, ([x, bp], [nextX, nextBp]) => x < nextX && bp <= nextBp) ||
      "expected anchors that increase in both columns"
  )
)

/** Strictly ascending thresholds, at most as many as the highest rank of the facts that count them. */
export const StepsFile = Schema.Array(Quantity).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(factKinds.cumulative_entities_step.max),
  Schema.makeFilter(
    (steps: ReadonlyArray<number>) => pairwise(steps, (a, b) => a < b) || "expected ascending steps"
  )
)

/** Checks a record over ranked names: figures must not fall as the rank rises. */
export const neverFalling = <Name extends string, A>(
  names: ReadonlyArray<Name>,
  figures: (value: A) => ReadonlyArray<number>
) =>
  Schema.makeFilter((record: Readonly<Record<Name, A>>) => {
    const rows = names.map((name) => figures(record[name]))
    return (
      pairwise(rows, (a, b) => a.every((figure, i) => figure <= (b[i] ?? figure))) ||
      `expected figures that never decrease from \`${names[0] ?? ""}\` to \`${names.at(-1) ?? ""}\``
    )
  })

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : S

export type SnakeCased<Fields> = { readonly [K in keyof Fields]: K extends string ? SnakeCase<K> : K }

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A struct with snake_case keys in rule files and camelCase keys in code. */
export const fileStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const names = Object.fromEntries(Object.keys(fields).map((name) => [name, snakeCase(name)]))
  // `SnakeCased` computes in types the same names that the line above computes.
  return Schema.Struct(fields).pipe(Schema.encodeKeys(names as SnakeCased<Fields>))
}

/** A record whose keys are among the names, each of them optional. */
export const someOf = <const Name extends string, S extends Schema.Constraint>(
  names: ReadonlyArray<Name>,
  value: S
) => {
  const fields = Object.fromEntries(names.map((name) => [name, Schema.optionalKey(value)]))
  // The line above gives every name the same optional value.
  return Schema.Struct(fields as { readonly [K in Name]: Schema.optionalKey<S> })
}
