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
export const countsAsMissing = (bound: FieldBound): boolean => bound === "reference" || bound === "open"

/** Whether the field is taken at its worst. */
export const atCeiling = (bound: FieldBound): boolean => bound === "ceiling" || bound === "open"

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
  bound: FieldBound
): Readonly<Record<MissableField, FieldBounds>> => ({
  entities_affected: withBits({ ...base, entities_affected: bound }),
  records_affected: withBits({ ...base, records_affected: bound }),
  financial_value: withBits({ ...base, financial_value: bound }),
  currency: withBits({ ...base, currency: bound }),
  data_classification: withBits({ ...base, data_classification: bound }),
  reversibility: withBits({ ...base, reversibility: bound }),
  privilege_change: withBits({ ...base, privilege_change: bound }),
  production_impact: withBits({ ...base, production_impact: bound }),
  destination: withBits({ ...base, destination: bound }),
  agent_id: withBits({ ...base, agent_id: bound })
})

export const allFieldsAt = (bound: FieldBound): FieldBounds =>
  withBits({
    entities_affected: bound,
    records_affected: bound,
    financial_value: bound,
    currency: bound,
    data_classification: bound,
    reversibility: bound,
    privilege_change: bound,
    production_impact: bound,
    destination: bound,
    agent_id: bound
  })

/** Which fields an evaluation reads one way or another: those without a claim that counts. */
const bitsByMember = {
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
export const unstatedBits = (stated: StatedAction, behavior: Behavior): number => {
  const noDestination = behavior !== "unavailable" && behavior.destination === null
  return (
    (stated.entities === undefined ? bitsByMember.entities : 0) |
    (stated.records === undefined ? bitsByMember.records : 0) |
    (stated.value === undefined ? bitsByMember.value : 0) |
    (stated.currency === undefined ? bitsByMember.currency : 0) |
    (stated.dataClassification === undefined ? bitsByMember.dataClassification : 0) |
    (stated.reversibility === undefined ? bitsByMember.reversibility : 0) |
    (stated.privilegeChange === undefined ? bitsByMember.privilegeChange : 0) |
    (stated.productionImpact === undefined ? bitsByMember.productionImpact : 0) |
    (stated.destination === undefined || noDestination ? bitsByMember.destination : 0) |
    (stated.agentId === undefined ? bitsByMember.agentId : 0)
  )
}
