/** Every small change of a condition: an operator flipped, a threshold moved by one, a question dropped, `all` for `any`. */

import {
  type Choice,
  type Comparison,
  type ComparisonOperator,
  type Condition,
  factKind,
  isComparison
} from "../Condition.ts"
import { describeCondition } from "../describeCondition.ts"

export interface ChangedCondition {
  readonly condition: Condition
  /** Below the condition, where the change stands. */
  readonly path: ReadonlyArray<PropertyKey>
  /** What was changed, in the words of the file: `greaterThanInclusive 1000 → greaterThan 1000`. */
  readonly change: string
}

const flipped: Readonly<Record<Comparison["operator"] | Choice["operator"], string>> = {
  greaterThan: "greaterThanInclusive",
  greaterThanInclusive: "greaterThan",
  lessThan: "lessThanInclusive",
  lessThanInclusive: "lessThan",
  equal: "notEqual",
  notEqual: "equal",
  in: "notIn",
  notIn: "in"
}

type Atom = Comparison | Choice

const written = ({ operator, value }: Atom): string => `${operator} ${JSON.stringify(value)}`

const changed = (from: Atom, to: Atom, step: "operator" | "value"): ChangedCondition => ({
  condition: to,
  path: [step],
  change: `\`${from.fact}\` ${written(from)} → ${written(to)}`
})

/** A fraction moved in the other direction is what flipping the operator already is, so only one step is left to take. */
const movesOf: Readonly<Record<ComparisonOperator, -1 | 1>> = {
  greaterThan: 1,
  greaterThanInclusive: -1,
  lessThan: -1,
  lessThanInclusive: 1
}

const mutateAtom = (atom: Atom): ReadonlyArray<ChangedCondition> => {
  const flip = changed(atom, { ...atom, operator: flipped[atom.operator] } as Atom, "operator")
  if (isComparison(atom)) {
    const kind = factKind(atom.fact)
    const value = atom.value + movesOf[atom.operator]
    const inRange = value >= 0 && value <= (kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER)
    return inRange ? [flip, changed(atom, { ...atom, value }, "value")] : [flip]
  }
  if ((atom.operator !== "in" && atom.operator !== "notIn") || atom.value.length < 2) return [flip]
  const fewer = atom.value.map((_, i) => ({ ...atom, value: atom.value.toSpliced(i, 1) }))
  return [
    flip,
    ...fewer.map((one, i) => ({
      condition: one,
      path: ["value", i],
      change: `\`${atom.fact}\` ${atom.operator} without ${JSON.stringify(atom.value[i])}`
    }))
  ]
}

const groupOf = (key: "all" | "any", terms: ReadonlyArray<Condition>): Condition =>
  key === "all" ? { all: terms } : { any: terms }

const mutateGroup = (
  key: "all" | "any",
  terms: ReadonlyArray<Condition>
): ReadonlyArray<ChangedCondition> => {
  const inside = terms.flatMap((term, i) =>
    mutateCondition(term).map(({ change, condition, path }) => ({
      condition: groupOf(key, terms.with(i, condition)),
      path: [key, i, ...path],
      change
    }))
  )
  if (terms.length < 2) return inside
  const dropped = terms.map((term, i) => ({
    condition: groupOf(key, terms.toSpliced(i, 1)),
    path: [key, i],
    change: `without: ${describeCondition(term)}`
  }))
  const other = key === "all" ? "any" : "all"
  return [
    ...inside,
    ...dropped,
    { condition: groupOf(other, terms), path: [key], change: `${key} → ${other}` }
  ]
}

export const mutateCondition = (condition: Condition): ReadonlyArray<ChangedCondition> => {
  if ("all" in condition) return mutateGroup("all", condition.all)
  if ("any" in condition) return mutateGroup("any", condition.any)
  return mutateAtom(condition)
}
