/** Finds a safer alternative to an act. Agents tend to follow a reason that names one. It does not affect the score. */

import type { ActionClass } from "../../domain/Action.ts"
import { type ActionRiskLevel, type ControlType, controlTypes } from "../../domain/Opinion.ts"
import type { Act } from "../reading/Act.ts"

export interface SaferAlternative {
  /** Types of acts that the entry is for. Empty: any type in `classes`. */
  readonly acts: ReadonlySet<string>
  readonly classes: ReadonlySet<ActionClass>
  readonly say: string
}

/** From this control on, a person looks at the call. */
const asksPersons = controlTypes.indexOf("HUMAN_CONFIRMATION_RECOMMENDED")

/** The alternatives of the first entry that fits the act. Empty if no person looks at the call. */
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
