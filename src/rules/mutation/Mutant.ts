/** Generates every mutant of a rule file: copies with one small change each. */

import { severities, type Severity } from "../../domain/Opinion.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { describeCondition } from "../explain/describeCondition.ts"
import {
  type Choice,
  type Comparison,
  type ComparisonOperator,
  type Condition,
  type ConditionAtom,
  factKind,
  type FactorRule,
  type GroupKind,
  groupWith,
  isComparison
} from "../language/Rule.ts"

export interface Mutant {
  /** The name of the changed rule. */
  readonly rule: string
  /** The path of the change in the file. */
  readonly path: ReadonlyArray<PropertyKey>
  /** Describes the change in the terms of the file. */
  readonly change: string
  /** The unchanged file. */
  readonly original: RuleGroup
  /** The file with the change. */
  readonly changed: RuleGroup
}

type GroupRule = RuleGroup["rules"][number]

/** The effect of a policy rule is not mutated, because its cases only show whether the rule matches. */
export const mutateRuleGroup = (group: RuleGroup): ReadonlyArray<Mutant> => {
  const rules: ReadonlyArray<GroupRule> = group.rules
  const mutant = (
    at: number,
    path: Mutant["path"],
    change: string,
    changed: ReadonlyArray<GroupRule>
  ): Mutant => ({
    rule: rules[at]?.name ?? "",
    path,
    change,
    original: group,
    // The cast is safe: no change turns a rule into one of another kind.
    changed: { ...group, rules: changed } as RuleGroup
  })
  const ofConditions = rules.flatMap((rule, i) => [
    ...mutateCondition(rule.condition).map(({ change, condition, path }) =>
      mutant(i, ["rules", i, "conditions", ...path], change, rules.with(i, { ...rule, condition }))
    ),
    mutant(i, ["rules", i], "without the rule", rules.toSpliced(i, 1))
  ])
  switch (group.kind) {
    case "factor":
      return [
        ...ofConditions,
        ...group.rules.flatMap((rule, i) =>
          severitiesNextTo(rule.match.severity).map((severity) =>
            mutant(
              i,
              ["rules", i, "event", "params", "severity"],
              `severity ${rule.match.severity} → ${severity}`,
              rules.with(i, { ...rule, match: { ...rule.match, severity } })
            )
          )
        ),
        ...withoutHazards(group.rules).map(({ at, hazardBp, path, without }) =>
          mutant(at, path, `hazard_bp ${hazardBp} → 0`, without)
        )
      ]
    case "typology":
      return [
        ...ofConditions,
        ...group.rules.map((rule, i) => {
          const floor = rule.match.floor - 1
          const changed = rules.with(i, { ...rule, match: { ...rule.match, floor } })
          return mutant(i, ["floor"], `floor ${rule.match.floor} → ${floor}`, changed)
        })
      ]
    case "policy":
      return ofConditions
  }
}

const severitiesNextTo = (severity: Severity): ReadonlyArray<Severity> =>
  [-1, 1].flatMap((step) => severities[severities.indexOf(severity) + step] ?? [])

/** A file can give one hazard to several rules. All rules with the same hazard lose it together. */
const withoutHazards = (rules: ReadonlyArray<FactorRule>) => {
  const hazards = [...new Set(rules.map(({ match }) => match.hazardBp))]
  return hazards
    .filter((hazardBp) => hazardBp > 0)
    .map((hazardBp) => {
      const has = ({ match }: FactorRule) => match.hazardBp === hazardBp
      const at = rules.findIndex(has)
      return {
        at,
        hazardBp,
        path: hazards.length === 1 ? ["hazard_bp"] : ["rules", at, "event", "params", "hazard_bp"],
        without: rules.map((rule) => (has(rule) ? { ...rule, match: { ...rule.match, hazardBp: 0 } } : rule))
      }
    })
}

/** A condition with one small change: an operator flipped, a threshold moved by one, a term dropped, or `all` replaced by `any`. */
interface ChangedCondition {
  readonly condition: Condition
  /** The path of the change within the condition. */
  readonly path: ReadonlyArray<PropertyKey>
  /** Describes the change in the terms of the file: `greaterThanInclusive 1000 → greaterThan 1000`. */
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

const written = ({ operator, value }: ConditionAtom): string => `${operator} ${JSON.stringify(value)}`

const changed = (from: ConditionAtom, to: ConditionAtom, step: "operator" | "value"): ChangedCondition => ({
  condition: to,
  path: [step],
  change: `\`${from.fact}\` ${written(from)} → ${written(to)}`
})

/** The direction in which a threshold moves. The other direction would be equivalent to flipping the operator. */
const movesOf: Readonly<Record<ComparisonOperator, -1 | 1>> = {
  greaterThan: 1,
  greaterThanInclusive: -1,
  lessThan: -1,
  lessThanInclusive: 1
}

const mutateAtom = (atom: ConditionAtom): ReadonlyArray<ChangedCondition> => {
  const flip = changed(atom, { ...atom, operator: flipped[atom.operator] } as ConditionAtom, "operator")
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
    ...fewer.map((condition, i) => ({
      condition,
      path: ["value", i],
      change: `\`${atom.fact}\` ${atom.operator} without ${JSON.stringify(atom.value[i])}`
    }))
  ]
}

const mutateGroup = (kind: GroupKind, terms: ReadonlyArray<Condition>): ReadonlyArray<ChangedCondition> => {
  const inside = terms.flatMap((term, i) =>
    mutateCondition(term).map(({ change, condition, path }) => ({
      condition: groupWith(kind, terms.with(i, condition)),
      path: [kind, i, ...path],
      change
    }))
  )
  if (terms.length < 2) return inside
  const other = kind === "all" ? "any" : "all"
  return [
    ...inside,
    ...terms.map((term, i) => ({
      condition: groupWith(kind, terms.toSpliced(i, 1)),
      path: [kind, i],
      change: `without: ${describeCondition(term)}`
    })),
    { condition: groupWith(other, terms), path: [kind], change: `${kind} → ${other}` }
  ]
}

export const mutateCondition = (condition: Condition): ReadonlyArray<ChangedCondition> => {
  if ("all" in condition) return mutateGroup("all", condition.all)
  if ("any" in condition) return mutateGroup("any", condition.any)
  return mutateAtom(condition)
}
