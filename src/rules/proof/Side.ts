/** One side of a comparison: a rulebook's numbers, and every rule that can affect a score or a control, as groups of tiers. */

import { isStaged } from "../../scoring/control.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Literal, type Term, termOf } from "../analysis/Term.ts"
import { historyUnread } from "../analysis/possibleFacts.ts"
import {
  incompleteRank,
  rankOfPolicy,
  rankOfSeverity,
  rankOfTypology,
  type Silence,
  silenceOf
} from "../ScoreAndControl.ts"
import { bySeverity, type PolicyRule, type Rule, type RuleSet } from "../language/Rule.ts"

export interface Side {
  readonly numbers: Numbers
  readonly groups: ReadonlyArray<TierGroup>
}

export const sideOf = ({ policies, release }: Rulebook): Side => {
  const { numbers } = release.model
  return { numbers, groups: [...tierGroupsOf(release.rules, policies.rules, numbers), incompleteOpinion] }
}

/** A rule as the proof sees it: where it holds, and its effect on the score and the control. */
export interface Tier {
  readonly name: string
  readonly term: Term
  /** Raises the score to at least this many points. */
  readonly floor: number
  readonly hazardBp: number
  /** The rank of the control that it asks for itself, whatever the level. */
  readonly control: number
}

/** The tiers of one factor, typology or policy rule. Only the first tier that holds counts. */
export interface TierGroup {
  /** The code of a factor, the name of a typology, or `policy rule <id>`. */
  readonly code: string
  /** Strongest first. */
  readonly tiers: ReadonlyArray<Tier>
  /** Whether it allows staged execution instead of a confirmation at a moderate level. */
  readonly staged: boolean
  readonly silence: Silence
}

const policyFloor = ({ match }: PolicyRule, { severityFloors }: Numbers): number =>
  Math.max(match.floor ?? 0, match.factor === undefined ? 0 : severityFloors[match.factor.severity])

/** Drops the weakest tiers without effect, and the group if nothing is left. */
const withEffect = (group: TierGroup): ReadonlyArray<TierGroup> => {
  if (group.staged) return [group]
  const last = group.tiers.findLastIndex(
    ({ control, floor, hazardBp }) => floor > 0 || hazardBp > 0 || control > 0
  )
  return last < 0 ? [] : [{ ...group, tiers: group.tiers.slice(0, last + 1) }]
}

/** If history could not be read, the opinion is incomplete and its control is the strongest one. */
const incompleteOpinion: TierGroup = {
  code: "an incomplete opinion",
  staged: false,
  silence: "none",
  tiers: [
    {
      name: "an incomplete opinion",
      term: historyUnread,
      floor: 0,
      hazardBp: 0,
      control: incompleteRank
    }
  ]
}

export const tierGroupsOf = (
  rules: RuleSet,
  policies: ReadonlyArray<PolicyRule>,
  numbers: Numbers
): ReadonlyArray<TierGroup> => {
  const { severityFloors } = numbers
  const factors = [...Map.groupBy(rules.factors, ({ match }) => match.code)].map(([code, group]) => ({
    code,
    staged: group.some(({ match }) => isStaged(match)),
    silence: group.map(({ match }) => silenceOf(match))[0] ?? "none",
    tiers: group
      .toSorted((a, b) => bySeverity(a.match, b.match))
      .map(({ condition, match: { hazardBp, severity }, name }) => ({
        name,
        term: termOf(condition),
        floor: severityFloors[severity],
        hazardBp,
        control: rankOfSeverity(severity)
      }))
  }))
  const single = (
    code: string,
    { condition, name }: Rule<unknown>,
    does: Pick<Tier, "floor" | "control">
  ): TierGroup => ({
    code,
    staged: false,
    silence: "none",
    tiers: [{ name, term: termOf(condition), hazardBp: 0, ...does }]
  })
  const typologies = rules.typologies.map((rule) =>
    single(rule.match.name, rule, { floor: rule.match.floor, control: rankOfTypology(rule.match) })
  )
  const policyRules = policies.map((rule) =>
    single(`policy rule ${rule.match.rule}`, rule, {
      floor: policyFloor(rule, numbers),
      control: rankOfPolicy(rule.match)
    })
  )
  return [...factors, ...typologies, ...policyRules].flatMap(withEffect)
}

/** Whether any literal of the term passes the test. */
export const someLiteral = (term: Term, test: (literal: Literal) => boolean): boolean => {
  if ("fact" in term) return test(term)
  return ("all" in term ? term.all : term.any).some((part) => someLiteral(part, test))
}
