/** Finds a safer alternative to an act. Agents follow a reason that names one. It moves no score. */

import type { ActionClass } from "../../domain/Action.ts"
import { type ActionRiskLevel, type ControlType, controlTypes } from "../../domain/Opinion.ts"
import type { Act } from "../reading/Act.ts"

export interface SaferAlternative {
  /** Types of acts; empty for any of its classes. */
  readonly acts: ReadonlySet<string>
  readonly classes: ReadonlySet<ActionClass>
  readonly say: string
}

/** From here on a control has a person look at the call. */
const asksPersons = controlTypes.indexOf("HUMAN_CONFIRMATION_RECOMMENDED")

/** The alternative of the first entry that fits the act; none where no person looks at the call. */
export const saferAlternatives = (
  { class: own, type }: Pick<Act, "class" | "type">,
  level: ActionRiskLevel,
  control: ControlType,
  { alternatives }: { readonly alternatives: ReadonlyArray<SaferAlternative> }
): ReadonlyArray<string> => {
  if (level === "low" && controlTypes.indexOf(control) < asksPersons) return []
  const found = alternatives.find(({ acts, classes }) => acts.has(type) || classes.has(own))
  return found === undefined ? [] : [found.say]
}
