/** Which way each missing field is read: an evaluation of the model is one choice for every field. */

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
export type Reading = "reference" | "least" | "ceiling" | "open"

/** Whether facts say of the field that it is missing. */
export const countsAsMissing = (reading: Reading): boolean => reading === "reference" || reading === "open"

/** Whether the field is taken at its worst. */
export const atCeiling = (reading: Reading): boolean => reading === "ceiling" || reading === "open"

export type Readings = Readonly<Record<MissableField, Reading>>

/** `base` with one field read another way, for each field: worked out once, because every opinion asks for them. */
export const readOne = (base: Readings, reading: Reading): Readonly<Record<MissableField, Readings>> => ({
  entities_affected: { ...base, entities_affected: reading },
  records_affected: { ...base, records_affected: reading },
  financial_value: { ...base, financial_value: reading },
  currency: { ...base, currency: reading },
  data_classification: { ...base, data_classification: reading },
  reversibility: { ...base, reversibility: reading },
  privilege_change: { ...base, privilege_change: reading },
  production_impact: { ...base, production_impact: reading },
  destination: { ...base, destination: reading },
  agent_id: { ...base, agent_id: reading }
})

export const readAll = (reading: Reading): Readings => ({
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
