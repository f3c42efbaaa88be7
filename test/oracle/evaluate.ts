/** One evaluation: the facts of a completed call, the result of rules and policies, and the score. */

import { environments } from "../../src/domain/Action.ts"
import { type FactorCategory, severities, type Severity } from "../../src/domain/Opinion.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import { extentOrder, impactOrder, type Policy, type Question } from "./Question.ts"
import { percent } from "./arithmetic.ts"
import { isKnownCurrency } from "./money.ts"
import { holds } from "./conditions.ts"
import { type Counted, countedOf } from "./counted.ts"
import { actionRiskOf, blastRadiusOf, dimensionsOf } from "./dimensions.ts"
import { factorFiles, numbers, typologyFiles } from "./files.ts"
import { historyOf } from "./history.ts"
import { eachInFront, ownRowOf, rowOf, statedOf, type Taken } from "./taken.ts"

const factsOf = (question: Question, taken: Taken, counted: Counted): Facts => {
  const { action, words } = question
  const stated = statedOf(question)
  const rank = environments.indexOf(words.environment)
  const countless = stated.entities === undefined && stated.records === undefined
  return {
    action_class: words.class,
    action_category: rowOf(question).category,
    normalized_action_type: words.type,
    object_kind: words.kind,
    impact_rank: impactOrder.indexOf(words.impact),
    extent_rank: extentOrder.indexOf(words.extent),
    acts_anywhere: words.anywhere,
    name_unknown: words.class === "unknown",
    name_hinted: words.hinted,
    command_unread: words.unread,
    command_contradicts: words.contradicted,
    catalogue_entry_expired: false,
    environment: words.environment,
    environment_rank: rank,
    environment_claim_inconsistent: words.environment !== action.environment,
    remote_target_unconfirmed: words.remote,
    instruction_untrusted: action.context?.["instruction_source"] === "untrusted_content",
    entities_affected: counted.entities,
    records_affected: counted.records,
    financial_value_usd_cents: counted.usdCents,
    data_classification_rank: counted.classification,
    reversibility_rank: counted.reversibility,
    privilege_change: counted.privilegeChange,
    production_impact: counted.productionImpact,
    data_classification_missing: stated.classification === undefined,
    reversibility_missing: stated.reversibility === undefined,
    entities_missing: stated.entities === undefined,
    records_missing: stated.records === undefined,
    financial_value_missing: stated.amount === undefined,
    currency_missing: Number(stated.amount ?? 0) > 0 && !isKnownCurrency(action.currency),
    destination_missing: !stated.destination,
    agent_missing: !stated.agent,
    extent_unbounded: words.everything || (extentOrder.indexOf(words.extent) >= 2 && countless),
    data_store: words.kind === "container",
    admin_named: words.admin,
    credential_operation: words.credential,
    also_exports: words.alsoExports,
    safeguard_weakened_rank: words.weakens ? (words.impact === "critical" ? 2 : 1) : 0,
    privilege_claim_inconsistent: counted.contradictions.privilege,
    reversibility_claim_inconsistent: counted.contradictions.reversibility,
    counts_inconsistent: counted.contradictions.counts,
    production_impact_inconsistent: counted.productionImpact && rank < environments.indexOf("staging"),
    ...historyOf(question, taken, counted),
    confidence_percent_missing: 0,
    assessment_degraded: false,
    policy_evaluation_incomplete: false
  }
}

export interface Found {
  readonly code: string
  readonly category: FactorCategory
  readonly severity: Severity
  readonly recommendations: ReadonlyArray<string>
  readonly about: string | undefined
  readonly hazard: number
}

