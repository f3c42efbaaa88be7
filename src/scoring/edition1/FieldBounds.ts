/** Field bounds: each missing field is taken at one of four bounds, and one evaluation of the model chooses a bound for every field. */

import type { Behavior } from "../../domain/Behavior.ts"
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
/** Spelled as on the wire, because opinions name them. */
export type MissableField = (typeof missableFields)[number]

/**
 * - `reference`: the field counts as missing and has the default value that the score uses (scoring.md §3);
 * - `least`, `ceiling`: the field counts as stated, with its mildest or its worst value;
 * - `open`: the field has its worst value and counts as stated and as missing at once, so that nothing a caller does is worse.
 */
export type FieldBound = "reference" | "least" | "ceiling" | "open"

/** Whether the facts say that the field is missing. */
export const countsAsMissing = (bound: FieldBound): boolean => bound === "reference" || bound === "open"

/** Whether the field has its worst value. */
export const atCeiling = (bound: FieldBound): boolean => bound === "ceiling" || bound === "open"

type ByField = Readonly<Record<MissableField, FieldBound>>

/** `bits`: two for each field. Two values are equal in a field if their bits are equal under the mask `bitsOf(field)`. */
export type FieldBounds = ByField & { readonly bits: number }

const bitsEach = 2
const codes: Readonly<Record<FieldBound, number>> = { reference: 0, least: 1, ceiling: 2, open: 3 }
const shiftOf = (field: MissableField): number => bitsEach * missableFields.indexOf(field)

/** The mask of a field: all of its bits. */
const bitsOf = (field: MissableField): number => codes.open << shiftOf(field)

const withBits = (by: ByField): FieldBounds => ({
  ...by,
  bits: missableFields.reduce((bits, field) => bits | (codes[by[field]] << shiftOf(field)), 0)
})

/** For each field, `base` with that field at `bound`. Made once at load, because every opinion needs them. */
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

/** The mask of the field behind each member of a stated action. */
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
 * The bits of all fields whose bound can change an evaluation.
 * Invariant: `complete`, `gatherFacts` and `behaviorFacts` give the same result for every bound of any other field.
 * These are more fields than `missingFields` lists: an unknown currency is stated, and its bound counts all the same.
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
