/** What payments made up for a proof have in common, and what a unit of a currency is worth to them. */

import type { Currency, Model } from "../../../scoring/Model.ts"

/** Everything but the action, the place and the money. */
export const plainPayment = {
  agentId: "agent-7",
  entitiesAffected: 1,
  recordsAffected: 1,
  dataClassification: "public",
  reversibility: "mostly_reversible",
  privilegeChange: false,
  productionImpact: false
} as const

/** A currency that the table does not know counts as the dearest. */
export const rateOf = ({ currencies: { dearest, table } }: Model, code: string): Currency | undefined =>
  table.get(code) ?? table.get(dearest)
