/** The rule language: a rule, its condition, and what a condition means. A closed subset of json-rules-engine's, so that every file can be analysed exactly. */

import { severities } from "../../domain/Opinion.ts"
import { type FactKind, factKinds, type FactName, type Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, PolicyRuleMatch, TypologyMatch } from "../../scoring/Model.ts"

export interface Rule<Match> {
  /** Unique in its set. */
  readonly name: string
  readonly condition: Condition
  readonly match: Match
}

/** Of several rules of one factor that hold, the highest severity counts. */
export type FactorRule = Rule<FactorMatch>
export type TypologyRule = Rule<TypologyMatch>
export type PolicyRule = Rule<PolicyRuleMatch>

export interface RuleSet {
  readonly factors: ReadonlyArray<FactorRule>
  readonly typologies: ReadonlyArray<TypologyRule>
}

/** The dialect of rule conditions: a closed subset of json-rules-engine's, so that every file can be analysed exactly. */
export const comparisonOperators = [
  "greaterThan",
  "greaterThanInclusive",
  "lessThan",
  "lessThanInclusive"
] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

export const choiceOperators = ["equal", "notEqual", "in", "notIn"] as const
export type ChoiceOperator = (typeof choiceOperators)[number]

export type ChoiceValue = string | boolean

/** Asks a count or a rank. */
export interface Comparison {
  readonly fact: FactName
  readonly operator: ComparisonOperator
  readonly value: number
}

/** Asks a name, a text or a flag. */
export type Choice =
  | { readonly fact: FactName; readonly operator: "equal" | "notEqual"; readonly value: ChoiceValue }
  | { readonly fact: FactName; readonly operator: "in" | "notIn"; readonly value: ReadonlyArray<ChoiceValue> }

/** Spelled exactly as in the file: json-rules-engine reads the same object and means the same. */
export type Condition =
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | Comparison
  | Choice

export const factKind = (fact: FactName): FactKind => factKinds[fact]

export const isFactName = (name: string): name is FactName => Object.hasOwn(factKinds, name)

/** Facts that only exist once the rest of the score does: completeness factors may ask them, nothing else. */
export const completenessFacts: ReadonlySet<FactName> = new Set<FactName>([
  "confidence_percent_missing",
  "gate_applied"
])

/** Names and flags that are risk-ordered fields of a request, least risky first. */
export const orderedChoices: Partial<Record<FactName, ReadonlyArray<ChoiceValue>>> = {
  environment: factKinds.environment.names,
  production_impact: [false, true],
  privilege_change: [false, true]
}

export const isComparison = (atom: Comparison | Choice): atom is Comparison =>
  comparisonOperators.some((operator) => operator === atom.operator)

const comparisonHolds = ({ operator, value }: Comparison, actual: number): boolean => {
  switch (operator) {
    case "greaterThan":
      return actual > value
    case "greaterThanInclusive":
      return actual >= value
    case "lessThan":
      return actual < value
    case "lessThanInclusive":
      return actual <= value
  }
}

/** Whether a choice holds for a value that its fact can have. */
export const choiceHolds = (choice: Choice, actual: ChoiceValue): boolean => {
  switch (choice.operator) {
    case "equal":
      return actual === choice.value
    case "notEqual":
      return actual !== choice.value
    case "in":
      return choice.value.includes(actual)
    case "notIn":
      return !choice.value.includes(actual)
  }
}

/** Whether one question holds for one value: the plain meaning of the dialect. */
export const atomHolds = (atom: Comparison | Choice, actual: ChoiceValue | number): boolean =>
  isComparison(atom)
    ? typeof actual === "number" && comparisonHolds(atom, actual)
    : typeof actual !== "number" && choiceHolds(atom, actual)

/** Whether a condition holds: the plain meaning of `all` and `any`. */
export const conditionHolds = (condition: Condition, facts: Facts): boolean => {
  if ("all" in condition) return condition.all.every((term) => conditionHolds(term, facts))
  if ("any" in condition) return condition.any.some((term) => conditionHolds(term, facts))
  return atomHolds(condition, facts[condition.fact])
}

/** The order in which matches of one factor outrank each other: severity, then hazard; strongest first. */
export const bySeverity = (a: FactorMatch, b: FactorMatch): number =>
  severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.hazardBp - a.hazardBp
