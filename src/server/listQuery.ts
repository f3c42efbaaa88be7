/** The query of a list: every wrong parameter is told, none is clamped, unknown names are ignored. */

import { Result } from "effect"
import type { Problem } from "../api/Failures.ts"
import { listLimitDefault, listLimitMax } from "../limits.ts"
import { isCursor } from "../storage/timeOrderedId.ts"

/** What is wrong with a value; `undefined` when it is acceptable. */
export type Check = (value: string) => string | undefined

export interface Page {
  /** 1 to 100. */
  readonly limit: number
  /** A date-time: only what is older. */
  readonly cursor: string | null
}

const wholeNumber = /^[1-9][0-9]{0,2}$/

const limitCheck: Check = (value) =>
  wholeNumber.test(value) && Number(value) <= listLimitMax
    ? undefined
    : `must be an integer from 1 to ${listLimitMax}`

const cursorCheck: Check = (value) =>
  isCursor(value) ? undefined : "must be a date-time such as 2026-01-31T12:00:00.000Z"

export const enumCheck =
  (names: ReadonlyArray<string>): Check =>
  (value) =>
    names.includes(value) ? undefined : `must be one of ${names.join(", ")}`

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

/** `filters`: the parameters of the list besides `limit` and `cursor`; null where one is not given. */
export const readListQuery = <Filter extends string = never>(
  query: string,
  filters: Readonly<Record<Filter, Check>>
): Result.Result<Page & Readonly<Record<Filter, string | null>>, ReadonlyArray<Problem>> => {
  const parameters = new URLSearchParams(query)
  const broken = brokenNames(query)
  const problems: Array<Problem> = []
  const read = (field: string, check: Check): string | null => {
    const [value = null, ...others] = parameters.getAll(field)
    if (value === null) return null
    const message =
      others.length > 0
        ? "must be given once"
        : broken.includes(field)
          ? "must be percent-encoded UTF-8"
          : check(value)
    if (message !== undefined) problems.push({ field, message })
    return value
  }
  const limit = read("limit", limitCheck)
  const cursor = read("cursor", cursorCheck)
  const filtered: Record<string, string | null> = {}
  for (const [field, check] of Object.entries<Check>(filters)) filtered[field] = read(field, check)
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({
        // Invariant: every filter was read above.
        ...(filtered as Readonly<Record<Filter, string | null>>),
        limit: limit === null ? listLimitDefault : Number(limit),
        cursor
      })
}
