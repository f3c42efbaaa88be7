/** How much of each rule its cases cover, and every gap. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { describeAtom } from "../explain/describeCondition.ts"
import {
  atomHolds,
  type Comparison,
  type Condition,
  type ConditionAtom,
  conditionHolds,
  factKind,
  isComparison
} from "../language/Rule.ts"

/**
 * - `rule`: the rule holds in no case.
 * - `atom`: one atom of a condition has the same result in every case.
 * - `boundary`: no case has the value directly on one side of a threshold.
 */
type GapKind = "rule" | "atom" | "boundary"

interface Gap {
  readonly kind: GapKind
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly code: string
  /** The rule's own name: `HIGH_ENTITY_COUNT.high`. */
  readonly rule: string
  readonly file: string
  /** The path in the file of the rule, the atom, or the atom's value. */
  readonly path: ReadonlyArray<PropertyKey>
  /** `no case has entities_affected 999, directly below its threshold` */
  readonly message: string
}

export interface Reached {
  readonly reachable: number
  readonly reached: number
  /** 0-100, rounded down: 100 only if every goal is reached. */
  readonly percent: number
}

/** The goals are each rule, both results of each atom, and both sides of each threshold. */
export interface Coverage extends Reached {
  readonly codes: ReadonlyArray<Reached & { readonly code: string; readonly file: string }>
  readonly gaps: ReadonlyArray<Gap>
}

type Path = ReadonlyArray<PropertyKey>

interface PlacedAtom {
  readonly atom: ConditionAtom
  readonly path: Path
}

/** Every atom of a condition with its path. */
const placedAtoms = (condition: Condition, path: Path): ReadonlyArray<PlacedAtom> => {
  if ("all" in condition) return condition.all.flatMap((term, i) => placedAtoms(term, [...path, "all", i]))
  if ("any" in condition) return condition.any.flatMap((term, i) => placedAtoms(term, [...path, "any", i]))
  return [{ atom: condition, path }]
}

/** The two adjacent values between which the comparison changes its result, except those that the fact cannot have. */
export const edgesOf = ({ fact, operator, value }: Comparison): ReadonlyArray<number> => {
  const kind = factKind(fact)
  const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
  const below = operator === "greaterThanInclusive" || operator === "lessThan" ? value - 1 : value
  return [below, below + 1].filter((edge) => edge >= 0 && edge <= max)
}

/** `4999 (49.99 USD)`, or only `4999` if the rendered figure would repeat the number. */
const figureText = (fact: FactName, edge: number): string => {
  const figure = renderFigure(fact, edge)
  return figure.replaceAll(",", "") === String(edge) ? String(edge) : `${edge} (${figure})`
}

interface CoverageGoal {
  readonly kind: GapKind
  readonly path: Path
  readonly reached: boolean
  readonly message: string
}

const goalsAt = ({ atom, path }: PlacedAtom, seen: ReadonlyArray<Facts>): ReadonlyArray<CoverageGoal> => {
  const answers = [true, false].map((answer): CoverageGoal => {
    return {
      kind: "atom",
      path,
      reached: seen.some((facts) => atomHolds(atom, facts[atom.fact]) === answer),
      message: `no case answers ${answer ? "yes" : "no"} to: ${describeAtom(atom)}`
    }
  })
  if (!isComparison(atom)) return answers
  const edges = edgesOf(atom).map((edge): CoverageGoal => {
    return {
      kind: "boundary",
      path: [...path, "value"],
      reached: seen.some((facts) => facts[atom.fact] === edge),
      message: `no case is directly ${atomHolds(atom, edge) ? "on" : "outside"} the threshold, at \`${atom.fact}\` ${figureText(atom.fact, edge)}`
    }
  })
  return [...answers, ...edges]
}

const goalsOf = (
  { code, file, rules }: RuleGroup,
  seen: ReadonlyArray<Facts>
): ReadonlyArray<CoverageGoal & Gap> =>
  rules.flatMap(({ condition, name }, i) => {
    const path: Path = ["rules", i]
    const rule: CoverageGoal = {
      kind: "rule",
      path,
      reached: seen.some((facts) => conditionHolds(condition, facts)),
      message: `no case makes \`${name}\` hold`
    }
    const goals = placedAtoms(condition, [...path, "conditions"]).flatMap((atom) => goalsAt(atom, seen))
    return [rule, ...goals].map((goal) => ({ ...goal, code, rule: name, file }))
  })

export const measureReached = <Goal>(
  goals: ReadonlyArray<Goal>,
  isReached: (goal: Goal) => boolean
): Reached => {
  const reached = goals.filter(isReached).length
  const reachable = goals.length
  return { reachable, reached, percent: reachable === 0 ? 100 : Math.floor((100 * reached) / reachable) }
}

const measure = (goals: ReadonlyArray<CoverageGoal>) => measureReached(goals, ({ reached }) => reached)

/** `seen`: by code, the facts with which the cases of a file tested its rules. */
export const coverageOf = (
  ruleGroups: ReadonlyArray<RuleGroup>,
  seen: ReadonlyMap<string, ReadonlyArray<Facts>>
): Coverage => {
  const measured = ruleGroups.map((ruleGroup) => ({
    code: ruleGroup.code,
    file: ruleGroup.file,
    goals: goalsOf(ruleGroup, seen.get(ruleGroup.code) ?? [])
  }))
  return {
    codes: measured.map(({ code, file, goals }) => ({ code, file, ...measure(goals) })),
    gaps: measured
      .flatMap(({ goals }) => goals)
      .filter(({ reached }) => !reached)
      .map(({ code, file, kind, message, path, rule }) => ({ kind, code, rule, file, path, message })),
    ...measure(measured.flatMap(({ goals }) => goals))
  }
}
