/** Type-checks one question of a condition: fact, operator and value must fit each other. */

import { actionTypeMax } from "../../Limits.ts"
import type { FactKind, FactName } from "../../scoring/Facts.ts"
import { didYouMean } from "../nearestName.ts"
import {
  type Choice,
  type ChoiceOperator,
  type Choosable,
  choiceOperators,
  chooses,
  type Comparison,
  type ComparisonOperator,
  completenessFacts,
  comparisonOperators,
  factKind,
  orderedChoices
} from "../Condition.ts"

export interface Permissions {
  /** The rule can raise a score, so ordered facts may only push upwards. */
  readonly raises: boolean
  /** The rule belongs to a completeness factor, which is asked after the rest of the score. */
  readonly completeness: boolean
}

interface Refusal {
  readonly at: "fact" | "operator" | "value"
  readonly problem: string
}

const quote = (value: unknown): string => `\`${JSON.stringify(value) ?? String(value)}\``

const isComparison = (operator: string): operator is ComparisonOperator =>
  comparisonOperators.some((name) => name === operator)

const readComparison = (
  fact: FactName,
  kind: Extract<FactKind, { kind: "count" | "rank" }>,
  operator: string,
  value: unknown,
  permissions: Permissions
): Comparison | Refusal => {
  if (!isComparison(operator)) {
    return {
      at: "operator",
      problem: `\`${fact}\` is a ${kind.kind}: compare it, \`${operator}\` is for names and flags`
    }
  }
  if (permissions.raises && operator.startsWith("lessThan")) {
    return {
      at: "operator",
      problem: `\`${operator}\` on \`${fact}\` could lower a score: only annotate and add_recommendation may look downwards`
    }
  }
  const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max) {
    return {
      at: "value",
      problem: `\`${fact}\` compares with a whole number from 0 to ${max}, not ${quote(value)}`
    }
  }
  return { fact, operator, value }
}

const refuseChoosable = (fact: FactName, kind: FactKind, value: unknown): Refusal | null => {
  switch (kind.kind) {
    case "flag":
      return typeof value === "boolean"
        ? null
        : { at: "value", problem: `\`${fact}\` is true or false, not ${quote(value)}` }
    case "name":
      if (typeof value === "string" && kind.names.includes(value)) return null
      return {
        at: "value",
        problem: `\`${fact}\` is never ${quote(value)}${typeof value === "string" ? didYouMean(value, kind.names) : ""}`
      }
    default:
      return typeof value === "string" && value !== "" && [...value].length <= actionTypeMax
        ? null
        : {
            at: "value",
            problem: `\`${fact}\` compares with a text of 1 to ${actionTypeMax} characters, not ${quote(value)}`
          }
  }
}

/** Whatever the choice holds for, it must hold for everything riskier too. */
const couldLower = (choice: Choice): boolean => {
  const ordered = orderedChoices[choice.fact]?.map((value) => chooses(choice, value)) ?? []
  return ordered.some((holds, i) => holds && ordered[i + 1] === false)
}

const readChoice = (
  fact: FactName,
  kind: FactKind,
  operator: string,
  value: unknown,
  permissions: Permissions
): Choice | Refusal => {
  const known: ChoiceOperator | undefined = choiceOperators.find((name) => name === operator)
  if (known === undefined) {
    return {
      at: "operator",
      problem: `\`${fact}\` is a ${kind.kind}: \`${operator}\` is for counts and ranks`
    }
  }
  const many = known === "in" || known === "notIn"
  // json-rules-engine searches a text for a substring where a list was meant.
  if (many !== Array.isArray(value) || (Array.isArray(value) && value.length === 0)) {
    return {
      at: "value",
      problem: `\`${operator}\` takes ${many ? "a list of at least one value" : "one value"}, not ${quote(value)}`
    }
  }
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  const refusal = values.map((one) => refuseChoosable(fact, kind, one)).find((found) => found !== null)
  if (refusal !== undefined) return refusal
  const choosable = values.filter(
    (one): one is Choosable => typeof one === "string" || typeof one === "boolean"
  )
  const [first = ""] = choosable
  const choice: Choice =
    known === "in" || known === "notIn"
      ? { fact, operator: known, value: choosable }
      : { fact, operator: known, value: first }
  return permissions.raises && couldLower(choice)
    ? {
        at: "value",
        problem: `\`${fact}\` is risk-ordered and this could lower a score: a rule that holds must hold for everything riskier`
      }
    : choice
}

export const readAtom = (
  fact: FactName,
  operator: string,
  value: unknown,
  permissions: Permissions
): Comparison | Choice | Refusal => {
  if (completenessFacts.has(fact) && !permissions.completeness) {
    return { at: "fact", problem: `\`${fact}\` is known only to completeness factors` }
  }
  const kind = factKind(fact)
  return kind.kind === "count" || kind.kind === "rank"
    ? readComparison(fact, kind, operator, value, permissions)
    : readChoice(fact, kind, operator, value, permissions)
}
