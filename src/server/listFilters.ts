/** The filters in a list's query. Every invalid one is a problem. */

import { Result } from "effect"
import type { Problem } from "../api/Failures.ts"
import { actionCategories, environments } from "../domain/Action.ts"
import { dayAfter } from "../domain/Day.ts"
import { actionRiskLevels } from "../domain/Opinion.ts"
import { actionTypeMax, agentIdMax } from "../limits.ts"
import type { FacetFilter } from "../storage/facets/FilteredLists.ts"
import { idAtInstant } from "../storage/timeOrderedId.ts"
import { type Check, enumCheck, type Page, readListQuery } from "./requestInput.ts"

const severalCheck =
  (names: ReadonlyArray<string>): Check =>
  (value) =>
    value.split(",").every((one) => names.includes(one))
      ? undefined
      : `must be one of ${names.join(", ")}, or several with commas`

const textCheck =
  (max: number): Check =>
  (value) => {
    if (value === "" || [...value].length > max) return `must have 1 to ${max} characters`
    return value.includes("\0") ? "must not contain the character U+0000" : undefined
  }

const date = /^\d{4}-\d{2}-\d{2}$/

/** The id at a time. A date without a time means its first moment or, with `end`, the first moment of the next day. */
const idAt = (value: string, end: boolean): string | undefined => {
  if (!date.test(value)) return idAtInstant(value)
  const first = idAtInstant(`${value}T00:00:00Z`)
  return first === undefined || !end ? first : idAtInstant(`${dayAfter(value)}T00:00:00Z`)
}

/** The database has no year 0. */
const instantCheck: Check = (value) =>
  value.startsWith("0000") || idAt(value, true) === undefined
    ? "must be a date such as 2026-01-31, or a date-time such as 2026-01-31T12:00:00.000Z"
    : undefined

const statuses = ["complete", "incomplete"]
const flags = ["true", "false"]

const checks = {
  level: severalCheck(actionRiskLevels),
  assessment_status: enumCheck(statuses),
  environment: severalCheck(environments),
  category: severalCheck(actionCategories),
  agent_id: textCheck(agentIdMax),
  action_type: textCheck(actionTypeMax),
  factor: (value: string) =>
    /^[A-Z][A-Z0-9_]{0,79}$/.test(value) ? undefined : "must be the code of a risk factor",
  has_review: enumCheck(flags),
  from: instantCheck,
  to: instantCheck
} satisfies Readonly<Record<string, Check>>

export const filterNames = Object.keys(checks) as ReadonlyArray<keyof typeof checks>

type Stated = Readonly<Record<keyof typeof checks, string | null>>

const orNull = <A>(value: string | null, read: (value: string) => A): A | null =>
  value === null ? null : read(value)

const several =
  <A extends string>(names: ReadonlyArray<A>) =>
  (value: string): ReadonlyArray<A> =>
    names.filter((name) => value.split(",").includes(name))

const filterOf = (stated: Stated): FacetFilter | null =>
  filterNames.every((name) => stated[name] === null)
    ? null
    : {
        levels: orNull(stated.level, several(actionRiskLevels)),
        environments: orNull(stated.environment, several(environments)),
        categories: orNull(stated.category, several(actionCategories)),
        complete: orNull(stated.assessment_status, (status) => status === "complete"),
        agentId: stated.agent_id,
        actionType: stated.action_type,
        factor: stated.factor,
        hasReview: orNull(stated.has_review, (flag) => flag === "true"),
        from: orNull(stated.from, (from) => idAt(from, false) ?? null),
        to: orNull(stated.to, (to) => idAt(to, true) ?? null)
      }

/** The problem of a `from` that is not before `to`. */
export const notBeforeTo = "must be before to"

const spanProblems = ({ from = null, to = null }: FacetFilter): ReadonlyArray<Problem> =>
  from !== null && to !== null && from >= to ? [{ field: "from", message: notBeforeTo }] : []

interface Filtered {
  /** Null if the query states none. */
  readonly filter: FacetFilter | null
}

/** Reads the query of a list with filters. `others`: the parameters that only this list has, each null if absent. */
export const readFilteredQuery = <Other extends string = never>(
  query: string,
  others: Readonly<Record<Other, Check>>
): Result.Result<Page & Filtered & Readonly<Record<Other, string | null>>, ReadonlyArray<Problem>> => {
  const read = readListQuery<string>(query, { ...checks, ...others })
  if (Result.isFailure(read)) return Result.fail(read.failure)
  // Invariant: `readListQuery` returns every requested parameter.
  const stated = read.success as Page & Stated & Readonly<Record<Other, string | null>>
  const filter = filterOf(stated)
  const problems = filter === null ? [] : spanProblems(filter)
  return problems.length > 0 ? Result.fail(problems) : Result.succeed({ ...stated, filter })
}
