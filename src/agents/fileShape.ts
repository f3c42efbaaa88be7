/** Shapes of the files that owners of agents write: each reports every problem of a value, and gives its JSON Schema. */

import { byCodeUnit, isRecord, type JsonObject } from "../json/json.ts"

export interface PlacedProblem {
  /** The place in the file: `tools.mcp:shop/refund.why`. Empty for the whole file. */
  readonly at: string
  readonly message: string
}

export interface FileShape<A> {
  readonly problems: (value: unknown, at: string) => ReadonlyArray<PlacedProblem>
  readonly schema: JsonObject
  readonly optional?: true
  /** Never set. It only connects the shape with the type of its values. */
  readonly proves?: A
}

const checked =
  (test: (value: unknown) => boolean, message: string): FileShape<never>["problems"] =>
  (value, at) =>
    test(value) ? [] : [{ at, message }]

const described = (schema: JsonObject, description?: string): JsonObject =>
  description === undefined ? schema : { ...schema, description }

export const aText = (charactersMax: number, description?: string): FileShape<string> => ({
  problems: checked(
    (value) => typeof value === "string" && value.trim() !== "" && [...value].length <= charactersMax,
    `must be a string of 1 to ${charactersMax} characters`
  ),
  schema: described({ type: "string", pattern: "\\S", maxLength: charactersMax }, description)
})

export const aChoice = <const A extends string | number | boolean>(
  values: ReadonlyArray<A>,
  description?: string
): FileShape<A> => ({
  problems: checked((value) => values.some((each) => each === value), `must be one of ${values.join(", ")}`),
  schema: described({ enum: values }, description)
})

export const aWhole = (least: number, most: number, description?: string): FileShape<number> => ({
  problems: checked(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `must be a whole number from ${least} to ${most}`
  ),
  schema: described({ type: "integer", minimum: least, maximum: most }, description)
})

const isDay = (value: unknown): boolean => {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

export const aDay = (description: string): FileShape<string> => ({
  problems: checked(isDay, "must be a day such as 2027-06-30"),
  schema: { type: "string", format: "date", description }
})

export const aPattern = (pattern: RegExp, says: string, description: string): FileShape<string> => ({
  problems: checked((value) => typeof value === "string" && pattern.test(value), says),
  schema: { type: "string", pattern: pattern.source, description }
})

export const aList = <A>(items: FileShape<A>, most: number, least = 0): FileShape<ReadonlyArray<A>> => ({
  problems: (value, at) =>
    Array.isArray(value) && value.length >= least && value.length <= most
      ? value.flatMap((each, index) => items.problems(each, `${at}[${index}]`))
      : [{ at, message: `must be a list of ${least} to ${most}` }],
  schema: { type: "array", items: items.schema, minItems: least, maxItems: most }
})

export const aTable = <A>(values: FileShape<A>, most: number): FileShape<Readonly<Record<string, A>>> => ({
  problems: (value, at) =>
    isRecord(value) && Object.keys(value).length <= most
      ? Object.entries(value).flatMap(([key, each]) => values.problems(each, below(at, key)))
      : [{ at, message: `must be an object of at most ${most} entries` }],
  schema: { type: "object", additionalProperties: values.schema, maxProperties: most }
})

export const maybe = <A>(shape: FileShape<A>): FileShape<A | undefined> & { readonly optional: true } => ({
  problems: shape.problems,
  schema: shape.schema,
  optional: true
})

type ObjectFields<A> = {
  readonly [K in keyof Required<A>]: object extends Pick<A, K>
    ? FileShape<A[K] | undefined> & { readonly optional: true }
    : FileShape<A[K]>
}

/** Rejects unknown keys, because a misspelled key would silently have no effect. */
export const anObject = <A extends object>(
  fields: ObjectFields<A>,
  more: (value: A, at: string) => ReadonlyArray<PlacedProblem> = () => [],
  description?: string
): FileShape<A> => {
  const shapes = new Map(Object.entries<FileShape<unknown>>(fields))
  const required = [...shapes].filter(([, shape]) => shape.optional !== true).map(([key]) => key)
  const properties = Object.fromEntries([...shapes].map(([key, { schema }]) => [key, schema]))
  return {
    problems: (value, at) => {
      if (!isRecord(value)) return [{ at, message: "must be an object" }]
      const found = [
        ...required
          .filter((key) => !Object.hasOwn(value, key))
          .map((key) => ({ at: below(at, key), message: "is missing" })),
        ...Object.entries(value).flatMap(
          ([key, each]) =>
            shapes.get(key)?.problems(each, below(at, key)) ?? [
              { at: below(at, key), message: `is unknown; known are ${[...shapes.keys()].join(", ")}` }
            ]
        )
      ]
      return found.length > 0 ? found : more(value as A, at)
    },
    schema: described({ type: "object", properties, required, additionalProperties: false }, description)
  }
}

const below = (at: string, key: string): string => (at === "" ? key : `${at}.${key}`)

/** Any such file may have `$schema`, for editors. */
export const readShaped = <A>(
  shape: FileShape<A>,
  json: unknown
): { readonly file: A } | { readonly problems: ReadonlyArray<PlacedProblem> } => {
  const { $schema: _, ...value } = isRecord(json) ? json : {}
  const problems = shape.problems(isRecord(json) ? value : json, "")
  if (problems.length === 0) return { file: value as A }
  return { problems: problems.toSorted((a, b) => byCodeUnit(a.at, b.at)) }
}

export const schemaOf = (shape: FileShape<unknown>, title: string): JsonObject => {
  const properties = isRecord(shape.schema["properties"]) ? shape.schema["properties"] : {}
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...shape.schema,
    properties: { $schema: { type: "string" }, ...(properties as JsonObject) }
  }
}
