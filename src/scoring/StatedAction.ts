/** What the caller's words come to before anything is assumed: the stated fields, read at their worst where they disagree. */

import type {
  Action,
  DataClassification,
  Environment,
  NormalizedAction,
  Reversibility
} from "../domain/Action.ts"
import type { ClassModel, Currency, Model, Numbers } from "./Model.ts"
import { normalizeAction } from "./lexicon/normalize.ts"
import { visibleText } from "./lookalike.ts"

export interface StatedAction {
  readonly normalized: NormalizedAction
  readonly class: ClassModel
  /** The environment that counts. */
  readonly environment: Environment
  readonly production: boolean
  readonly environmentInconsistent: boolean
  readonly entities: number | undefined
  readonly records: number | undefined
  readonly value: number | undefined
  readonly currencyStated: boolean
  /** The stated currency when the table knows it. */
  readonly currency: Currency | undefined
  readonly dataClassification: DataClassification | undefined
  readonly reversibility: Reversibility | undefined
  readonly privilegeChange: boolean | undefined
  readonly productionImpact: boolean | undefined
  readonly destination: string | undefined
  readonly agentId: string | undefined
  readonly namesEverything: boolean
}

/** What of the stated the dimensions are measured by. */
export type DimensionInput = Pick<StatedAction, "class" | "environment" | "production">

/** `unknown` says no more than leaving the field out. */
const unlessUnknown = <A extends string>(value: A | "unknown" | undefined): A | undefined =>
  value === "unknown" ? undefined : value

/** A blank name says no more than leaving the field out. */
const unlessBlank = (name: string | undefined): string | undefined =>
  name === undefined || visibleText(name) === "" ? undefined : name

/** A release may say that an export behind a riskier verb goes somewhere as any other does. */
export const classModelOf = (
  normalized: Pick<NormalizedAction, "class" | "alsoExports">,
  numbers: Numbers
): ClassModel => {
  const own = numbers.classes[normalized.class]
  return normalized.alsoExports && numbers.alsoExportsLeave === true
    ? { ...own, egress: true, dataLeaves: true }
    : own
}

/** `words`: of the action under the model's lexicon, for callers that have read them already. */
export const toStatedAction = (
  action: Action,
  model: Model,
  words = normalizeAction(action, model.lexicon)
): StatedAction => {
  const { environment, namesEverything, normalized } = words
  return {
    normalized,
    class: classModelOf(normalized, model.numbers),
    environment,
    production: environment === "production",
    environmentInconsistent: environment !== action.environment,
    entities: action.entitiesAffected,
    records: action.recordsAffected,
    value: action.financialValue,
    currencyStated: action.currency !== undefined,
    currency:
      action.currency === undefined ? undefined : model.currencies.table.get(action.currency.toUpperCase()),
    dataClassification: unlessUnknown(action.dataClassification),
    reversibility: unlessUnknown(action.reversibility),
    privilegeChange: action.privilegeChange,
    productionImpact: action.productionImpact,
    destination: unlessBlank(action.destination),
    agentId: unlessBlank(action.agentId),
    namesEverything
  }
}
