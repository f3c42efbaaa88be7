/** Candidate values for each aspect of a request, simplest first. The search tries them until the facts fit. */

import { dataClassifications, reversibilities } from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Currency, RiskModel } from "../../scoring/Model.ts"
import type { ClassNumbers } from "../../scoring/Numbers.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import { type Box, includes, type Interval, intervalIn, valuesIn } from "../analysis/Box.ts"
import type { Situation } from "../cases/Situation.ts"

export type SituationRequest = Situation["request"]
type Statement = Partial<SituationRequest>

export interface Aspect {
  /** The facts that the statement decides. */
  readonly facts: ReadonlyArray<FactName>
  /** In order of preference. The first one nearly always fits. */
  readonly statements: (box: Box, ownClass: ClassNumbers, model: RiskModel) => ReadonlyArray<Statement>
}

const agent = "agent-7"

const insideInterval = ({ max, min }: Interval, figures: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...new Set(figures.filter((figure) => figure >= min && figure <= max))
]

const mustStepUp = (box: Box): boolean => !includes(valuesIn(box, "destination_step_up"), false)

/** At least one entity, and enough for the multiplier and the step-up that the box requires. */
const entityCounts = (box: Box, { numbers }: RiskModel): ReadonlyArray<number> => {
  const interval = intervalIn(box, "entities_affected")
  const times = intervalIn(box, "entity_volume_multiplier_x100").min
  const least = Math.max(1, interval.min, Math.ceil(times / 100))
  const stepUp = mustStepUp(box) ? [Math.max(least, numbers.behavior.stepUpEntitiesMin)] : []
  return insideInterval(interval, [...stepUp, least, times, interval.min])
}

/** Both counts, then one or both omitted, then one of them zero. */
const countStatements: Aspect["statements"] = (box, _, model) => {
  const records = intervalIn(box, "records_affected")
  const stated = insideInterval(records, [Math.max(1, records.min), records.min])
  const sizes = entityCounts(box, model)
  const both = sizes.flatMap((entitiesAffected) =>
    stated.map((recordsAffected) => ({ entitiesAffected, recordsAffected }))
  )
  const descending = [...sizes, ...stated].toSorted((a, b) => b - a)
  return [
    ...both,
    ...sizes.map((entitiesAffected) => ({ entitiesAffected })),
    ...stated.map((recordsAffected) => ({ recordsAffected })),
    {},
    ...descending.flatMap((figure) => [
      { entitiesAffected: 0, recordsAffected: figure },
      { entitiesAffected: figure, recordsAffected: 0 }
    ]),
    { entitiesAffected: 0 },
    { recordsAffected: 0 }
  ]
}

/** The smallest amount of a currency that is worth at least this many cents. */
const leastAmount = (cents: number, { exponent, usdNanos }: Currency): number => {
  const scale = 10n ** BigInt(exponent) * 10_000_000n
  const minor = cents === 0 ? 1n : (BigInt(cents - 1) * scale) / usdNanos + 1n
  const digits = minor.toString().padStart(exponent + 1, "0")
  return Number(`${digits.slice(0, digits.length - exponent)}.${digits.slice(digits.length - exponent)}`)
}

const amountStatements: Aspect["statements"] = (box, _, { currencies, numbers }) => {
  const interval = intervalIn(box, "financial_value_usd_cents")
  const times = intervalIn(box, "financial_value_multiplier_x100").min
  const stepUp = mustStepUp(box) ? [numbers.behavior.stepUpUsdMin * centsPerUsd] : []
  const cents = insideInterval(interval, [
    Math.max(interval.min, times),
    ...stepUp,
    times * centsPerUsd,
    interval.min
  ])
  const dearest = currencies.table.get(currencies.dearest)
  return [
    ...cents.map((figure) => ({ financialValue: figure / centsPerUsd, currency: "USD" })),
    {},
    ...(dearest === undefined
      ? []
      : cents.map((figure) => ({ financialValue: leastAmount(figure, dearest) }))),
    // A missing amount is rounded up in the stated currency, so each currency gives slightly different facts.
    ...[...currencies.table.keys()].map((currency) => ({ currency }))
  ]
}

const classificationStatements: Aspect["statements"] = () => [
  ...dataClassifications.map((dataClassification) => ({ dataClassification })),
  {}
]

/** First the values at or above the floor of the class, then none, then the values below the floor. */
const reversibilityStatements: Aspect["statements"] = (_, { reversibilityFloor }) => {
  const stated = reversibilities.map((reversibility) => ({ reversibility }))
  const floor = reversibilities.indexOf(reversibilityFloor)
  return [...stated.slice(floor), {}, ...stated.slice(0, floor)]
}

const privilegeStatements: Aspect["statements"] = (_, { alwaysChangesPrivilege }) => [
  { privilegeChange: alwaysChangesPrivilege },
  { privilegeChange: !alwaysChangesPrivilege }
]

export const aspects: ReadonlyArray<Aspect> = [
  {
    facts: [
      ...(["entities_affected", "records_affected", "entities_missing", "records_missing"] as const),
      ...(["counts_inconsistent", "extent_unbounded"] as const)
    ],
    statements: countStatements
  },
  {
    facts: ["financial_value_usd_cents", "financial_value_missing", "currency_missing"],
    statements: amountStatements
  },
  {
    facts: ["data_classification_rank", "data_classification_missing"],
    statements: classificationStatements
  },
  {
    facts: ["reversibility_rank", "reversibility_missing", "reversibility_claim_inconsistent"],
    statements: reversibilityStatements
  },
  { facts: ["privilege_change", "privilege_claim_inconsistent"], statements: privilegeStatements },
  {
    facts: ["production_impact", "production_impact_inconsistent"],
    statements: () => [{ productionImpact: false }, { productionImpact: true }]
  },
  {
    facts: ["instruction_untrusted"],
    statements: () => [{}, { context: { instruction_source: "untrusted_content" } }]
  },
  { facts: ["agent_missing"], statements: () => [{ agentId: agent }, {}] }
]
