/** Scores with one mutated file, and decides whether the file and its mutant mean the same. */

import { severities } from "../../domain/Opinion.ts"
import { byCodeUnit } from "../../json/json.ts"
import { analysisStepsMax } from "../../limits.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type {
  FactorMatch,
  PolicyRuleMatch,
  PolicySet,
  RiskModel,
  TypologyMatch
} from "../../scoring/Model.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import type { Box } from "../analysis/Box.ts"
import { boxesWhere, type ForAllAnswer, termNeverHolds } from "../analysis/satisfiability.ts"
import { atomsOf, bySeverity, conditionHolds, type Rule } from "../language/Rule.ts"

export interface Scoring {
  readonly model: RiskModel
  readonly policySet: PolicySet
}

const matchesOf = <Match>(rules: ReadonlyArray<Rule<Match>>, facts: Facts): ReadonlyArray<Match> =>
  rules.filter(({ condition }) => conditionHolds(condition, facts)).map(({ match }) => match)

/** The matches of all other files and of this one, in the order of the opinion. */
const merge = <Match>(
  others: ReadonlyArray<Match>,
  own: ReadonlyArray<Match>,
  nameOf: (match: Match) => string,
  name: string
): ReadonlyArray<Match> =>
  [...others.filter((match) => nameOf(match) !== name), ...own].toSorted((a, b) =>
    byCodeUnit(nameOf(a), nameOf(b))
  )

/** Scores as if one file of rules were replaced. The other files are not compiled again. */
export const scoringWithGroup = ({ model, policySet }: Scoring, group: RuleGroup): Scoring => {
  switch (group.kind) {
    case "factor":
      return {
        policySet,
        model: {
          ...model,
          match: (facts) => {
            const { factors, typologies } = model.match(facts)
            const own = matchesOf(group.rules, facts).toSorted(bySeverity).slice(0, 1)
            return { factors: merge(factors, own, ({ code }) => code, group.code), typologies }
          }
        }
      }
    case "typology":
      return {
        policySet,
        model: {
          ...model,
          match: (facts) => {
            const { factors, typologies } = model.match(facts)
            const own = matchesOf(group.rules, facts)
            return { factors, typologies: merge(typologies, own, ({ name }) => name, group.code) }
          }
        }
      }
    case "policy":
      return {
        model,
        policySet: {
          ...policySet,
          match: (facts) => {
            const { incomplete, matched } = policySet.match(facts)
            const own = matchesOf(group.rules, facts)
            return { matched: merge(matched, own, ({ rule }) => rule, group.code), incomplete }
          }
        }
      }
  }
}

/** How many hazards there are: 0 to 10,000 basis points. */
const hazardCount = 10_001

/** Ranks the effect of a match on the score: if several match, the strongest counts. At least 1, because 0 means no match. */
const strengthOf = (match: FactorMatch | TypologyMatch | PolicyRuleMatch): number => {
  if ("severity" in match) return 1 + severities.indexOf(match.severity) * hazardCount + match.hazardBp
  return "rule" in match ? 1 : 1 + match.floor
}

/** The strength of the strongest match for these facts; 0 if nothing matches. Equal strengths have the same effect. */
export const strongestMatch = ({ rules }: RuleGroup, facts: Facts): number =>
  rules.reduce((strongest, { condition, match }) => {
    const strength = strengthOf(match)
    return strength > strongest && conditionHolds(condition, facts) ? strength : strongest
  }, 0)

/** Holds for the facts for which the file has a match that is at least so strong. */
const matchesAtLeast = ({ rules }: RuleGroup, strength: number): Term =>
  any(...rules.filter(({ match }) => strengthOf(match) >= strength).map(({ condition }) => termOf(condition)))

/** Holds for the facts for which the two files have another effect. */
const differing = (a: RuleGroup, b: RuleGroup): Term => {
  const strengths = new Set([...a.rules, ...b.rules].map(({ match }) => strengthOf(match)))
  return any(
    ...[...strengths].map((strength) => {
      const [inA, inB] = [matchesAtLeast(a, strength), matchesAtLeast(b, strength)]
      return any(all(inA, not(inB)), all(inB, not(inA)))
    })
  )
}

/** `yes`: both have the same effect for all possible facts. The example of a `no` is a record of facts for which they differ. */
export const areEquivalent = (a: RuleGroup, b: RuleGroup, possible: Term): ForAllAnswer =>
  termNeverHolds(differing(a, b), possible)

/** The facts that the rules of a file use, each once, in the order of the file. */
export const factsUsedBy = ({ rules }: Pick<RuleGroup, "rules">): ReadonlyArray<FactName> => [
  ...new Set(rules.flatMap(({ condition }) => atomsOf(condition).map(({ fact }) => fact)))
]

/** The boxes in which the two have another effect and which hold possible facts, within a limit of steps. */
export function* differingBoxes(a: RuleGroup, b: RuleGroup, possible: Term): Generator<Box> {
  let steps = 0
  for (const box of boxesWhere(differing(a, b))) {
    if (++steps > analysisStepsMax) return
    if (box !== null && holdsPossibleFacts(box, possible)) yield box
  }
}

const holdsPossibleFacts = (box: Box, possible: Term): boolean => {
  let steps = 0
  for (const found of boxesWhere(possible, box)) {
    if (found !== null) return true
    if (++steps > analysisStepsMax) return false
  }
  return false
}
