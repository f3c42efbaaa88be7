/** What it takes for two claims to contradict each other, and what they are then read as. */

import { reversibilities } from "../../../domain/Action.ts"
import { actionClasses } from "../../../domain/ActionType.ts"
import type { Numbers } from "../../../scoring/Model.ts"
import { all, any, atLeast, atMost, follows, is, not, oneOf, type Term } from "../Term.ts"

const always = (numbers: Numbers) =>
  actionClasses.filter((name) => numbers.classes[name].alwaysChangesPrivilege)

/** An easier claim is taken for the floor of the class: then the rank is exactly that. */
const easierThanFloor = (numbers: Numbers): ReadonlyArray<Term> =>
  actionClasses.map((name) => {
    const floor = reversibilities.indexOf(numbers.classes[name].reversibilityFloor)
    return follows(
      all(is("reversibility_claim_inconsistent", true), is("action_class", name)),
      floor === 0 ? any() : atMost("reversibility_rank", floor)
    )
  })

export const contradictions = (numbers: Numbers): ReadonlyArray<Term> => [
  follows(is("environment_claim_inconsistent", true), is("environment", "production")),
  follows(is("privilege_claim_inconsistent", true), oneOf("action_class", always(numbers))),
  follows(is("reversibility_claim_inconsistent", true), is("reversibility_missing", false)),
  ...easierThanFloor(numbers),
  follows(
    is("counts_inconsistent", true),
    all(
      not(is("action_class", "read")),
      // The zero was stated, and is read as the other count.
      atLeast("entities_affected", 1),
      atLeast("records_affected", 1),
      any(is("entities_missing", false), is("records_missing", false))
    )
  ),
  follows(
    is("production_impact_inconsistent", true),
    all(is("production_impact", true), oneOf("environment", ["development", "sandbox"]))
  ),
  follows(
    all(is("production_impact", true), oneOf("environment", ["development", "sandbox"])),
    is("production_impact_inconsistent", true)
  )
]
