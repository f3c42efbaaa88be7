/** Reads a condition of a rule file: accepts only the dialect, and reports every problem with its place. */

import { isRecord } from "../../json/json.ts"
import { actionTypeMax, conditionDepthMax } from "../../limits.ts"
import { type FactKind, factKinds, type FactName } from "../../scoring/Facts.ts"
import type { FileProblem } from "../Finding.ts"
import { didYouMean } from "../nearestName.ts"
import {
  type Choice,
  choiceHolds,
  type ChoiceOperator,
  choiceOperators,
  type ChoiceValue,
  type Comparison,
  type ComparisonOperator,
  comparisonOperators,
  completenessFacts,
  type Condition,
  type ConditionAtom,
  factKind,
  isFactName,
  orderedChoices
} from "./Rule.ts"

type Path = FileProblem["path"]
type Report = (problem: FileProblem) => null

const groupKeys = ["all", "any"] as const
const operators = [...choiceOperators, ...comparisonOperators]

interface ReadContext {
  readonly permissions: Permissions
  readonly report: Report
}

const readGroup = (
  json: Record<string, unknown>,
  path: Path,
  depth: number,
  context: ReadContext
): Condition | null => {
  const { report } = context
  const foreign = Object.keys(json).filter((key) => key !== "all" && key !== "any")
  for (const key of foreign) report(refuseForeign(key, path))
  const key = groupKeys.find((group) => group in json)
  // json-rules-engine would read `any` and ignore an `all` in the same group.
  if (key === undefined || ("all" in json && "any" in json)) {
    const message = "`all` and `any` are in the same group: put one inside the other"
    return report({ rule: "mixed-group", path, message })
  }
  if (depth > conditionDepthMax) {
    const message = `groups are nested more than ${conditionDepthMax} deep`
    return report({ rule: "too-deep", path, message })
  }
  const terms = json[key]
  if (!Array.isArray(terms)) {
    return report({
      rule: "wrong-type",
      path: [...path, key],
      message: `\`${key}\` must be a list of conditions`
    })
  }
  // json-rules-engine would treat an empty group as true, whether it is `all` or `any`.
  if (terms.length === 0) {
    const message = `\`${key}\` must be a list of at least one condition`
    return report({ rule: "empty-group", path: [...path, key], message })
  }
  const read = terms.map((term: unknown, i) => readTerm(term, [...path, key, i], depth + 1, context))
  const valid = read.filter((term) => term !== null)
  if (valid.length !== read.length || foreign.length > 0) return null
  return key === "all" ? { all: valid } : { any: valid }
}

const readTerm = (json: unknown, path: Path, depth: number, context: ReadContext): Condition | null => {
  const { permissions, report } = context
  if (!isRecord(json)) return report({ rule: "wrong-type", path, message: "a condition must be an object" })
  if ("all" in json || "any" in json) return readGroup(json, path, depth, context)
  const { fact, operator, value, ...rest } = json
  const foreign = Object.keys(rest)
  for (const key of foreign) report(refuseForeign(key, path))
  if (fact === undefined && operator === undefined && foreign.length > 0) return null
  const known = operators.find((name) => name === operator)
  const isFact = typeof fact === "string" && isFactName(fact)
  if (fact !== undefined && typeof fact !== "string") {
    const message = `\`fact\` is the name of a fact, not ${inBackticks(fact)}`
    report({ rule: "wrong-type", path: [...path, "fact"], message })
  } else if (!isFact) {
    const { hint, suggested } = didYouMean(String(fact), Object.keys(factKinds))
    const message = fact === undefined ? "`fact` is missing" : `unknown fact \`${String(fact)}\`${hint}`
    report({ rule: "unknown-fact", path: [...path, "fact"], message, ...suggested })
  }
  if (known === undefined) {
    const { hint, suggested } = didYouMean(String(operator), operators)
    const message =
      operator === undefined ? "`operator` is missing" : `unknown operator \`${String(operator)}\`${hint}`
    report({ rule: "unknown-operator", path: [...path, "operator"], message, ...suggested })
  }
  if (!isFact || known === undefined) return null
  const atom = readAtom(fact, known, value, permissions)
  if (!("at" in atom)) return foreign.length > 0 ? null : atom
  const { at, index, ...problem } = atom
  return report({ ...problem, path: [...path, at, ...(index === undefined ? [] : [index])] })
}

