/** Refuses values that the engine reads and no other reader agrees on: numbers that overflow, halves of characters. */

import type { Problem } from "../Problem.ts"

type Path = Problem["path"]

const problem = (path: Path, message: string, at?: "key"): ReadonlyArray<Problem> => [
  { rule: "not-json", path, message, ...(at === undefined ? {} : { at }) }
]

/** The value must be known not to nest deep. */
export const refuseValues = (json: unknown, path: Path = []): ReadonlyArray<Problem> => {
  if (typeof json === "number") {
    return Number.isFinite(json) ? [] : problem(path, "a number is too large to be read")
  }
  if (typeof json === "string") {
    return json.isWellFormed() ? [] : problem(path, "a text holds half of a surrogate pair")
  }
  if (Array.isArray(json)) return json.flatMap((value: unknown, i) => refuseValues(value, [...path, i]))
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([key, value]: [string, unknown]) => [
    ...(key.isWellFormed() ? [] : problem([...path, key], "a key holds half of a surrogate pair", "key")),
    ...refuseValues(value, [...path, key])
  ])
}
