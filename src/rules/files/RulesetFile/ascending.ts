/** Filters that keep scales monotone: every theorem about the score rests on them. */

import { Schema } from "effect"
import { facts } from "../../../scoring/Facts.ts"
import { BasisPoints, Count } from "../vocabulary.ts"

const pairwise = <A>(values: ReadonlyArray<A>, inOrder: (a: A, b: A) => boolean): boolean =>
  values.every((value, i) => {
    const next = values[i + 1]
    return next === undefined || inOrder(value, next)
  })

/** Points of a scale: strictly ascending in x, never falling in basis points. */
export const AnchorsFile = Schema.Array(Schema.Tuple([Count, BasisPoints])).check(
  Schema.isMinLength(2),
  Schema.makeFilter(
    (anchors: ReadonlyArray<readonly [number, number]>) =>
      pairwise(anchors, ([x, bp], [nextX, nextBp]) => x < nextX && bp <= nextBp) ||
      "expected anchors that ascend in both columns"
  )
)

/** Strictly ascending figures, no more than the ranks of the facts that count them. */
export const StepsFile = Schema.Array(Count).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(facts.cumulative_entities_step.max),
  Schema.makeFilter(
    (steps: ReadonlyArray<number>) => pairwise(steps, (a, b) => a < b) || "expected ascending steps"
  )
)

/** A record over ranked names, in which no figure falls as the rank rises. */
export const neverFalling = <Name extends string, A>(
  names: ReadonlyArray<Name>,
  figures: (value: A) => ReadonlyArray<number>
) =>
  Schema.makeFilter((record: Readonly<Record<Name, A>>) => {
    const rows = names.map((name) => figures(record[name]))
    return (
      pairwise(rows, (a, b) => a.every((figure, i) => figure <= (b[i] ?? figure))) ||
      `expected figures that never fall from \`${names[0] ?? ""}\` to \`${names.at(-1) ?? ""}\``
    )
  })
