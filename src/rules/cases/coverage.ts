/** How much of each rule the cases beside it reach, and every place that none of them does. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { describeAtom } from "../explain/describeCondition.ts"
import type { TracedAtom } from "../explain/explainRules.ts"
import {
  atomHolds,
  type Comparison,
  type Condition,
  conditionHolds,
  factKind,
  isComparison
} from "../language/Rule.ts"

/**
 * - `rule`: no case makes it hold.
 * - `atom`: one question of a condition always has the same answer.
 * - `boundary`: no case stands directly on one side of a threshold.
 */
type GapKind = "rule" | "atom" | "boundary"

interface Gap {
  readonly kind: GapKind
  /** A factor's code, a typology's name or a policy rule's id. */
  readonly code: string
  /** The rule's own name: `HIGH_ENTITY_COUNT.high`. */
  readonly rule: string
  readonly file: string
  /** Where in the file the rule, the atom or its value stands. */
  readonly path: ReadonlyArray<PropertyKey>
  /** `no case has entities_affected 999, directly below its threshold` */
  readonly message: string
}

/** Things to reach: each rule, each atom both ways, each threshold from both sides. */
interface CodeCoverage {
  readonly code: string
  readonly file: string
  readonly reachable: number
  readonly reached: number
  /** 0-100, rounded down: 100 only where everything is reached. */
  readonly percent: number
}

export interface Coverage {
  readonly codes: ReadonlyArray<CodeCoverage>
  readonly gaps: ReadonlyArray<Gap>
  readonly reachable: number
  readonly reached: number
  readonly percent: number
}

/** Measures which rules, answers and thresholds the cases beside each rule file reach. */
type Path = ReadonlyArray<PropertyKey>

interface PlacedAtom {
  readonly atom: TracedAtom
  readonly path: Path
}

/** Every question of a condition and where it stands. */
export const placedAtoms = (condition: Condition, path: Path): ReadonlyArray<PlacedAtom> => {
  if ("all" in condition) return condition.all.flatMap((term, i) => placedAtoms(term, [...path, "all", i]))
  if ("any" in condition) return condition.any.flatMap((term, i) => placedAtoms(term, [...path, "any", i]))
  return [{ atom: condition, path }]
}

/** The last value on one side of a threshold and the first on the other; one that no fact can have is left out. */
export const edgesOf = ({ fact, operator, value }: Comparison): ReadonlyArray<number> => {
  const kind = factKind(fact)
  const max = kind.kind === "rank" ? kind.max : Number.MAX_SAFE_INTEGER
  const below = operator === "greaterThanInclusive" || operator === "lessThan" ? value - 1 : value
  return [below, below + 1].filter((edge) => edge >= 0 && edge <= max)
}

/** `4999 (49.99 USD)`; the figure alone where it says nothing more. */
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
      message: `no case stands directly ${atomHolds(atom, edge) ? "on" : "outside"} the threshold, at \`${atom.fact}\` ${figureText(atom.fact, edge)}`
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
    const aims = placedAtoms(condition, [...path, "conditions"]).flatMap((place) => goalsAt(place, seen))
    return [rule, ...aims].map((aim) => ({ ...aim, code, rule: name, file }))
  })

const measure = (aims: ReadonlyArray<CoverageGoal>) => {
  const reached = aims.filter((aim) => aim.reached).length
  const reachable = aims.length
  return { reachable, reached, percent: reachable === 0 ? 100 : Math.floor((100 * reached) / reachable) }
}

/** `seen`: the facts that the cases beside the file of that code put before its rules. */
export const coverageOf = (
  ladders: ReadonlyArray<RuleGroup>,
  seen: ReadonlyMap<string, ReadonlyArray<Facts>>
): Coverage => {
  const each = ladders.map((ladder) => ({ ladder, aims: goalsOf(ladder, seen.get(ladder.code) ?? []) }))
  return {
    codes: each.map(({ aims, ladder: { code, file } }): CodeCoverage => ({ code, file, ...measure(aims) })),
    gaps: each
      .flatMap(({ aims }) => aims)
      .filter(({ reached }) => !reached)
      .map(({ code, file, kind, message, path, rule }) => ({ kind, code, rule, file, path, message })),
    ...measure(each.flatMap(({ aims }) => aims))
  }
}
