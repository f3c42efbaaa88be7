/** The rule language: a closed subset of that of json-rules-engine, so that every rule file can be analysed exactly. */

import { severities } from "../../domain/Opinion.ts"
import { type FactKind, factKinds, type FactName, type Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, PolicyRuleMatch, TypologyMatch } from "../../scoring/Model.ts"

export interface Rule<Match> {
  /** Unique within its set. */
  readonly name: string
  readonly condition: Condition
  readonly match: Match
}

/** If several rules of a factor hold, the one with the highest severity counts. */
export type FactorRule = Rule<FactorMatch>
export type TypologyRule = Rule<TypologyMatch>
export type PolicyRule = Rule<PolicyRuleMatch>

export interface RuleSet {
  readonly factors: ReadonlyArray<FactorRule>
  readonly typologies: ReadonlyArray<TypologyRule>
}

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

/** Tests a count or a rank. */
export interface Comparison {
  readonly fact: FactName
  readonly operator: ComparisonOperator
  readonly value: number
}

/** Tests a name, a text or a flag. */
export type Choice =
  | { readonly fact: FactName; readonly operator: "equal" | "notEqual"; readonly value: ChoiceValue }
  | { readonly fact: FactName; readonly operator: "in" | "notIn"; readonly value: ReadonlyArray<ChoiceValue> }

/** One test of one fact: the leaf of a condition. */
export type ConditionAtom = Comparison | Choice

/** Spelled exactly as in the file: json-rules-engine reads the same object with the same meaning. */
export type Condition =
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | ConditionAtom

export type GroupKind = "all" | "any"

/** The kind and the terms of a group; null for a single atom. */
export const groupTerms = (
  condition: Condition
): readonly [kind: GroupKind, terms: ReadonlyArray<Condition>] | null => {
  if ("all" in condition) return ["all", condition.all]
  return "any" in condition ? ["any", condition.any] : null
}

export const groupWith = (kind: GroupKind, terms: ReadonlyArray<Condition>): Condition =>
  kind === "all" ? { all: terms } : { any: terms }

/** In the order of the file. */
export const atomsOf = (condition: Condition): ReadonlyArray<ConditionAtom> => {
  if ("all" in condition) return condition.all.flatMap(atomsOf)
  if ("any" in condition) return condition.any.flatMap(atomsOf)
  return [condition]
}

export const factKind = (fact: FactName): FactKind => factKinds[fact]

export const isFactName = (name: string): name is FactName => Object.hasOwn(factKinds, name)

/** Facts about the score itself, which exist only after scoring. Only completeness factors may use them. */
export const completenessFacts: ReadonlySet<FactName> = new Set<FactName>(["confidence_percent_missing"])

/** The names and flags that are fields of a request with an order of risk, with their values from least to most risky. */
export const orderedChoices: Partial<Record<FactName, ReadonlyArray<ChoiceValue>>> = {
  environment: factKinds.environment.names,
  production_impact: [false, true],
  privilege_change: [false, true]
}

export const isComparison = (atom: ConditionAtom): atom is Comparison =>
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

/** `actual`: a value that the fact can have. */
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

/** Defines the meaning of an atom. */
export const atomHolds = (atom: ConditionAtom, actual: ChoiceValue | number): boolean =>
  isComparison(atom)
    ? typeof actual === "number" && comparisonHolds(atom, actual)
    : typeof actual !== "number" && choiceHolds(atom, actual)

/** Defines the meaning of a condition. */
export const conditionHolds = (condition: Condition, facts: Facts): boolean => {
  if ("all" in condition) return condition.all.every((term) => conditionHolds(term, facts))
  if ("any" in condition) return condition.any.some((term) => conditionHolds(term, facts))
  return atomHolds(condition, facts[condition.fact])
}

/** Sorts the matches of one factor, strongest first: by severity, then by hazard. */
export const bySeverity = (a: FactorMatch, b: FactorMatch): number =>
  severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.hazardBp - a.hazardBp
