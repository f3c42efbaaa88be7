/** One side of a comparison: the numbers of a rulebook, and everything that can raise a score above its dimensions, as groups of tiers. */

import type { Numbers } from "../../scoring/Numbers.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Literal, type Term, termOf } from "../analysis/Term.ts"
import { bySeverity, type Condition, type PolicyRule, type RuleSet } from "../language/Rule.ts"

export interface Side {
  readonly numbers: Numbers
  readonly groups: ReadonlyArray<TierGroup>
}

export const sideOf = ({ policies, release }: Rulebook): Side => {
  const { numbers } = release.model
  return { numbers, groups: tierGroupsOf(release.rules, policies.rules, numbers) }
}

/** One rule as the proof sees it: where it holds, and what it then does to the score. */
export interface Tier {
  readonly name: string
  readonly condition: Condition
  readonly term: Term
  /** The score is at least this many points. */
  readonly floor: number
  readonly hazardBp: number
}

/** The tiers of one factor, typology or policy rule. Of the tiers that hold, only the first one counts. */
export interface TierGroup {
  /** A factor's code, a typology's name, or `policy rule <id>`. */
  readonly code: string
  /** Strongest first. */
  readonly tiers: ReadonlyArray<Tier>
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

/** Drops the weakest tiers that add nothing to a score, and the group if nothing is left. */
const withEffect = ({ code, tiers }: TierGroup): ReadonlyArray<TierGroup> => {
  const last = tiers.findLastIndex(({ floor, hazardBp }) => floor > 0 || hazardBp > 0)
  return last < 0 ? [] : [{ code, tiers: tiers.slice(0, last + 1) }]
}

export const tierGroupsOf = (
  rules: RuleSet,
  policies: ReadonlyArray<PolicyRule>,
  numbers: Numbers
): ReadonlyArray<TierGroup> => {
  const factors = [...Map.groupBy(rules.factors, ({ match }) => match.code)].map(([code, group]) => ({
    code,
    tiers: group
      .toSorted((a, b) => bySeverity(a.match, b.match))
      .map(({ condition, match, name }) =>
        tier(name, condition, numbers.severityFloors[match.severity], match.hazardBp)
      )
  }))
  const typologies = rules.typologies.map(({ condition, match, name }) => ({
    code: match.name,
    tiers: [tier(name, condition, match.floor)]
  }))
  const policyRules = policies.map((rule) => ({
    code: `policy rule ${rule.match.rule}`,
    tiers: [tier(rule.name, rule.condition, policyFloor(rule, numbers))]
  }))
  return [...factors, ...typologies, ...policyRules].flatMap(withEffect)
}

/** Whether any literal of the term passes the test. */
export const someLiteral = (term: Term, test: (literal: Literal) => boolean): boolean => {
  if ("fact" in term) return test(term)
  return ("all" in term ? term.all : term.any).some((part) => someLiteral(part, test))
}
