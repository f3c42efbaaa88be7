/** Type-checks one question of a condition: fact, operator and value must fit each other. */

import type { FactName } from "../../scoring/Facts.ts"
import { type Choice, type Comparison, completenessFacts, factKind } from "../Condition.ts"
import { readChoice } from "./readChoice.ts"
import { readComparison } from "./readComparison.ts"
import type { Refusal } from "./Refusal.ts"
import { isFactReference } from "./refuseForeign.ts"

export interface Permissions {
  /** The rule can raise a score, so ordered facts may only push upwards. */
  readonly raises: boolean
  /** The rule belongs to a completeness factor, which is asked after the rest of the score. */
  readonly completeness: boolean
}

export const readAtom = (
  fact: FactName,
  operator: string,
  value: unknown,
  permissions: Permissions
): Comparison | Choice | Refusal => {
  if (completenessFacts.has(fact) && !permissions.completeness) {
    const message = `\`${fact}\` is known only to completeness factors`
    return { rule: "unknown-fact", at: "fact", message }
  }
  if (value === undefined) return { rule: "missing-key", at: "value", message: "`value` is missing" }
  if (isFactReference(value)) {
    const message = "a value is stated here, never taken from another fact"
    return { rule: "not-in-dialect", at: "value", message }
  }
  const kind = factKind(fact)
  return kind.kind === "count" || kind.kind === "rank"
    ? readComparison(fact, kind, operator, value, permissions)
    : readChoice(fact, kind, operator, value, permissions)
}
