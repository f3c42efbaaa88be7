/** Which fields an evaluation reads one way or another: those without a claim that counts. */

import type { Behavior } from "../domain/Behavior.ts"
import type { Claims } from "./Claims.ts"
import { bitsOf } from "./Reading.ts"

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
} as const satisfies Partial<Record<keyof Claims, number>>

/**
 * Invariant: what `complete`, `gatherFacts` and `readBehavior` make of a field whose bits are not among these is the same
 * under every reading. More than `missingFields`: an unknown currency was stated, and is read all the same.
 */
export const unstatedBits = (claims: Claims, behavior: Behavior): number => {
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
