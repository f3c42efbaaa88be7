/** One side of a comparison: the numbers of a rulebook, and all that can raise a score above its dimensions, as groups of tiers. */

import type { Numbers } from "../../scoring/Model.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Literal, type Term, termOf } from "../analysis/Term.ts"
import { bySeverity, type Condition, type PolicyRule, type RuleSet } from "../language/Rule.ts"

export interface Side {
  readonly numbers: Numbers
  readonly groups: ReadonlyArray<TierGroup>
}

export const sideOf = ({ policies, release: { model, rules } }: Rulebook): Side => ({
  numbers: model.numbers,
  groups: tierGroupsOf(rules, policies.rules, model.numbers)
})

/** Everything that can raise a score above its dimensions, in one form: factors, typologies and policy rules as ladders. */
export interface Tier {
  readonly name: string
  readonly condition: Condition
  readonly term: Term
  /** Points that the score cannot stay below. */
  readonly floor: number
  readonly hazardBp: number
}

/** Of the rungs that hold the first counts. */
export interface TierGroup {
  /** Of a factor, typology or policy rule. */
  readonly code: string
  /** Strongest first. */
  readonly rungs: ReadonlyArray<Tier>
}

const tier = (name: string, condition: Condition, floor: number, hazardBp = 0): Tier => ({
  name,
  condition,
  term: termOf(condition),
  floor,
  hazardBp
})

const policyFloor = ({ match }: PolicyRule, { severityFloors }: Numbers): number =>
  Math.max(match.floor ?? 0, match.factor === undefined ? 0 : severityFloors[match.factor.severity])

/** Weak ends that add nothing say nothing about a score. */
const withEffect = ({ code, rungs }: TierGroup): ReadonlyArray<TierGroup> => {
  const last = rungs.findLastIndex(({ floor, hazardBp }) => floor > 0 || hazardBp > 0)
  return last < 0 ? [] : [{ code, rungs: rungs.slice(0, last + 1) }]
}

export const tierGroupsOf = (
  rules: RuleSet,
  policies: ReadonlyArray<PolicyRule>,
  numbers: Numbers
): ReadonlyArray<TierGroup> => {
  const factors = [...Map.groupBy(rules.factors, ({ match }) => match.code)].map(([code, ladder]) => ({
    code,
    rungs: ladder
      .toSorted((a, b) => bySeverity(a.match, b.match))
      .map(({ condition, match, name }) =>
        tier(name, condition, numbers.severityFloors[match.severity], match.hazardBp)
      )
  }))
  const typologies = rules.typologies.map(({ condition, match, name }) => ({
    code: match.name,
    rungs: [tier(name, condition, match.floor)]
  }))
  const asked = policies.map((rule) => ({
    code: `policy rule ${rule.match.rule}`,
    rungs: [tier(rule.name, rule.condition, policyFloor(rule, numbers))]
  }))
  return [...factors, ...typologies, ...asked].flatMap(withEffect)
}

/** Whether any question of a term is such a one. */
export const someLiteral = (term: Term, is: (ask: Literal) => boolean): boolean => {
  if ("fact" in term) return is(term)
  return ("all" in term ? term.all : term.any).some((part) => someLiteral(part, is))
}
