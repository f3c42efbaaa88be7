/** Section 3: an action read at its references, at its least or at its ceilings, contradictions taken at the worse word. */

import {
  dataClassifications,
  type Environment,
  environments,
  reversibilities
} from "../../src/domain/Action.ts"
import type { Edition1Class } from "../../src/scoring/edition1/NormalizedAction.ts"
import type { Question } from "./Question.ts"
import { amountWorth, isKnownCurrency, usdCentsOf } from "./money.ts"
import { type Bounds, ceilingsOf, numbers, referencesOf, reversibilityFloorOf } from "./numbers.ts"

export type Stage = "reference" | "least" | "ceiling"

const countsStandAlone: ReadonlyArray<Edition1Class> = ["read", "access", "deploy", "configure"]
const egress: ReadonlyArray<Edition1Class> = ["export", "communicate", "transact", "unknown"]

const stated = <A>(value: A | "unknown" | undefined): A | undefined =>
  value === "unknown" ? undefined : value

/** What a missing field is taken for; a single verb touches few things whatever its class. */
export const plausible = (
  { words }: Question,
  production: boolean,
  stage: "reference" | "ceiling"
): Bounds => {
  const bounds = stage === "ceiling" ? ceilingsOf(words.class) : referencesOf(words.class, production)
  if (words.extent !== "single" || words.everything) return bounds
  const single = stage === "ceiling" ? numbers.single.ceilings : numbers.single.references
  return {
    ...bounds,
    entities: Math.min(bounds.entities, single.entities),
    records: Math.min(bounds.records, single.records)
  }
}

export const read = (question: Question, stage: Stage) => {
  const { action, words } = question
  const environment: Environment = words.production ? "production" : action.environment
  const isEgress = egress.includes(words.class) || words.alsoExports
  const togetherClass = !countsStandAlone.includes(words.class)
  const taken = stage === "least" ? null : plausible(question, environment === "production", stage)

  let entities =
    action.entitiesAffected ?? taken?.entities ?? (words.class !== "read" && action.recordsAffected ? 1 : 0)
  let records = action.recordsAffected ?? taken?.records ?? (togetherClass && action.entitiesAffected ? 1 : 0)
  const zeroEntities = words.class !== "read" && action.entitiesAffected === 0 && records > 0
  const zeroRecords = togetherClass && action.recordsAffected === 0 && entities > 0
  if (zeroEntities) entities = records
  if (zeroRecords) records = entities

  const amount =
    action.financialValue === undefined
      ? amountWorth(taken?.usd ?? 0, action.currency)
      : String(action.financialValue)
  const usdCents = usdCentsOf(
    amount,
    action.currency,
    action.currency === undefined && stage === "least" ? "cheapest" : "dearest"
  )

  const classification = stated(action.dataClassification) ?? taken?.data_classification ?? "public"
  const claimedReversibility = stated(action.reversibility) ?? taken?.reversibility ?? "fully_reversible"
  const floor = reversibilities.indexOf(reversibilityFloorOf(words.class))
  const reversibility = Math.max(reversibilities.indexOf(claimedReversibility), floor)
  const productionImpact = action.productionImpact ?? taken?.production_impact ?? false

  const missing = (absent: boolean): boolean => absent && stage !== "least"
  const noCounts = action.entitiesAffected === undefined && action.recordsAffected === undefined
  return {
    stage,
    class: words.class,
    isEgress,
    alsoExports: words.alsoExports,
    countsTogether: togetherClass,
    environment,
    environmentRank: environments.indexOf(environment),
    production: environment === "production",
    entities,
    records,
    usdCents,
    amount: Number(amount),
    classificationRank: dataClassifications.indexOf(classification),
    reversibilityRank: reversibility,
    privilegeChange: words.class === "access" || (action.privilegeChange ?? taken?.privilege_change ?? false),
    productionImpact,
    missing: {
      agent: missing(action.agentId === undefined),
      destination: missing(action.destination === undefined),
      classification: missing(stated(action.dataClassification) === undefined),
      reversibility: missing(stated(action.reversibility) === undefined),
      records: missing(action.recordsAffected === undefined),
      value: missing(action.financialValue === undefined),
      currency: missing((action.financialValue ?? 0) > 0 && !isKnownCurrency(action.currency))
    },
    unbounded: words.everything || missing(words.extent === "bulk" && noCounts),
    contradictions: {
      environment: words.production && action.environment !== "production",
      privilege: words.class === "access" && action.privilegeChange === false,
      reversibility:
        stated(action.reversibility) !== undefined && reversibilities.indexOf(claimedReversibility) < floor,
      counts: zeroEntities || zeroRecords,
      productionImpact:
        productionImpact && environments.indexOf(environment) < environments.indexOf("staging")
    }
  }
}

export type Reading = ReturnType<typeof read>
