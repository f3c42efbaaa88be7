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

type ByField = Readonly<Record<MissableField, Reading>>

/** `bits`: two for each field. Readings that agree where a mask of `bitsOf` is set differ in no field that it names. */
export type Readings = ByField & { readonly bits: number }

const bitsEach = 2
const codes: Readonly<Record<Reading, number>> = { reference: 0, least: 1, ceiling: 2, open: 3 }
const shiftOf = (field: MissableField): number => bitsEach * missableFields.indexOf(field)

/** All bits of a field. */
export const bitsOf = (field: MissableField): number => codes.open << shiftOf(field)

const withBits = (by: ByField): Readings => ({
  ...by,
  bits: missableFields.reduce((bits, field) => bits | (codes[by[field]] << shiftOf(field)), 0)
})

/** `base` with one field read another way, for each field: worked out once, because every opinion asks for them. */
export const readOne = (base: Readings, reading: Reading): Readonly<Record<MissableField, Readings>> => ({
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

export const readAll = (reading: Reading): Readings =>
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
