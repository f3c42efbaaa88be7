/** Saying something riskier never lowers a score. */

import fc from "fast-check"
import { type Action, dataClassifications, environments, reversibilities } from "../../src/domain/Action.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { count, money } from "../support/arbitrary/amounts.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/edition1.ts"
import { type Asked, opine } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const contradictions = [
  "ENVIRONMENT_CLAIM_INCONSISTENT",
  "PRIVILEGE_CLAIM_INCONSISTENT",
  "REVERSIBILITY_CLAIM_INCONSISTENT",
  "CONTRADICTORY_INPUT"
]
const consistent = ({ riskFactors }: Opinion): boolean =>
  !riskFactors.some(({ code }) => contradictions.includes(code))

const neverLower = (milder: Opinion, riskier: Opinion): boolean =>
  milder.actionRisk.score <= riskier.actionRisk.score &&
  milder.actionRisk.range.low <= riskier.actionRisk.range.low &&
  milder.actionRisk.range.high <= riskier.actionRisk.range.high &&
  milder.blastRadius.score <= riskier.blastRadius.score

/** The riskier of the stated value and another; undefined where nothing was stated. */
const riskier = <A>(stated: A | "unknown" | undefined, other: A, ranks: ReadonlyArray<A>): A | undefined => {
  if (stated === undefined || stated === "unknown") return undefined
  return ranks[Math.max(ranks.indexOf(stated), ranks.indexOf(other))]
}
const larger = (stated: number | undefined, other: number): number | undefined =>
  stated === undefined ? undefined : Math.max(stated, other)

const byWorth = [...model.currencies.table]
  .toSorted(([, a], [, b]) => (a.usdNanos < b.usdNanos ? -1 : 1))
  .map(([code]) => code)

const drawn = fc.record({
  count: count(),
  money: money(),
  currency: fc.constantFrom(...byWorth),
  dataClassification: fc.constantFrom(...dataClassifications),
  reversibility: fc.constantFrom(...reversibilities),
  environment: fc.constantFrom(...environments)
})
type Drawn = typeof drawn extends fc.Arbitrary<infer A> ? A : never

/** One field of an action raised to what was drawn; an undefined field is not raised. */
const rises: Readonly<
  Record<string, (action: Action, to: Drawn) => { readonly [K in keyof Action]?: Action[K] | undefined }>
> = {
  entities_affected: (action, to) => ({ entitiesAffected: larger(action.entitiesAffected, to.count) }),
  records_affected: (action, to) => ({ recordsAffected: larger(action.recordsAffected, to.count) }),
  financial_value: (action, to) => ({ financialValue: larger(action.financialValue, to.money) }),
  // Whole amounts: what is less than a minor unit of a cheap currency can be worth more than the same of a dear one.
  currency: ({ currency, financialValue }, to) => ({
    currency: Number.isInteger(financialValue)
      ? riskier(
          byWorth.find((code) => code === currency?.toUpperCase()),
          to.currency,
          byWorth
        )
      : undefined
  }),
  data_classification: (action, to) => ({
    dataClassification: riskier(action.dataClassification, to.dataClassification, dataClassifications)
  }),
  reversibility: (action, to) => ({
    reversibility: riskier(action.reversibility, to.reversibility, reversibilities)
  }),
  privilege_change: (action) => ({
    privilegeChange: action.privilegeChange === undefined ? undefined : true
  }),
  production_impact: (action) => ({
    productionImpact: action.productionImpact === undefined ? undefined : true
  }),
  environment: (action, to) => ({ environment: riskier(action.environment, to.environment, environments) })
}

theorems(
  fc.tuple(question(), drawn),
  ([asked]) => opine(asked),
  Object.fromEntries(
    Object.entries(rises).map(([field, rise]) => [
      `raising ${field} never lowers a score, among consistent claims`,
      (before: Opinion, [asked, to]: [Asked, Drawn]): boolean => {
        const [[name, value] = ["", undefined]] = Object.entries(rise(asked.action, to))
        if (value === undefined || !consistent(before)) return true
        const after = opine({ ...asked, action: { ...asked.action, [name]: value } })
        return !consistent(after) || neverLower(before, after)
      }
    ])
  )
)
