/** Everything that can raise a score above its dimensions, in one form: factors, typologies and policy rules as ladders. */

import type { Numbers } from "../../scoring/Model.ts"
import { type Ask, type Term, termOf } from "../analysis/Term.ts"
import { bySeverity } from "../bySeverity.ts"
import type { Condition } from "../Condition.ts"
import type { PolicyRule, RuleSet } from "../Rule.ts"

export interface Rung {
  readonly name: string
  readonly condition: Condition
  readonly term: Term
  /** Points that the score cannot stay below. */
  readonly floor: number
  readonly hazardBp: number
}

/** Of the rungs that hold the first counts. */
export interface Ladder {
  /** Of a factor, typology or policy rule. */
  readonly code: string
  /** Strongest first. */
  readonly rungs: ReadonlyArray<Rung>
}

const rung = (name: string, condition: Condition, floor: number, hazardBp = 0): Rung => ({
  name,
  condition,
  term: termOf(condition),
  floor,
  hazardBp
})

const policyFloor = ({ match }: PolicyRule, { severityFloors }: Numbers): number =>
  Math.max(match.floor ?? 0, match.factor === undefined ? 0 : severityFloors[match.factor.severity])

/** Weak ends that add nothing say nothing about a score. */
const withEffect = ({ code, rungs }: Ladder): ReadonlyArray<Ladder> => {
  const last = rungs.findLastIndex(({ floor, hazardBp }) => floor > 0 || hazardBp > 0)
  return last < 0 ? [] : [{ code, rungs: rungs.slice(0, last + 1) }]
}

export const laddersOf = (
  rules: RuleSet,
  policies: ReadonlyArray<PolicyRule>,
  numbers: Numbers
): ReadonlyArray<Ladder> => {
  const factors = [...Map.groupBy(rules.factors, ({ match }) => match.code)].map(([code, ladder]) => ({
    code,
    rungs: ladder
      .toSorted((a, b) => bySeverity(a.match, b.match))
      .map(({ condition, match, name }) =>
        rung(name, condition, numbers.severityFloors[match.severity], match.hazardBp)
      )
  }))
  const typologies = rules.typologies.map(({ condition, match, name }) => ({
    code: match.name,
    rungs: [rung(name, condition, match.floor)]
  }))
  const asked = policies.map((rule) => ({
    code: `policy rule ${rule.match.rule}`,
    rungs: [rung(rule.name, rule.condition, policyFloor(rule, numbers))]
  }))
  return [...factors, ...typologies, ...asked].flatMap(withEffect)
}

/** Whether any question of a term is such a one. */
export const someAsk = (term: Term, is: (ask: Ask) => boolean): boolean => {
  if ("fact" in term) return is(term)
  return ("all" in term ? term.all : term.any).some((part) => someAsk(part, is))
}
