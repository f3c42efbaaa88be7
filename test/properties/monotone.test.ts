/** Saying something riskier never lowers a score. */

import fc from "fast-check"
import { dataClassifications, environments, reversibilities } from "../../src/domain/Action.ts"
import type { Action } from "../../src/domain/Action.ts"
import type { Opinion } from "../../src/domain/Opinion.ts"
import { count, money } from "../support/arbitrary/amounts.ts"
import { question } from "../support/arbitrary/question.ts"
import { model } from "../support/draft.ts"
import { opine } from "../support/opine.ts"
import { theorem } from "../support/theorem.ts"

/** Two values for one field, the milder first. */
interface Rise {
  readonly milder: Partial<Action>
  readonly riskier: Partial<Action>
}

const amounts = (
  values: fc.Arbitrary<number>,
  state: (value: number) => Partial<Action>
): fc.Arbitrary<Rise> =>
  fc
    .tuple(values, values)
    .map(([a, b]) => ({ milder: state(Math.min(a, b)), riskier: state(Math.max(a, b)) }))

const ranks = <A>(values: ReadonlyArray<A>, state: (value: A) => Partial<Action>): fc.Arbitrary<Rise> =>
  fc.subarray([...values], { minLength: 2, maxLength: 2 }).map(([milder, riskier]) => ({
    milder: milder === undefined ? {} : state(milder),
    riskier: riskier === undefined ? {} : state(riskier)
  }))

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

const byWorth = [...model.currencies.table]
  .toSorted(([, a], [, b]) => (a.usdNanos < b.usdNanos ? -1 : 1))
  .map(([code]) => code)

/** The rise of one field where another stays. */
const stating = ({ milder, riskier }: Rise, also: Partial<Action>): Rise => ({
  milder: { ...milder, ...also },
  riskier: { ...riskier, ...also }
})

const rises = {
  entities_affected: amounts(count(), (entitiesAffected) => ({ entitiesAffected })),
  records_affected: amounts(count(), (recordsAffected) => ({ recordsAffected })),
  financial_value: amounts(money(), (financialValue) => ({ financialValue })),
  // Whole amounts: what is less than a minor unit of a cheap currency can be worth more than the same of a dear one.
  currency: fc
    .tuple(
      ranks(byWorth, (currency) => ({ currency })),
      money()
    )
    .map(([rise, value]) => stating(rise, { financialValue: Math.ceil(value) })),
  data_classification: ranks(dataClassifications, (dataClassification) => ({ dataClassification })),
  reversibility: ranks(reversibilities, (reversibility) => ({ reversibility })),
  privilege_change: ranks([false, true], (privilegeChange) => ({ privilegeChange })),
  production_impact: ranks([false, true], (productionImpact) => ({ productionImpact })),
  environment: ranks(environments, (environment) => ({ environment }))
}

for (const [field, rise] of Object.entries(rises)) {
  theorem(
    `raising ${field} never lowers a score, among consistent claims`,
    fc.tuple(question(), rise),
    ([asked, { milder, riskier }]) => {
      const low = opine({ ...asked, action: { ...asked.action, ...milder } })
      if (!consistent(low)) return true
      const high = opine({ ...asked, action: { ...asked.action, ...riskier } })
      return !consistent(high) || neverLower(low, high)
    }
  )
}
