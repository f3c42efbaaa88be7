/** The oracle: a second, simple implementation of scoring.md and ADR 23, to compare with the scorer. */

import { dataClassifications, reversibilities } from "../../src/domain/Action.ts"
import { type ActionRiskLevel, type Level, severities, type Severity } from "../../src/domain/Opinion.ts"
import { percent } from "./arithmetic.ts"
import { dearestCode } from "./money.ts"
import { impactOrder, type Question } from "./Question.ts"
import { boundsOf, isTold, missingFieldsOf } from "./bounds.ts"
import { controlOf } from "./control.ts"
import { asOne, type Evaluated, evaluate, evaluateEach, judgementOf } from "./evaluate.ts"
import { factorFiles, numbers } from "./files.ts"
import { multipliersOf, silent } from "./history.ts"
import { atPlausible, atReference, rowOf, statedOf, type Taken } from "./taken.ts"

const levelOf = (score: number): Level => {
  const { critical, high, low, moderate } = numbers.levels
  if (score >= critical) return "critical"
  if (score >= high) return "high"
  if (score >= moderate) return "moderate"
  return score >= low ? "low" : "minimal"
}
const riskLevelOf = (score: number): ActionRiskLevel => {
  const level = levelOf(score)
  return level === "minimal" ? "low" : level
}

const contradictions = [
  "environment_claim_inconsistent",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent",
  "command_contradicts"
] as const

const contradictionsIn = (deeds: ReadonlyArray<Evaluated>): number =>
  contradictions.filter((claim) => deeds.some(({ facts }) => facts[claim])).length

/** Percent: the share of the plausible scores that lie on the level, less for contradictions and for what was not understood. */
const confidenceOf = (
  score: number,
  low: number,
  high: number,
  contradictions: number,
  unread: boolean,
  incomplete: boolean
): number => {
  const { contradiction_percent, incomplete_percent_max, percent_min, unread_percent_max } =
    numbers.confidence
  const plausible = Array.from({ length: high - low + 1 }, (_, n) => low + n)
  const same = plausible.filter((one) => riskLevelOf(one) === riskLevelOf(score)).length
  let percentage = Math.max(percent_min, Math.floor((100 * same) / plausible.length))
  for (let n = 0; n < contradictions; n++) percentage = Math.floor((percentage * contradiction_percent) / 100)
  const most = Math.min(unread ? unread_percent_max : 100, incomplete ? incomplete_percent_max : 100)
  return Math.max(1, Math.min(percentage, most))
}

/** The highest confidence in percent: interpolated between the two nearest scores of the table, rounded up. */
const surestAt = (score: number): number => {
  const table: ReadonlyArray<ReadonlyArray<number>> = numbers.confidence.at_score
  const below = table.findLast(([at = 0]) => at <= score) ?? [0, 100]
  const above = table.find(([at = 0]) => at >= score) ?? below
  const [from = 0, first = 100] = below
  const [to = 0, last = 100] = above
  return to === from ? first : Math.ceil((first * (to - score) + last * (score - from)) / (to - from))
}

const severityIn = (list: ReadonlyArray<{ code: string; severity: Severity }>, code: string): number =>
  Math.max(-1, ...list.filter((one) => one.code === code).map(({ severity }) => severities.indexOf(severity)))

/** The reference, the range and the score, before anything is reported. */
const judge = (question: Question) => {
  const { behavior, policies, words } = question
  const taken = atReference(question)
  const deeds = evaluateEach(question, taken)
  const middle = asOne(deeds)
  const mild = evaluate(question, atPlausible(question, -1))
  const bad = evaluate(question, atPlausible(question, 1))
  const broken = policies.some((policy) => policy.broken)
  const incomplete = behavior === "unavailable" || broken
  const least = incomplete ? numbers.incomplete_score_min : 0
  const low = Math.max(least, Math.min(mild.score, middle.score))
  const high = Math.max(least, bad.score, middle.score)
  const confidence = confidenceOf(
    Math.max(least, middle.score),
    low,
    high,
    contradictionsIn(deeds),
    words.class === "unknown" || words.unread,
    incomplete
  )
  // An unreadable history affects the score and is reported as a fault, never as an assumed content.
  const known = behavior === "unavailable" ? silent : {}
  const last = { ...known, assessment_degraded: incomplete, policy_evaluation_incomplete: broken }
  const doubted = riskLevelOf(Math.max(least, middle.score)) === "low" ? 0 : 100 - confidence
  const ends = deeds.map((deed) => {
    const facts = { ...deed.facts, ...last, confidence_percent_missing: doubted }
    const judged = judgementOf(facts, policies)
    return { ...deed, facts, judged, score: Math.max(deed.score, judged.floor) }
  })
  const { facts: _, judged, ...end } = asOne(ends)
  const score = Math.max(least, end.score)
  // A factor that only the outcome raises (a fault, a low confidence) rests on no assumption.
  const assumed = ({ code, severity }: { readonly code: string; readonly severity: Severity }): boolean =>
    severityIn(middle.judged.factors, code) >= severities.indexOf(severity) &&
    severityIn(mild.judged.factors, code) < severities.indexOf(severity)
  return {
    taken,
    middle: { ...middle, ...end },
    judged,
    assumed,
    incomplete,
    least,
    low,
    high: Math.max(high, score),
    confidence: Math.min(confidence, surestAt(score)),
    score
  }
}

const ofStatements = new Set(factorFiles.filter(({ stated_only }) => stated_only).map(({ code }) => code))

