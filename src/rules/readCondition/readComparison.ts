/** Reads a question about a count or a rank. */

import type { FactKind, FactName } from "../../scoring/Facts.ts"
import { type Comparison, type ComparisonOperator, comparisonOperators } from "../Condition.ts"
import type { Permissions } from "./readAtom.ts"
import { quote, type Refusal } from "./Refusal.ts"

const isComparison = (operator: string): operator is ComparisonOperator =>
  comparisonOperators.some((name) => name === operator)

export const readComparison = (
  fact: FactName,
  kind: Extract<FactKind, { kind: "count" | "rank" }>,
  operator: string,
  value: unknown,
  { raises }: Permissions
): Comparison | Refusal => {
  if (!isComparison(operator)) {
    return {
      rule: "unknown-operator",
      at: "operator",
      message: `\`${fact}\` is a ${kind.kind}: compare it, \`${operator}\` is for names and flags`,
      suggestion: "greaterThanInclusive"
    }
  }
  if (raises && operator.startsWith("lessThan")) {
    return {
      rule: "could-lower",
      at: "operator",
      message: `\`${operator}\` on \`${fact}\` could lower a score: only annotate and add_recommendation may look downwards`
    }
  }
  const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max) {
    const range = kind.kind === "rank" ? `from 0 to ${max}` : "from 0 up"
    const digits = typeof value === "string" && /^\d{1,15}$/.test(value)
    return {
      rule: typeof value === "number" ? "wrong-value" : "wrong-type",
      at: "value",
      message: `\`${fact}\` compares with a whole number ${range}, not ${quote(value)}`,
      ...(digits ? { suggestion: String(Number(value)) } : {})
    }
  }
  return { fact, operator, value }
}