/** A factor counts once: by the most severe of its rules that hold, and among those by the one with the most hazard. */
const factorsIn = (facts: Facts): ReadonlyArray<Found> =>
  factorFiles.flatMap(
    ({ about, category, code, hazard_bp, recommendations, rules }): ReadonlyArray<Found> => {
      const found = rules
        .filter(({ conditions }) => holds(conditions, facts))
        .map(({ event: { params } }) => ({
          code,
          category,
          severity: params.severity,
          recommendations,
          about,
          hazard: params.hazard_bp ?? hazard_bp
        }))
        .toSorted(
          (a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.hazard - a.hazard
        )
      return found.slice(0, 1)
    }
  )

const typologyFloorIn = (facts: Facts): number =>
  Math.max(
    0,
    ...typologyFiles
      .filter(({ rules }) => rules.some(({ conditions }) => holds(conditions, facts)))
      .map(({ floor }) => floor)
  )

/** The results of all rules and policies for the facts, and the highest floor among them. */
export const judgementOf = (facts: Facts, policies: ReadonlyArray<Policy>) => {
  const factors = factorsIn(facts)
  const typologyFloor = typologyFloorIn(facts)
  const matched = policies.filter(({ broken, when }) => broken || when(facts))
  const found = [...factors, ...matched].flatMap(({ severity }) => severity ?? [])
  const floor = Math.max(
    typologyFloor,
    ...found.map((severity) => numbers.severity_floors[severity]),
    ...matched.map((policy) => policy.floor ?? 0)
  )
  return { factors, matched, typology: typologyFloor > 0, floor }
}

/** A deed that sends nothing has no unknown destination, whatever the other deeds do. */
const takenAlone = (question: Question, taken: Taken): Taken =>
  taken.destination === "new" && !statedOf(question).destination && !ownRowOf(question).egress
    ? { ...taken, destination: "history" }
    : taken

const evaluateOne = (question: Question, whole: Taken) => {
  const taken = takenAlone(question, whole)
  const counted = countedOf(question, taken)
  const facts = factsOf(question, taken, counted)
  const judged = judgementOf(facts, question.policies)
  const dimensions = dimensionsOf(question, counted)
  const blastRadius = blastRadiusOf(dimensions)
  const risk = percent(
    actionRiskOf(
      blastRadius,
      judged.factors.map(({ hazard }) => hazard)
    )
  )
  return {
    counted,
    facts,
    judged,
    dimensions,
    blastRadius,
    score: Math.max(numbers.action_risk.score_min, risk, judged.floor)
  }
}
export type Evaluated = ReturnType<typeof evaluateOne>

/** Everything that a call does, one by one. */
export const evaluateEach = (question: Question, taken: Taken): ReadonlyArray<Evaluated> =>
  eachInFront(question).map((one) => evaluateOne(one, taken))

/** For each name the last entry in an order; the first among equals. */
const lastOfEach = <A>(all: ReadonlyArray<A>, name: (one: A) => string, order: (a: A, b: A) => number) =>
  [...Map.groupBy(all, name).values()]
    .flatMap((same) => same.toSorted((a, b) => order(b, a)).slice(0, 1))
    .toSorted((a, b) => (name(a) < name(b) ? -1 : 1))

/** Several acts as one: each figure is the largest, and all findings count. The facts are those of the worst. */
export const asOne = (deeds: ReadonlyArray<Evaluated>): Evaluated => {
  const [worst] = deeds.toSorted((a, b) => b.score - a.score)
  if (worst === undefined) throw new Error("a call does something")
  const names = Object.keys(worst.dimensions) as ReadonlyArray<keyof Evaluated["dimensions"]>
  const largest = names.map((name) => [name, Math.max(...deeds.map((one) => one.dimensions[name]))])
  return {
    ...worst,
    dimensions: Object.fromEntries(largest) as Evaluated["dimensions"],
    blastRadius: Math.max(...deeds.map(({ blastRadius }) => blastRadius)),
    judged: {
      factors: lastOfEach(
        deeds.flatMap(({ judged }) => judged.factors),
        ({ code }) => code,
        (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.hazard - b.hazard
      ),
      matched: lastOfEach(
        deeds.flatMap(({ judged }) => judged.matched),
        ({ id }) => id,
        () => 0
      ),
      typology: deeds.some(({ judged }) => judged.typology),
      floor: Math.max(...deeds.map(({ judged }) => judged.floor))
    }
  }
}

export const evaluate = (question: Question, taken: Taken): Evaluated => asOne(evaluateEach(question, taken))
