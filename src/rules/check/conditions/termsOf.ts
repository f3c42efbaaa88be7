/** The terms of a condition, each with its place and with what the condition is without it. */

import type { Condition } from "../../Condition.ts"
import type { Problem } from "../../Problem.ts"

type Path = Problem["path"]
type Group = "all" | "any"

export interface Term {
  readonly path: Path
  /** The group that it stands in. */
  readonly group: Group
  readonly term: Condition
  /** The whole condition without it; null where it is alone in its group. */
  readonly without: Condition | null
  /** The whole condition with nothing beside it in its group. */
  readonly alone: Condition
}

const groupOf = (condition: Condition): readonly [Group, ReadonlyArray<Condition>] | null => {
  if ("all" in condition) return ["all", condition.all]
  return "any" in condition ? ["any", condition.any] : null
}

const build = (group: Group, terms: ReadonlyArray<Condition>): Condition =>
  group === "all" ? { all: terms } : { any: terms }

/** Outer terms before inner ones; `around` puts the condition back into the whole. */
export const termsOf = (
  condition: Condition,
  path: Path = [],
  around: (inner: Condition) => Condition = (inner) => inner
): ReadonlyArray<Term> => {
  const group = groupOf(condition)
  if (group === null) return []
  const [kind, terms] = group
  return terms.flatMap((term, i) => {
    const own = [...path, kind, i]
    return [
      {
        path: own,
        group: kind,
        term,
        without: terms.length === 1 ? null : around(build(kind, terms.toSpliced(i, 1))),
        alone: around(build(kind, [term]))
      },
      ...termsOf(term, own, (inner) => around(build(kind, terms.with(i, inner))))
    ]
  })
}
