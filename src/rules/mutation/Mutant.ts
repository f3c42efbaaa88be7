/** Every mutant of a rule file: a copy of the file with one small change. */

import { severities } from "../../domain/Opinion.ts"
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
  isComparison,
  type Rule,
  type TypologyRule
} from "../language/Rule.ts"

interface MutationPlace {
  /** The name of the rule that is changed. */
  readonly rule: string
  /** The position of the change in the file. */
  readonly path: ReadonlyArray<PropertyKey>
  /** A description of the change in the words of the file. */
  readonly change: string
}

export interface Mutant extends MutationPlace {
  /** The unchanged file. */
  readonly original: RuleGroup
  /** The file with the change. */
  readonly changed: RuleGroup
}

interface RuleChange<R> extends MutationPlace {
  readonly rules: ReadonlyArray<R>
}

/** Each rule with one change of its condition, and the file without each rule. */
const mutateRules = <R extends Rule<unknown>>(rules: ReadonlyArray<R>): ReadonlyArray<RuleChange<R>> =>
  rules.flatMap((rule, i): ReadonlyArray<RuleChange<R>> => {
    const conditions = mutateCondition(rule.condition).map(({ change, condition, path }) => ({
      rule: rule.name,
      path: ["rules", i, "conditions", ...path],
      change,
      rules: rules.with(i, { ...rule, condition })
    }))
    const dropped = {
      rule: rule.name,
      path: ["rules", i],
      change: "without the rule",
      rules: rules.toSpliced(i, 1)
    }
    return [...conditions, dropped]
  })

const mutateSeverities = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<RuleChange<FactorRule>> =>
  rules.flatMap((rule, i) =>
    [-1, 1].flatMap((step) => {
      const { match } = rule
      const severity = severities[severities.indexOf(match.severity) + step]
      if (severity === undefined) return []
      return [
        {
          rule: rule.name,
          path: ["rules", i, "event", "params", "severity"],
          change: `severity ${match.severity} → ${severity}`,
          rules: rules.with(i, { ...rule, match: { ...match, severity } })
        }
      ]
    })
  )

/** A file can give one hazard to several rules. So all rules with the same hazard lose it together. */
const mutateHazards = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<RuleChange<FactorRule>> => {
  const hazards = [...new Set(rules.map(({ match }) => match.hazardBp))]
  return hazards
    .filter((hazardBp) => hazardBp > 0)
    .map((hazardBp) => {
      const first = rules.findIndex(({ match }) => match.hazardBp === hazardBp)
      return {
        rule: rules[first]?.name ?? "",
        path: hazards.length === 1 ? ["hazard_bp"] : ["rules", first, "event", "params", "hazard_bp"],
        change: `hazard_bp ${hazardBp} → 0`,
        rules: rules.map((rule) =>
          rule.match.hazardBp === hazardBp ? { ...rule, match: { ...rule.match, hazardBp: 0 } } : rule
        )
      }
    })
}

const mutateFloors = (rules: ReadonlyArray<TypologyRule>): ReadonlyArray<RuleChange<TypologyRule>> =>
  rules.map((rule, i) => {
    const floor = rule.match.floor - 1
    return {
      rule: rule.name,
      path: ["floor"],
      change: `floor ${rule.match.floor} → ${floor}`,
      rules: rules.with(i, { ...rule, match: { ...rule.match, floor } })
    }
  })

const mutants = <R>(
  changes: ReadonlyArray<RuleChange<R>>,
  original: RuleGroup,
  withRules: (rules: ReadonlyArray<R>) => RuleGroup
): ReadonlyArray<Mutant> =>
  changes.map(({ rules, ...place }) => ({ ...place, original, changed: withRules(rules) }))

/** The effect of a policy rule is not mutated: its cases only say whether the rule matches. */
export const mutateRuleGroup = (group: RuleGroup): ReadonlyArray<Mutant> => {
  switch (group.kind) {
    case "factor": {
      const { rules } = group
      const changes = [...mutateRules(rules), ...mutateSeverities(rules), ...mutateHazards(rules)]
      return mutants(changes, group, (rules) => ({ ...group, rules }))
    }
    case "typology": {
      const changes = [...mutateRules(group.rules), ...mutateFloors(group.rules)]
      return mutants(changes, group, (rules) => ({ ...group, rules }))
    }
    case "policy":
      return mutants(mutateRules(group.rules), group, (rules) => ({ ...group, rules }))
  }
}

/** A condition with one small change: an operator flipped, a threshold moved by one, a term dropped, `all` replaced by `any`. */
interface ChangedCondition {
  readonly condition: Condition
  /** The position of the change below the condition. */
  readonly path: ReadonlyArray<PropertyKey>
  /** A description of the change in the words of the file: `greaterThanInclusive 1000 → greaterThan 1000`. */
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

/** The direction in which a threshold moves. A move in the other direction would mean the same as the flipped operator. */
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
