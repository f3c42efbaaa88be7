/** What the caller's words come to before anything is assumed: the stated fields, read at their worst where they disagree. */

import type { Action, DataClassification, Environment, Reversibility } from "../domain/Action.ts"
import type { NormalizedAction } from "../domain/ActionType.ts"
import type { ClassModel, Currency, Model } from "./Model.ts"
import { namesEverything } from "./namesEverything.ts"
import { namesProduction } from "./namesProduction.ts"
import { normalize } from "./normalize.ts"
import { visible } from "./visible.ts"

export interface Claims {
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

/** A stated non-production environment is not believed when a target names production: the worse reading counts. */
const readEnvironment = (action: Action, model: Model): Environment => {
  if (action.environment === "production") return "production"
  const targets = [action.targetSystem, action.targetResource, action.destination]
  return targets.some((target) => target !== undefined && namesProduction(target, model.lexicon))
    ? "production"
    : action.environment
}

/** `unknown` says no more than leaving the field out. */
const known = <A extends string>(value: A | "unknown" | undefined): A | undefined =>
  value === "unknown" ? undefined : value

/** A blank name says no more than leaving the field out. */
const shown = (name: string | undefined): string | undefined =>
  name === undefined || visible(name) === "" ? undefined : name

export const readClaims = (action: Action, model: Model): Claims => {
  const normalized = normalize(action, model.lexicon)
  const environment = readEnvironment(action, model)
  return {
    normalized,
    class: model.numbers.classes[normalized.class],
    environment,
    production: environment === "production",
    environmentInconsistent: environment !== action.environment,
    entities: action.entitiesAffected,
    records: action.recordsAffected,
    value: action.financialValue,
    currencyStated: action.currency !== undefined,
    currency:
      action.currency === undefined ? undefined : model.currencies.table.get(action.currency.toUpperCase()),
    dataClassification: known(action.dataClassification),
    reversibility: known(action.reversibility),
    privilegeChange: action.privilegeChange,
    productionImpact: action.productionImpact,
    destination: shown(action.destination),
    agentId: shown(action.agentId),
    namesEverything:
      action.targetResource !== undefined && namesEverything(action.targetResource, model.lexicon)
  }
}
