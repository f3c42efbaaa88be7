/** Measures which rules, answers and thresholds the cases beside each rule file reach. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderFigure.ts"
import {
  type Comparison,
  type Condition,
  conditionHolds,
  factKind,
  holds,
  isComparison
} from "../Condition.ts"
import { describeAtom } from "../describeCondition.ts"
import type { Atom } from "../explain/trace.ts"
import type { Ladder } from "../ladders.ts"
import type { CodeCoverage, Coverage, Gap, GapKind } from "./Coverage.ts"

type Path = ReadonlyArray<PropertyKey>

interface Place {
  readonly atom: Atom
  readonly path: Path
}

/** Every question of a condition and where it stands. */
export const placesOf = (condition: Condition, path: Path): ReadonlyArray<Place> => {
  if ("all" in condition) return condition.all.flatMap((term, i) => placesOf(term, [...path, "all", i]))
  if ("any" in condition) return condition.any.flatMap((term, i) => placesOf(term, [...path, "any", i]))
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
const told = (fact: FactName, edge: number): string => {
  const figure = renderFigure(fact, edge)
  return figure.replaceAll(",", "") === String(edge) ? String(edge) : `${edge} (${figure})`
}

interface Aim {
  readonly kind: GapKind
  readonly path: Path
  readonly reached: boolean
  readonly message: string
}

const aimsAt = ({ atom, path }: Place, seen: ReadonlyArray<Facts>): ReadonlyArray<Aim> => {
  const answers = [true, false].map((answer): Aim => {
    return {
      kind: "atom",
      path,
      reached: seen.some((facts) => holds(atom, facts[atom.fact]) === answer),
      message: `no case answers ${answer ? "yes" : "no"} to: ${describeAtom(atom)}`
    }
  })
  if (!isComparison(atom)) return answers
  const edges = edgesOf(atom).map((edge): Aim => {
    return {
      kind: "boundary",
      path: [...path, "value"],
      reached: seen.some((facts) => facts[atom.fact] === edge),
      message: `no case stands directly ${holds(atom, edge) ? "on" : "outside"} the threshold, at \`${atom.fact}\` ${told(atom.fact, edge)}`
    }
  })
  return [...answers, ...edges]
}

const aimsOf = ({ code, file, rules }: Ladder, seen: ReadonlyArray<Facts>): ReadonlyArray<Aim & Gap> =>
  rules.flatMap(({ condition, name }, i) => {
    const path: Path = ["rules", i]
    const rule: Aim = {
      kind: "rule",
      path,
      reached: seen.some((facts) => conditionHolds(condition, facts)),
      message: `no case makes \`${name}\` hold`
    }
    const aims = placesOf(condition, [...path, "conditions"]).flatMap((place) => aimsAt(place, seen))
    return [rule, ...aims].map((aim) => ({ ...aim, code, rule: name, file }))
  })

const measure = (aims: ReadonlyArray<Aim>) => {
  const reached = aims.filter((aim) => aim.reached).length
  const reachable = aims.length
  return { reachable, reached, percent: reachable === 0 ? 100 : Math.floor((100 * reached) / reachable) }
}

/** `seen`: the facts that the cases beside the file of that code put before its rules. */
export const coverageOf = (
  ladders: ReadonlyArray<Ladder>,
  seen: ReadonlyMap<string, ReadonlyArray<Facts>>
): Coverage => {
  const each = ladders.map((ladder) => ({ ladder, aims: aimsOf(ladder, seen.get(ladder.code) ?? []) }))
  return {
    codes: each.map(({ aims, ladder: { code, file } }): CodeCoverage => ({ code, file, ...measure(aims) })),
    gaps: each
      .flatMap(({ aims }) => aims)
      .filter(({ reached }) => !reached)
      .map(({ code, file, kind, message, path, rule }) => ({ kind, code, rule, file, path, message })),
    ...measure(each.flatMap(({ aims }) => aims))
  }
}