const countedFactors = (question: Question, { assumed, judged, score }: ReturnType<typeof judge>) => {
  const { anywhere, environment, impact } = question.words
  const grave = impactOrder.indexOf(impact) >= 2 && (anywhere || environment === "production")
  const isLow = riskLevelOf(score) === "low"
  const isSmall = isLow && (rowOf(question).harmless || impact === "low")
  const untold = ({ about, code }: { about: string | undefined; code: string }): boolean =>
    isSmall || ofStatements.has(code) || (isLow && !grave && about !== undefined)
  const own = judged.factors.map(({ about, category, code, recommendations, severity }) => ({
    code,
    about,
    category,
    severity,
    recommendations,
    assumed: assumed({ code, severity })
  }))
  const added = judged.matched.flatMap(({ severity }) =>
    severity === undefined
      ? []
      : [
          {
            code: "CUSTOMER_POLICY_MATCH",
            about: undefined,
            category: "policy" as const,
            severity,
            recommendations: [],
            assumed: false
          }
        ]
  )
  return [...own, ...added]
    .filter((factor) => !(factor.assumed && untold(factor)))
    .toSorted(
      (a, b) =>
        Number(a.assumed) - Number(b.assumed) ||
        severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
        (a.code < b.code ? -1 : 1)
    )
}

type Counted = ReturnType<typeof countedFactors>

/** Among the factors about one subject: the gravest, then the stated one, then the later code. */
const toldOf = (counted: Counted): Counted => {
  const weight = ({ assumed, severity }: Counted[number]): number =>
    severities.indexOf(severity) * 2 + Number(!assumed)
  return counted.filter(
    (one) =>
      one.about === undefined ||
      counted.every(
        (other) =>
          other.about !== one.about ||
          weight(other) < weight(one) ||
          (weight(other) === weight(one) && other.code <= one.code)
      )
  )
}

const assumptionsOf = (question: Question, taken: Taken) => {
  const stated = statedOf(question)
  const values: Readonly<Record<string, string | number | boolean | undefined>> = {
    entities_affected: taken.entities,
    records_affected: taken.records,
    financial_value: Number(taken.amount),
    currency: dearestCode,
    data_classification: dataClassifications[taken.classification],
    reversibility: reversibilities[taken.reversibility],
    privilege_change: taken.privilegeChange,
    production_impact: taken.productionImpact
  }
  const list = missingFieldsOf(question).flatMap((field) => {
    const assumed = values[field]
    return assumed === undefined ? [] : [{ field, assumed }]
  })
  const inDollars =
    stated.amount === undefined && stated.currency?.toUpperCase() !== "USD" && Number(taken.amount) > 0
  return inDollars ? [...list, { field: "currency", assumed: "USD" }] : list
}

const behavioralContextOf = (question: Question, { counted }: Evaluated) => {
  const { behavior } = question
  const stated = statedOf(question)
  const today = behavior === "unavailable" ? undefined : behavior.today
  const added = today?.units ?? 0
  if (behavior === "unavailable" || behavior.sampleSize + added === 0) {
    return {
      historicalComparisonAvailable: false,
      baselineScope: "organization",
      sampleSize: 0,
      windowDays: numbers.behavior.window_days,
      entityVolumeMultiplier: null,
      financialValueMultiplier: null,
      velocityMultiplier: null,
      destinationSeenBefore: false,
      actionTypeSeenBefore: false
    }
  }
  const { entities, value, velocity } = multipliersOf(behavior, counted.entities, counted.usdCents)
  const told = (multiplier: number | null, isTold = true) =>
    multiplier === null || !isTold ? null : multiplier / 100
  return {
    historicalComparisonAvailable: true,
    baselineScope: "organization",
    sampleSize: behavior.sampleSize + added,
    windowDays: behavior.windowDays,
    entityVolumeMultiplier: told(entities, stated.entities !== undefined),
    financialValueMultiplier: told(value, stated.amount !== undefined),
    velocityMultiplier: told(velocity),
    destinationSeenBefore: (behavior.destination?.days ?? 0) > 0 || (today?.destinationSeen ?? false),
    actionTypeSeenBefore: behavior.actionTypeSeen || (today?.actionTypeSeen ?? false)
  }
}

/** `thorough`: searches for bounds among all two-digit figures and all currencies. */
export const opinion = (question: Question, thorough = false) => {
  const judged = judge(question)
  const { confidence, high, incomplete, least, low, middle, score } = judged
  const level = riskLevelOf(score)
  const counted = countedFactors(question, judged)
  const { matched, typology } = judged.judged
  const control = controlOf({ level, confidence, incomplete, typology, factors: counted }, matched)
  const blastRadius = percent(middle.blastRadius)
  const recommended = [...counted, ...matched].flatMap(({ recommendations }) => recommendations)
  if (control.type === "SECONDARY_APPROVAL_RECOMMENDED") recommended.push("REQUEST_SECOND_APPROVER")
  return {
    complete: !incomplete,
    actionCategory: rowOf(question).category,
    actionRisk: { score, level, confidence: confidence / 100, range: { low, high } },
    blastRadius: {
      score: blastRadius,
      level: levelOf(blastRadius),
      dimensions: Object.fromEntries(
        Object.entries(middle.dimensions).map(([name, bp]) => [name, percent(bp)])
      )
    },
    riskFactors: toldOf(counted).map(({ assumed, category, code, severity }) => ({
      code,
      severity,
      category,
      ...(assumed ? { assumed } : {})
    })),
    recommendedControl: control,
    recommendations: [...new Set(recommended)].toSorted(),
    behavioralContext: behavioralContextOf(question, middle),
    policyContext: matched.map(({ effect, id }) => ({ rule: id, effect })),
    assumptions: assumptionsOf(question, judged.taken),
    missingInformation: missingFieldsOf(question)
      .map((field) => boundsOf(question, field, score, least, thorough))
      .filter((bounds) => isTold(question, bounds, score))
      .toSorted(
        (a, b) =>
          b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)
      )
  }
}
