/** One evaluation of a reading: its factors, customer policies, floors and action risk. */

import { or, percent, times } from "./arithmetic.ts"
import { hazardOf } from "./catalogue.ts"
import type { Found } from "./catalogue.ts"
import { blastRadiusOf, dimensionsOf } from "./dimensions.ts"
import { factorsOf } from "./factors.ts"
import { historyOf } from "./history.ts"
import type { History } from "./history.ts"
import { numbers } from "./numbers.ts"
import type { Question, Words } from "./Question.ts"
import type { Reading } from "./read.ts"

const typologyFloor = 90

/** Section 4: the named combinations, and the one that the last row of section 8's table asks for. */
const matchesTypology = (
  words: Words,
  reading: Reading,
  history: History,
  factors: Array<Found>
): boolean => {
  const { class: verb, entities, records, production } = reading
  const novel = history.novel || history.unestablished
  const large = entities >= 1_000 || records >= 100_000
  const irreversible = reading.reversibilityRank === 4
  const exported = factors.find(({ code }) => code === "SENSITIVE_DATA_EXPORT")?.severity
  return (
    (exported === "critical" && novel && (production || entities >= 10 || records >= 100)) ||
    (exported !== undefined && novel && large) ||
    (exported !== undefined &&
      words.alsoExports &&
      (verb === "delete" || verb === "destroy") &&
      (entities >= 10 || records >= 100)) ||
    (reading.usdCents >= 10_000_000 && novel && irreversible) ||
    (reading.usdCents >= 10_000_000 && novel && history.stepUp) ||
    (["delete", "destroy", "execute", "unknown"].includes(verb) && irreversible && large && production) ||
    (words.dataStore && verb === "destroy" && irreversible && production) ||
    (reading.privilegeChange && production && (irreversible || entities >= 1_000))
  )
}

const policiesMatching = ({ policies }: Question, reading: Reading, history: History) => {
  if (policies.length === 0) return policies
  const facts = {
    action_class: reading.class,
    environment_rank: reading.environmentRank,
    entities_affected: reading.entities,
    financial_value_usd_cents: reading.usdCents,
    data_classification_rank: reading.classificationRank,
    privilege_change: reading.privilegeChange,
    destination_novel: history.novel,
    agent_missing: reading.missing.agent
  }
  return policies.filter(({ when, broken }) => broken || when(facts))
}

/** `shown` evaluations are matched without the worst readings of unavailable history; `last` are factors known only then. */
export const evaluate = (
  question: Question,
  reading: Reading,
  shown: boolean,
  last: ReadonlyArray<Found> = []
) => {
  const history = historyOf(question, reading, shown)
  const policies = policiesMatching(question, reading, history)
  const own = [...factorsOf(question.words, reading, history), ...last]
  const added = policies.flatMap(({ severity }): Array<Found> =>
    severity === undefined ? [] : [{ code: "CUSTOMER_POLICY_MATCH", severity }]
  )
  const typology = matchesTypology(question.words, reading, history, own)
  const hazard = own
    .map(hazardOf)
    .toSorted((a, b) => b - a)
    .reduce(or, 0)
  const dimensions = dimensionsOf(reading)
  const blastRadius = blastRadiusOf(dimensions)
  const { blast_radius_bp, hazard_base_bp, hazard_blast_radius_bp } = numbers.action_risk
  const risk = or(
    times(blast_radius_bp, blastRadius),
    times(hazard, hazard_base_bp + times(hazard_blast_radius_bp, blastRadius))
  )
  const severest = (found: ReadonlyArray<Found>): number =>
    Math.max(0, ...found.map(({ severity }) => numbers.severity_floors[severity]))
  const ownScore = Math.max(
    percent(risk),
    numbers.action_risk.score_min,
    typology ? typologyFloor : 0,
    severest(own)
  )
  const score = Math.max(ownScore, severest(added), ...policies.map((policy) => policy.floor ?? 0))
  return {
    reading,
    dimensions,
    blastRadius,
    factors: [...own, ...added],
    policies,
    typology,
    ownScore,
    score
  }
}
