/** Simple evaluation, to compare with the exact analysis: a term or a condition on one record of facts. */

import { includes } from "../../src/rules/analysis/Box.ts"
import type { Term } from "../../src/rules/analysis/Term.ts"
import { atomHolds, type Condition } from "../../src/rules/language/Rule.ts"
import type { Facts } from "../../src/scoring/Facts.ts"

export const termHolds = (term: Term, facts: Facts): boolean => {
  if ("all" in term) return term.all.every((part) => termHolds(part, facts))
  if ("any" in term) return term.any.some((part) => termHolds(part, facts))
  return includes(term.yes, facts[term.fact])
}

export const conditionHolds = (condition: Condition, facts: Facts): boolean => {
  if ("all" in condition) return condition.all.every((part) => conditionHolds(part, facts))
  if ("any" in condition) return condition.any.some((part) => conditionHolds(part, facts))
  return atomHolds(condition, facts[condition.fact])
}
