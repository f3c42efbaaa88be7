/** The bound at which each missing field is taken: an evaluation of the model is one choice for every field. */

import type { Behavior } from "../domain/Behavior.ts"
import type { StatedAction } from "./StatedAction.ts"

export const missableFields = [
  "entities_affected",
  "records_affected",
  "financial_value",
  "currency",
  "data_classification",
  "reversibility",
  "privilege_change",
  "production_impact",
  "destination",
  "agent_id"
] as const
/** Spelled as on the wire, because reports name them. */
export type MissableField = (typeof missableFields)[number]

/**
 * - `reference`: left out, and taken for what the score is made of (scoring.md §3);
 * - `least`, `ceiling`: as if it were stated at that end;
 * - `open`: anything up to the ceiling, whether it is then stated or still left out.
 */
export type FieldBound = "reference" | "least" | "ceiling" | "open"

/** Whether facts say of the field that it is missing. */
export const countsAsMissing = (reading: FieldBound): boolean => reading === "reference" || reading === "open"

/** Whether the field is taken at its worst. */
export const atCeiling = (reading: FieldBound): boolean => reading === "ceiling" || reading === "open"

type ByField = Readonly<Record<MissableField, FieldBound>>

/** `bits`: two for each field. Readings that agree where a mask of `bitsOf` is set differ in no field that it names. */
export type FieldBounds = ByField & { readonly bits: number }

const bitsEach = 2
const codes: Readonly<Record<FieldBound, number>> = { reference: 0, least: 1, ceiling: 2, open: 3 }
const shiftOf = (field: MissableField): number => bitsEach * missableFields.indexOf(field)

/** All bits of a field. */
const bitsOf = (field: MissableField): number => codes.open << shiftOf(field)

const withBits = (by: ByField): FieldBounds => ({
  ...by,
  bits: missableFields.reduce((bits, field) => bits | (codes[by[field]] << shiftOf(field)), 0)
})

/** `base` with one field read another way, for each field: worked out once, because every opinion asks for them. */
export const oneFieldAt = (
  base: FieldBounds,
  reading: FieldBound
): Readonly<Record<MissableField, FieldBounds>> => ({
  entities_affected: withBits({ ...base, entities_affected: reading }),
  records_affected: withBits({ ...base, records_affected: reading }),
  financial_value: withBits({ ...base, financial_value: reading }),
  currency: withBits({ ...base, currency: reading }),
  data_classification: withBits({ ...base, data_classification: reading }),
  reversibility: withBits({ ...base, reversibility: reading }),
  privilege_change: withBits({ ...base, privilege_change: reading }),
  production_impact: withBits({ ...base, production_impact: reading }),
  destination: withBits({ ...base, destination: reading }),
  agent_id: withBits({ ...base, agent_id: reading })
})

export const allFieldsAt = (reading: FieldBound): FieldBounds =>
  withBits({
    entities_affected: reading,
    records_affected: reading,
    financial_value: reading,
    currency: reading,
    data_classification: reading,
    reversibility: reading,
    privilege_change: reading,
    production_impact: reading,
    destination: reading,
    agent_id: reading
  })

/** Which fields an evaluation reads one way or another: those without a claim that counts. */
const bits = {
  entities: bitsOf("entities_affected"),
  records: bitsOf("records_affected"),
  value: bitsOf("financial_value"),
  currency: bitsOf("currency"),
  dataClassification: bitsOf("data_classification"),
  reversibility: bitsOf("reversibility"),
  privilegeChange: bitsOf("privilege_change"),
  productionImpact: bitsOf("production_impact"),
  destination: bitsOf("destination"),
  agentId: bitsOf("agent_id")
} as const satisfies Partial<Record<keyof StatedAction, number>>

/**
 * Invariant: what `complete`, `gatherFacts` and `readBehavior` make of a field whose bits are not among these is the same
 * under every reading. More than `missingFields`: an unknown currency was stated, and is read all the same.
 */
export const unstatedBits = (claims: StatedAction, behavior: Behavior): number => {
  const untold = behavior !== "unavailable" && behavior.destination === null
  return (
    (claims.entities === undefined ? bits.entities : 0) |
    (claims.records === undefined ? bits.records : 0) |
    (claims.value === undefined ? bits.value : 0) |
    (claims.currency === undefined ? bits.currency : 0) |
    (claims.dataClassification === undefined ? bits.dataClassification : 0) |
    (claims.reversibility === undefined ? bits.reversibility : 0) |
    (claims.privilegeChange === undefined ? bits.privilegeChange : 0) |
    (claims.productionImpact === undefined ? bits.productionImpact : 0) |
    (claims.destination === undefined || untold ? bits.destination : 0) |
    (claims.agentId === undefined ? bits.agentId : 0)
  )
}
