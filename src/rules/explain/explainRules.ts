/** Every rule of a rulebook with what it asked and saw: why it holds, or how near it came. */

import type { Severity } from "../../domain/RiskFactor.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { type Ladder, policyLadders, ruleLadders } from "../ladders.ts"
import type { Rulebook } from "../Rulebook.ts"
import { distance, isNear, lacking } from "./nearness.ts"
import { type Trace, trace } from "./trace.ts"

export interface ExplainedRule {
  readonly kind: Ladder["kind"]
  /** A factor's code, a typology's name, a policy rule's id. */
  readonly code: string
  readonly name: string
  /** What it gives where it holds: a severity, the floor of a typology, the effect of a policy rule. */
  readonly gives: Severity | number | string
  readonly tree: Trace
  readonly near: boolean
}

type LadderRule = Ladder["rules"][number]

const givesOf = ({ match }: LadderRule): ExplainedRule["gives"] => {
  if ("severity" in match) return match.severity
  return "effect" in match ? match.effect : match.floor
}

const explainLadder = ({ code, kind, rules }: Ladder, facts: Facts): ReadonlyArray<ExplainedRule> =>
  rules.map((rule) => {
    const tree = trace(rule.condition, facts)
    return { kind, code, name: rule.name, gives: givesOf(rule), tree, near: isNear(tree) }
  })

/** In the order of the files; typologies after factors, policies last. */
export const explainRules = ({ policies, release }: Rulebook, facts: Facts): ReadonlyArray<ExplainedRule> =>
  [...ruleLadders(release), ...policyLadders(policies)].flatMap((ladder) => explainLadder(ladder, facts))

/** Nearest first, as far as they do not hold. */
export const byNearness = (a: ExplainedRule, b: ExplainedRule): number =>
  distance(lacking(a.tree)) - distance(lacking(b.tree))
