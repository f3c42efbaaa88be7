/** Whether one condition can only hold where another does, as far as a glance can tell. */

import { isDeepStrictEqual } from "node:util"
import { type Condition, isComparison } from "../Condition.ts"

const floorOf = (condition: Condition): { readonly fact: string; readonly min: number } | null => {
  if ("all" in condition || "any" in condition || !isComparison(condition)) return null
  if (condition.operator === "greaterThanInclusive") return { fact: condition.fact, min: condition.value }
  return null
}

/** Sound and incomplete: equal conditions, and thresholds of one fact. */
export const implies = (narrow: Condition, wide: Condition): boolean => {
  const a = floorOf(narrow)
  const b = floorOf(wide)
  return a !== null && b !== null ? a.fact === b.fact && a.min >= b.min : isDeepStrictEqual(narrow, wide)
}
