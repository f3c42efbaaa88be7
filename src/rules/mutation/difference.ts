/** Where a file and its mutant would not say the same: nowhere, or at facts that show it. */

import { severities } from "../../domain/RiskFactor.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, Numbers, PolicyRuleMatch, TypologyMatch } from "../../scoring/Model.ts"
import type { Answer } from "../analysis/Answer.ts"
import { nowhere } from "../analysis/neverHolds.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import { conditionHolds } from "../Condition.ts"
import type { Ladder } from "../ladders.ts"

const hazards = 10_001

/** Ranks what a match can do to a score: of several that hold, the strongest counts. Never 0, which is none. */
const strengthOf = (match: FactorMatch | TypologyMatch | PolicyRuleMatch): number => {
  if ("severity" in match) return 1 + severities.indexOf(match.severity) * hazards + match.hazardBp
  return "rule" in match ? 1 : 1 + match.floor
}

/** What the file says of these facts, as a number that is equal where the meaning is. */
export const saysOf = ({ rules }: Ladder, facts: Facts): number =>
  rules.reduce((strongest, { condition, match }) => {
    const strength = strengthOf(match)
    return strength > strongest && conditionHolds(condition, facts) ? strength : strongest
  }, 0)

/** Where the file says at least that much. */
const atLeast = ({ rules }: Ladder, strength: number): Term =>
  any(...rules.filter(({ match }) => strengthOf(match) >= strength).map(({ condition }) => termOf(condition)))

/** `yes`: the two mean the same. The example of a `no` is where they do not. */
export const meansTheSame = (a: Ladder, b: Ladder, numbers: Numbers): Answer => {
  const strengths = new Set([...a.rules, ...b.rules].map(({ match }) => strengthOf(match)))
  const differ = [...strengths].map((strength) => {
    const [one, other] = [atLeast(a, strength), atLeast(b, strength)]
    return any(all(one, not(other)), all(other, not(one)))
  })
  return nowhere(any(...differ), numbers)
}