/** Returns the condition, or null and at least one problem. The paths of problems start with `from`. */
export const readCondition = (
  json: unknown,
  permissions: Permissions,
  from: Path = []
): { readonly condition: Condition | null; readonly problems: ReadonlyArray<FileProblem> } => {
  const problems: Array<FileProblem> = []
  const report: Report = (problem) => {
    problems.push(problem)
    return null
  }
  if (!isRecord(json)) {
    report({ rule: "wrong-type", path: from, message: "`conditions` must be a group: `all` or `any`" })
    return { condition: null, problems }
  }
  if (!("all" in json) && !("any" in json)) {
    const foreign = Object.keys(json).filter((key) => !["fact", "operator", "value"].includes(key))
    for (const key of foreign) report(refuseForeign(key, from))
    if (foreign.length === 0) {
      const rule = Object.keys(json).length === 0 ? "empty-group" : "wrong-type"
      report({ rule, path: from, message: "`conditions` must be a group: `all` or `any`" })
    }
    return { condition: null, problems }
  }
  const condition = readGroup(json, from, 1, { permissions, report })
  return { condition: problems.length === 0 ? condition : null, problems }
}

export interface Permissions {
  /** Whether the rule can raise a score. A condition on an ordered fact must then not stop holding when the fact rises. */
  readonly raises: boolean
  /** Whether the rule belongs to a completeness factor, which is evaluated after the rest of the score. */
  readonly completeness: boolean
}

/** Checks that the fact, operator and value of an atom fit together. */
const readAtom = (
  fact: FactName,
  operator: string,
  value: unknown,
  permissions: Permissions
): ConditionAtom | Refusal => {
  if (completenessFacts.has(fact) && !permissions.completeness) {
    const message = `\`${fact}\` is known only to completeness factors`
    return { rule: "unknown-fact", at: "fact", message }
  }
  if (value === undefined) return { rule: "missing-key", at: "value", message: "`value` is missing" }
  if (isFactReference(value)) {
    const message = "a value is a constant, never another fact"
    return { rule: "not-in-dialect", at: "value", message }
  }
  const kind = factKind(fact)
  return kind.kind === "count" || kind.kind === "rank"
    ? readComparison(fact, kind, operator, value, permissions)
    : readChoice(fact, kind, operator, value, permissions)
}

const isComparisonOperator = (operator: string): operator is ComparisonOperator =>
  comparisonOperators.some((name) => name === operator)

const readComparison = (
  fact: FactName,
  kind: Extract<FactKind, { kind: "count" | "rank" }>,
  operator: string,
  value: unknown,
  { raises }: Permissions
): Comparison | Refusal => {
  if (!isComparisonOperator(operator)) {
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
      message: `\`${operator}\` on \`${fact}\` could lower a score: only annotate and add_recommendation may use it`
    }
  }
  const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max) {
    const range = kind.kind === "rank" ? `from 0 to ${max}` : "from 0 up"
    const digits = typeof value === "string" && /^\d{1,15}$/.test(value)
    return {
      rule: typeof value === "number" ? "wrong-value" : "wrong-type",
      at: "value",
      message: `\`${fact}\` compares with a whole number ${range}, not ${inBackticks(value)}`,
      ...(digits ? { suggestion: String(Number(value)) } : {})
    }
  }
  return { fact, operator, value }
}

const refuseChoiceValue = (fact: FactName, kind: FactKind, value: unknown): Refusal | null => {
  const at = "value"
  switch (kind.kind) {
    case "flag": {
      if (typeof value === "boolean") return null
      const message = `\`${fact}\` is true or false, not ${inBackticks(value)}`
      const meant = value === "true" || value === "false" ? { suggestion: value } : {}
      return { rule: "wrong-type", at, message, ...meant }
    }
    case "name": {
      if (typeof value !== "string") {
        return { rule: "wrong-type", at, message: `\`${fact}\` is a name, not ${inBackticks(value)}` }
      }
      if (kind.names.includes(value)) return null
      const { hint, suggested } = didYouMean(value, kind.names)
      return {
        rule: "unknown-code",
        at,
        message: `\`${fact}\` is never ${inBackticks(value)}${hint}`,
        ...suggested
      }
    }
    default:
      return typeof value === "string" && value !== "" && [...value].length <= actionTypeMax
        ? null
        : {
            rule: typeof value === "string" ? "wrong-value" : "wrong-type",
            at,
            message: `\`${fact}\` compares with a string of 1 to ${actionTypeMax} characters, not ${inBackticks(value)}`
          }
  }
}

