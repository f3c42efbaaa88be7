/** Decides whether a rule file and its mutant are equivalent. */

import { severities } from "../../domain/Opinion.ts"
import { analysisStepsMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, PolicyRuleMatch, TypologyMatch } from "../../scoring/Model.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import type { Box } from "../analysis/Box.ts"
import { boxesWhere, findFacts } from "../analysis/satisfiability.ts"
import { conditionHolds } from "../language/Rule.ts"

/** The number of possible hazards: 0 to 10,000 basis points. */
const hazardCount = 10_001

/** Ranks the effect of a match on the score. If several match, the highest counts. At least 1, because 0 means no match. */
const strengthOf = (match: FactorMatch | TypologyMatch | PolicyRuleMatch): number => {
  if ("severity" in match) return 1 + severities.indexOf(match.severity) * hazardCount + match.hazardBp
  return "rule" in match ? 1 : 1 + match.floor
}

/** The strength of the strongest match for these facts; 0 if nothing matches. Equal strengths have equal effects. */
export const strongestMatch = ({ rules }: RuleGroup, facts: Facts): number =>
  rules.reduce((strongest, { condition, match }) => {
    const strength = strengthOf(match)
    return strength > strongest && conditionHolds(condition, facts) ? strength : strongest
  }, 0)

/** True for facts for which the file has a match of at least this strength. */
const matchesAtLeast = ({ rules }: RuleGroup, strength: number): Term =>
  any(...rules.filter(({ match }) => strengthOf(match) >= strength).map(({ condition }) => termOf(condition)))

/** True for facts for which the two files differ in effect. */
const differing = (a: RuleGroup, b: RuleGroup): Term => {
  const strengths = new Set([...a.rules, ...b.rules].map(({ match }) => strengthOf(match)))
  return any(
    ...[...strengths].map((strength) => {
      const [inA, inB] = [matchesAtLeast(a, strength), matchesAtLeast(b, strength)]
      return any(all(inA, not(inB)), all(inB, not(inA)))
    })
  )
}

/** Facts for which the two differ in effect; `none` if they have the same effect for all possible facts. */
export const findDifference = (a: RuleGroup, b: RuleGroup, possible: Term) =>
  findFacts(all(differing(a, b), possible))

/** The boxes with possible facts in which the two differ in effect, within a limit of steps. */
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
