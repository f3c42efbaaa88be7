/** The action as the caller stated it, before any field is assumed. Where stated fields contradict each other, the worse one counts. */

import type { Action, DataClassification, Environment, Reversibility } from "../../domain/Action.ts"
import type { Currency } from "../Model.ts"
import { visibleText } from "../names/lookalike.ts"
import type { ClassModel, Model, Numbers } from "./Model.ts"
import type { NormalizedAction } from "./NormalizedAction.ts"
import { normalizeAction } from "./lexicon/normalize.ts"

export interface StatedAction {
  readonly normalized: NormalizedAction
  readonly class: ClassModel
  /** Production if a target names production, whatever environment was stated. */
  readonly environment: Environment
  readonly production: boolean
  readonly environmentInconsistent: boolean
  readonly entities: number | undefined
  readonly records: number | undefined
  readonly value: number | undefined
  readonly currencyStated: boolean
  /** The stated currency if the table has it. */
  readonly currency: Currency | undefined
  readonly dataClassification: DataClassification | undefined
  readonly reversibility: Reversibility | undefined
  readonly privilegeChange: boolean | undefined
  readonly productionImpact: boolean | undefined
  readonly destination: string | undefined
  readonly agentId: string | undefined
  readonly namesEverything: boolean
}

/** The part of a stated action that the dimensions depend on. */
export type DimensionInput = Pick<StatedAction, "class" | "environment" | "production">

/** `unknown` counts as a missing field. */
const unlessUnknown = <A extends string>(value: A | "unknown" | undefined): A | undefined =>
  value === "unknown" ? undefined : value

/** A blank name counts as a missing field. */
const unlessBlank = (name: string | undefined): string | undefined =>
  name === undefined || visibleText(name) === "" ? undefined : name

/** The model of a class. In a release with `alsoExportsLeave`, an export behind a riskier verb lets data leave like any export. */
export const classModelOf = (
  normalized: Pick<NormalizedAction, "class" | "alsoExports">,
  numbers: Numbers
): ClassModel => {
  const own = numbers.classes[normalized.class]
  return normalized.alsoExports && numbers.alsoExportsLeave === true
    ? { ...own, egress: true, dataLeaves: true }
    : own
}

/** `words`: what the model's lexicon reads in the action, for callers that know it already. */
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
