/** What the caller left out: what it was taken for, and which of it could still matter. */

import type { Assumption } from "../domain/Opinion.ts"
import type { Claims } from "./Claims.ts"
import type { Completions } from "./completions.ts"
import type { Model } from "./Model.ts"
import { type MissableField, missableFields } from "./Reading.ts"

/** A currency matters only beside a value that is, or could be, above zero. */
const currencyMatters = ({ value }: Claims, { of }: Completions): boolean =>
  value === undefined ? of.ceiling.usd > 0 : value > 0

const isMissing: Readonly<Record<MissableField, (claims: Claims, completions: Completions) => boolean>> = {
  entities_affected: ({ entities }) => entities === undefined,
  records_affected: ({ records }) => records === undefined,
  financial_value: ({ value }) => value === undefined,
  currency: (claims, completions) => !claims.currencyStated && currencyMatters(claims, completions),
  data_classification: ({ dataClassification }) => dataClassification === undefined,
  reversibility: ({ reversibility }) => reversibility === undefined,
  privilege_change: ({ privilegeChange }) => privilegeChange === undefined,
  production_impact: ({ productionImpact }) => productionImpact === undefined,
  destination: (claims) => claims.destination === undefined && claims.class.egress,
  agent_id: ({ agentId }) => agentId === undefined
}

export const missingFields = (claims: Claims, completions: Completions): ReadonlyArray<MissableField> =>
  missableFields.filter((field) => isMissing[field](claims, completions))

/** Values that the request would accept in the missing fields and that score exactly the same (theorem T1). */
export const assumptionsOf = (
  { assumedValue, of: { reference } }: Completions,
  { currencies }: Model,
  missing: ReadonlyArray<MissableField>
): ReadonlyArray<Assumption> => {
  const assumed: Partial<Record<MissableField, string | number | boolean | undefined>> = {
    entities_affected: reference.entities,
    records_affected: reference.records,
    financial_value: assumedValue,
    currency: currencies.dearest,
    data_classification: reference.dataClassification,
    reversibility: reference.reversibility,
    privilege_change: reference.privilegeChange,
    production_impact: reference.productionImpact
  }
  return missing.flatMap((field) => {
    const value = assumed[field]
    return value === undefined ? [] : [{ field, assumed: value }]
  })
}
