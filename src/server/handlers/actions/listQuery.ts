/** The query of a list: every wrong parameter is told, none is clamped, unknown names are ignored. */

import { Result } from "effect"
import type { Problem } from "../../../api/Failures.ts"
import type { ListQuery } from "../../../assessment/Assessments.ts"
import { listLimitDefault, listLimitMax, searchMax } from "../../../Limits.ts"
import { isCursor } from "../../../storage/assessmentId.ts"

const wholeNumber = /^[1-9][0-9]{0,2}$/

/** `undefined` when it is acceptable. */
const problemWith: Readonly<Record<"limit" | "cursor" | "q", (value: string) => string | undefined>> = {
  limit: (value) =>
    wholeNumber.test(value) && Number(value) <= listLimitMax
      ? undefined
      : `must be an integer from 1 to ${listLimitMax}`,
  cursor: (value) => (isCursor(value) ? undefined : "must be a date-time such as 2026-01-31T12:00:00.000Z"),
  q: (value) => {
    if ([...value].length > searchMax) return `must have at most ${searchMax} characters`
    return value.includes("\0") ? "must not contain the character U+0000" : undefined
  }
}

/** A broken percent-encoding: URLSearchParams would read it as it stands, or as U+FFFD. */
const isEncoded = (query: string): boolean => {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

/** The names of parameters that are not properly encoded. */
const brokenNames = (query: string): ReadonlyArray<string> =>
  query
    .split("&")
    .filter((pair) => !isEncoded(pair))
    .map((pair) => pair.split("=", 1)[0] ?? "")

export const readListQuery = (query: string): Result.Result<ListQuery, ReadonlyArray<Problem>> => {
  const parameters = new URLSearchParams(query)
  const broken = brokenNames(query)
  const problems: Array<Problem> = []
  const problemOf = (field: "limit" | "cursor" | "q", value: string): string | undefined =>
    broken.includes(field) ? "must be percent-encoded UTF-8" : problemWith[field](value)
  const read = (field: "limit" | "cursor" | "q"): string | null => {
    const [value = null, ...others] = parameters.getAll(field)
    const message =
      others.length > 0 ? "must be given once" : value === null ? undefined : problemOf(field, value)
    if (message !== undefined) problems.push({ field, message })
    return value
  }
  const limit = read("limit")
  const cursor = read("cursor")
  const q = read("q")
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({ limit: limit === null ? listLimitDefault : Number(limit), cursor, q })
}