/** Whether the choice holds for some value of a risk-ordered fact but not for a riskier one. */
const couldLower = (choice: Choice): boolean => {
  const ordered = orderedChoices[choice.fact]?.map((value) => choiceHolds(choice, value)) ?? []
  return ordered.some((holds, i) => holds && ordered[i + 1] === false)
}

const readChoice = (
  fact: FactName,
  kind: FactKind,
  operator: string,
  value: unknown,
  { raises }: Permissions
): Choice | Refusal => {
  const known: ChoiceOperator | undefined = choiceOperators.find((name) => name === operator)
  if (known === undefined) {
    return {
      rule: "unknown-operator",
      at: "operator",
      message: `\`${fact}\` is a ${kind.kind}: \`${operator}\` is for counts and ranks`,
      suggestion: "equal"
    }
  }
  const many = known === "in" || known === "notIn"
  // If the value were a text and not a list, json-rules-engine would search it for a substring.
  if (many !== Array.isArray(value) || (Array.isArray(value) && value.length === 0)) {
    return {
      rule: "wrong-type",
      at: "value",
      message: `\`${operator}\` takes ${many ? "a list of at least one value" : "one value"}, not ${inBackticks(value)}`,
      ...(many && typeof value !== "object" ? { suggestion: `[${JSON.stringify(value)}]` } : {})
    }
  }
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  for (const [index, candidate] of values.entries()) {
    const refusal = refuseChoiceValue(fact, kind, candidate)
    if (refusal !== null) return many ? { ...refusal, index } : refusal
  }
  const choosable = values.filter(
    (candidate): candidate is ChoiceValue => typeof candidate === "string" || typeof candidate === "boolean"
  )
  const [first = ""] = choosable
  const choice: Choice =
    known === "in" || known === "notIn"
      ? { fact, operator: known, value: choosable }
      : { fact, operator: known, value: first }
  return raises && couldLower(choice)
    ? {
        rule: "could-lower",
        at: "value",
        message: `\`${fact}\` is risk-ordered, so this could lower a score: a rule that holds must hold for everything riskier`
      }
    : choice
}

/** Keys that json-rules-engine reads but the dialect excludes, each with an alternative. */
const advice: Readonly<Record<string, string>> = {
  not: "test the opposite with `notEqual` or `notIn`",
  path: "every fact is a single value",
  params: "facts take no parameters",
  priority: "rules have no order, and every one is evaluated",
  condition: "write the condition out: there are no named conditions"
}

const dialectKeys = ["all", "any", "fact", "operator", "value"]

/** The problem of a key that the dialect does not allow at this place. */
const refuseForeign = (key: string, path: FileProblem["path"]): FileProblem => {
  const reason = dialectKeys.includes(key)
    ? "next to `all` or `any` it has no effect: put it inside"
    : advice[key]
  const { hint, suggested } = didYouMean(key, reason === undefined ? dialectKeys : [])
  return {
    rule: "not-in-dialect",
    path: [...path, key],
    at: "key",
    message: `\`${key}\` is not part of the dialect${reason === undefined ? hint : `: ${reason}`}`,
    ...suggested
  }
}

/** json-rules-engine lets a value refer to another fact; the dialect does not. */
const isFactReference = (value: unknown): boolean => isRecord(value) && "fact" in value

/** The problem of one atom, with the part of the atom at fault. */
interface Refusal extends Pick<FileProblem, "rule" | "message" | "suggestion"> {
  readonly at: "fact" | "operator" | "value"
  /** The index in a list of values. */
  readonly index?: number
}

/** A value as written in the file, in full. */
const inBackticks = (value: unknown): string => `\`${JSON.stringify(value) ?? String(value)}\``
