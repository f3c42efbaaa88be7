/** What an action leaves out, what was taken for it, and the same action with one such field stated at an extreme. */

import { type Action, dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import type { Question } from "./Question.ts"
import { amountWorth, cheapestCode, dearestCode } from "./money.ts"
import { reversibilityFloorOf } from "./numbers.ts"
import { plausible, type Reading } from "./read.ts"

const absent = (value: unknown): boolean => value === undefined || value === "unknown"

export const missingFieldsOf = ({ action }: Question, reading: Reading): Array<string> => {
  const fields: Array<[string, boolean]> = [
    ["agent_id", absent(action.agentId)],
    ["entities_affected", absent(action.entitiesAffected)],
    ["records_affected", absent(action.recordsAffected)],
    ["financial_value", absent(action.financialValue)],
    ["currency", absent(action.currency) && reading.usdCents > 0],
    ["destination", absent(action.destination) && reading.isEgress],
    ["data_classification", absent(action.dataClassification)],
    ["reversibility", absent(action.reversibility)],
    ["privilege_change", absent(action.privilegeChange)],
    ["production_impact", absent(action.productionImpact)]
  ]
  return fields.filter(([, isMissing]) => isMissing).map(([field]) => field)
}

export const assumptionsOf = (question: Question, reading: Reading) => {
  const taken: Record<string, unknown> = {
    entities_affected: reading.entities,
    records_affected: reading.records,
    financial_value: reading.amount,
    currency: dearestCode,
    data_classification: dataClassifications[reading.classificationRank],
    reversibility: reversibilities[reading.reversibilityRank],
    privilege_change: reading.privilegeChange,
    production_impact: reading.productionImpact
  }
  return missingFieldsOf(question, reading)
    .filter((field) => field in taken)
    .map((field) => ({ field, assumed: taken[field] }))
}

const established = {
  days: 1_000,
  firstSeenHours: 24_000,
  largestEntities: Number.MAX_SAFE_INTEGER,
  largestUsdCents: Number.MAX_VALUE,
  lookalike: false
}

/** The question whose action states `field` at its ceiling or its least; `taken` is its reading at the references. */
export const withField = (
  question: Question,
  taken: Reading,
  field: string,
  extreme: "least" | "ceiling"
): Question => {
  const high = extreme === "ceiling"
  const { words, behavior } = question
  const bounds = plausible(question, taken.production, "ceiling")
  const least = (pairs: boolean, other: number): number => (pairs && other > 0 ? 1 : 0)
  const stating = (fields: Partial<Action>): Question => ({
    ...question,
    action: { ...question.action, ...fields }
  })

  switch (field) {
    case "agent_id":
      return {
        ...stating({ agentId: "somebody" }),
        behavior: behavior === "unavailable" ? behavior : { ...behavior, agentSeen: !high }
      }
    case "destination":
      return {
        ...stating({ destination: "somewhere" }),
        behavior: behavior === "unavailable" ? behavior : { ...behavior, destination: established },
        ...(high ? { worstDestination: true } : {})
      }
    case "entities_affected":
      return stating({
        entitiesAffected: high
          ? bounds.entities
          : least(taken.class !== "read", question.action.recordsAffected ?? taken.records)
      })
    case "records_affected":
      return stating({
        recordsAffected: high
          ? bounds.records
          : least(taken.countsTogether, question.action.entitiesAffected ?? taken.entities)
      })
    case "financial_value":
      return stating({ financialValue: high ? Number(amountWorth(bounds.usd, question.action.currency)) : 0 })
    case "currency":
      return stating({ currency: high ? dearestCode : cheapestCode })
    case "data_classification":
      return stating({ dataClassification: high ? bounds.data_classification : "public" })
    case "reversibility":
      return stating({
        reversibility: high ? bounds.reversibility : reversibilityFloorOf(words.class)
      })
    case "privilege_change":
      return stating({ privilegeChange: words.class === "access" || (high && bounds.privilege_change) })
    default:
      return stating({ productionImpact: high && bounds.production_impact })
  }
}
